//! The shared table of positions met.
//!
//! # Why an entry never speaks of another position
//!
//! A position is two half boards, and the half boards of up to N seeds are numbered without gaps
//! below H (see [`crate::index`]), so `own * H + opponent` is a number below H * H that belongs to
//! no other position of a board without closed pits. Where pits may be closed there are twice as many
//! numbers, and which player has which of the closed pits, of which a solver knows one set, decides between them. Let it have B bits.
//!
//! - [`PackedTable`]: the number goes through a bijection of B-bit words; the low bits of the result
//!   choose the bucket, *all* the others are the tag in the entry. Bucket and tag together give the
//!   number back, so equal bucket and tag mean equal positions. Tag, bounds, move and effort are
//!   one 64-bit word, read and written in one piece: there are no torn entries.
//! - [`WideTable`]: where the tag does not fit, an entry holds both numbers in full, and a bucket is read
//!   and written under its lock.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::index::{Half, HalfBoards, Halves, Numbered};
use crate::machine::{Words, prefetch};
use crate::retrograde::Bounds;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Entry {
    pub bounds: Bounds,
    /// Code of the move that set the last bound, 0 for none.
    pub choice: u8,
    /// Logarithm of the nodes that the bound cost.
    pub effort: u8,
}

/// The number of a position: those of its two halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Key {
    pub own: u64,
    pub opponent: u64,
}

impl Key {
    /// The key of a position in a game that keeps its closed pits: who has which of them tells apart
    /// positions whose halves are equal.
    #[inline(always)]
    pub fn new<G: Numbered>(
        game: &G,
        half_boards: &HalfBoards,
        position: &G::Position,
        halves: &Halves,
    ) -> Key {
        let number = |half: Half| half_boards.count_below(half.seeds) + half.rank;
        let own = number(halves.own);
        let [own_closed, opponent_closed] = game.closed(position);
        let own = if G::CLOSES_PITS && own_closed > opponent_closed {
            half_boards.count_below(half_boards.max_seeds() + 1) + own
        } else {
            own
        };
        Key { own, opponent: number(halves.opponent) }
    }
}

/// Where entries are kept. Lost entries cost time, never truth.
pub(in crate::search) trait Hash: Sync {
    /// A place in the table.
    type Slot: Copy + Send + Sync;
    fn slot(&self, key: Key) -> Self::Slot;
    /// A number for the position, not 0; different positions may share it.
    fn id(&self, slot: Self::Slot) -> u64;
    fn prefetch(&self, slot: Self::Slot);
    fn get(&self, slot: Self::Slot) -> Option<Entry>;
    /// Stores an entry; known bounds of the same position are kept where they are tighter.
    fn put(&self, slot: Self::Slot, entry: Entry);
}

const WAYS: usize = 4;

/// Entries of one 64-bit word: tag, lower and upper bound, move, effort.
pub(in crate::search) struct PackedTable {
    /// Buckets of `WAYS` entries, side by side.
    words: Words,
    halves: u64,
    /// Bits of a position's number.
    bits: u32,
    bucket_bits: u32,
}

const EFFORT_BITS: u32 = 5;
const MOVE_BITS: u32 = 4;
const TAG_SHIFT: u32 = EFFORT_BITS + MOVE_BITS + 16;
/// Largest code of a move.
const MAX_MOVE: usize = (1 << MOVE_BITS) - 1;

impl PackedTable {
    /// A table of at most `bytes`, if positions of `halves` numbers of half boards, `moves` codes of moves
    /// and `seeds` seeds fit its entries.
    pub fn new(bytes: u64, halves: u64, moves: usize, seeds: u32) -> Option<PackedTable> {
        let bits = (u128::from(halves) * u128::from(halves)).checked_ilog2()? + 1;
        let mut bucket_bits = (bytes / (8 * WAYS as u64)).max(1).ilog2().min(32).min(bits);
        let fits = |bucket_bits: u32| {
            let tag_bits = bits.saturating_sub(bucket_bits);
            bits <= 64 && tag_bits <= 64 - TAG_SHIFT && moves <= MAX_MOVE && seeds <= 127
        };
        while fits(bucket_bits) {
            if let Some(words) = Words::new(WAYS << bucket_bits) {
                return Some(PackedTable { words, halves, bits, bucket_bits });
            }
            bucket_bits = bucket_bits.checked_sub(1)?;
        }
        None
    }

    /// Positions that there is room for.
    pub fn capacity(&self) -> u64 {
        self.words.len() as u64
    }

    /// Puts all entries into another table for the same positions.
    pub fn pour_into(&self, other: &PackedTable) {
        assert_eq!((self.halves, self.bits), (other.halves, other.bits));
        self.words.par_chunks(WAYS << 10).enumerate().for_each(|(chunk, words)| {
            for (at, word) in words.iter().enumerate() {
                let word = word.load(Relaxed);
                if word != 0 {
                    let bucket = ((chunk << 10) + at / WAYS) as u64;
                    let mixed = (word >> TAG_SHIFT) << self.bucket_bits | bucket;
                    other.put(other.slot_of(mixed), PackedTable::unpack(word));
                }
            }
        });
    }

    #[inline(always)]
    fn slot_of(&self, mixed: u64) -> (u32, u64) {
        ((mixed & ((1 << self.bucket_bits) - 1)) as u32, mixed >> self.bucket_bits)
    }

    #[inline(always)]
    fn ways(&self, bucket: u32) -> &[AtomicU64] {
        &self.words[bucket as usize * WAYS..][..WAYS]
    }

    fn pack(tag: u64, entry: Entry) -> u64 {
        let byte = |value: i32| u64::from(value as i8 as u8);
        let bounds = byte(entry.bounds.lower) << 8 | byte(entry.bounds.upper);
        // Effort is at least 1, so no entry looks like an empty one.
        let effort = u64::from(entry.effort.clamp(1, (1 << EFFORT_BITS) - 1));
        tag << TAG_SHIFT
            | bounds << (EFFORT_BITS + MOVE_BITS)
            | u64::from(entry.choice) << EFFORT_BITS
            | effort
    }

    fn unpack(word: u64) -> Entry {
        let byte = |shift: u32| i32::from((word >> shift) as u8 as i8);
        Entry {
            bounds: Bounds { lower: byte(TAG_SHIFT - 8), upper: byte(TAG_SHIFT - 16) },
            choice: (word >> EFFORT_BITS) as u8 & MAX_MOVE as u8,
            effort: word as u8 & ((1 << EFFORT_BITS) - 1),
        }
    }
}

/// A bijection of words of `bits` bits that mixes them well: each step can be undone.
#[inline(always)]
fn mix(mut number: u64, bits: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let half = bits.div_ceil(2);
    for factor in [0x9e37_79b9_7f4a_7c15_u64, 0xd6e8_feb8_6659_fd93] {
        number ^= number >> half;
        number = number.wrapping_mul(factor) & mask;
    }
    number ^ number >> half
}

impl Hash for PackedTable {
    /// Bucket and tag.
    type Slot = (u32, u64);

    #[inline(always)]
    fn slot(&self, key: Key) -> (u32, u64) {
        let mixed = mix(key.own * self.halves + key.opponent, self.bits);
        self.slot_of(mixed)
    }

    #[inline(always)]
    fn id(&self, (bucket, tag): (u32, u64)) -> u64 {
        (tag << self.bucket_bits | u64::from(bucket)).wrapping_add(1).max(1)
    }

    #[inline(always)]
    fn prefetch(&self, slot: (u32, u64)) {
        prefetch(&self.words, slot.0 as usize * WAYS);
    }

    #[inline(always)]
    fn get(&self, (bucket, tag): (u32, u64)) -> Option<Entry> {
        let words = self.ways(bucket).iter().map(|word| word.load(Relaxed));
        words.into_iter().find(|word| *word != 0 && word >> TAG_SHIFT == tag).map(PackedTable::unpack)
    }

    fn put(&self, (bucket, tag): (u32, u64), mut entry: Entry) {
        let ways = self.ways(bucket);
        let mut victim = (u8::MAX, 0);
        for (way, word) in ways.iter().enumerate() {
            let word = word.load(Relaxed);
            let known = PackedTable::unpack(word);
            if word != 0 && word >> TAG_SHIFT == tag {
                entry = merged(known, entry);
                victim = (0, way);
                break;
            }
            if known.effort < victim.0 {
                victim = (known.effort, way);
            }
        }
        ways[victim.1].store(PackedTable::pack(tag, entry), Relaxed);
    }
}

/// The tighter of two proven pairs of bounds.
fn merged(known: Entry, new: Entry) -> Entry {
    let bounds = Bounds {
        lower: known.bounds.lower.max(new.bounds.lower),
        upper: known.bounds.upper.min(new.bounds.upper),
    };
    let choice = if new.choice == 0 { known.choice } else { new.choice };
    Entry { bounds, choice, effort: known.effort.max(new.effort) }
}

type WideBucket = Mutex<[Option<(Key, Entry)>; WAYS]>;

/// Entries with the full key, a lock a bucket.
pub(in crate::search) struct WideTable {
    buckets: Vec<WideBucket>,
}

impl WideTable {
    /// A table of at most `bytes`, but at least one bucket.
    pub fn new(bytes: u64) -> WideTable {
        let size = size_of::<WideBucket>() as u64;
        let buckets = 1_u64 << (bytes / size).max(1).ilog2().min(40);
        WideTable { buckets: (0..buckets).map(|_| Mutex::default()).collect() }
    }
}

impl WideTable {
    /// Positions that there is room for.
    pub fn capacity(&self) -> u64 {
        (self.buckets.len() * WAYS) as u64
    }

    /// Puts all entries into another table for the same positions.
    pub fn pour_into<H: Hash>(&self, other: &H) {
        self.buckets.par_chunks(1 << 10).for_each(|buckets| {
            for bucket in buckets {
                for (key, entry) in bucket.lock().expect("no panic while held").iter().flatten() {
                    other.put(other.slot(*key), *entry);
                }
            }
        });
    }
}

impl Hash for WideTable {
    type Slot = (usize, Key);

    fn slot(&self, key: Key) -> (usize, Key) {
        let mixed = mix(key.own ^ mix(key.opponent, 64).rotate_left(32), 64);
        (mixed as usize & (self.buckets.len() - 1), key)
    }

    fn id(&self, (_, key): (usize, Key)) -> u64 {
        (key.own ^ key.opponent.rotate_left(32)).max(1)
    }

    fn prefetch(&self, (bucket, _): (usize, Key)) {
        prefetch(&self.buckets, bucket);
    }

    fn get(&self, (bucket, key): (usize, Key)) -> Option<Entry> {
        let ways = self.buckets[bucket].lock().expect("no panic while held");
        ways.iter().flatten().find(|(known, _)| *known == key).map(|(_, entry)| *entry)
    }

    fn put(&self, (bucket, key): (usize, Key), entry: Entry) {
        let mut ways = self.buckets[bucket].lock().expect("no panic while held");
        let same = ways.iter().position(|way| way.is_some_and(|(known, _)| known == key));
        let way = same.unwrap_or_else(|| {
            let effort = |way: &usize| ways[*way].map_or(0, |(_, entry)| 1 + u32::from(entry.effort));
            (0..WAYS).min_by_key(effort).expect("there are several ways")
        });
        let entry = match (same, ways[way]) {
            (Some(_), Some((_, known))) => merged(known, entry),
            _ => entry,
        };
        ways[way] = Some((key, entry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_a_bijection() {
        for bits in [1, 2, 7, 13, 16] {
            let mut seen = vec![false; 1 << bits];
            for number in 0..1_u64 << bits {
                let mixed = mix(number, bits) as usize;
                assert!(!std::mem::replace(&mut seen[mixed], true), "{number} of {bits} bits collides");
            }
        }
    }

    #[test]
    fn an_entry_answers_for_its_position_only() {
        // 2^12 buckets for 2^20 positions: tags are needed and suffice.
        let table = PackedTable::new(1 << 17, 1 << 10, 6, 100).unwrap();
        assert_eq!(table.words.len(), WAYS << 12);
        let key = |number: u64| Key { own: number >> 10, opponent: number & 0x3ff };
        let entry = |number: u64| Entry {
            bounds: Bounds { lower: -(number as i32 % 101), upper: number as i32 % 99 },
            choice: number as u8 % 7,
            effort: 1 + number as u8 % 31,
        };
        let mut found = 0;
        for number in 0..1 << 20 {
            table.put(table.slot(key(number)), entry(number));
            assert_eq!(table.get(table.slot(key(number))), Some(entry(number)));
        }
        for number in 0..1 << 20 {
            if let Some(known) = table.get(table.slot(key(number))) {
                assert_eq!(known, entry(number));
                found += 1;
            }
        }
        assert!(found > 0 && found <= WAYS << 12);
    }
}
