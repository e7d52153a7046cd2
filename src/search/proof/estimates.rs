//! How hard it seems to prove or to disprove a position: hints for the order of work.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::machine::Words;

/// How much is still to be shown, at least, for a win of the side that is searched for, and against it. 0 is shown,
/// [`Numbers::NEVER`] is the opposite shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    /// More than any sum of numbers.
    pub const NEVER: u32 = (1 << 28) - 1;
    /// Largest number that is not final.
    pub const MOST: u32 = Numbers::NEVER - 1;
    /// The side wins.
    pub const WON: Numbers = Numbers { proof: 0, disproof: Numbers::NEVER };
    /// The side does not win.
    pub const NOT_WON: Numbers = Numbers { proof: Numbers::NEVER, disproof: 0 };
}

/// Words of an entry: the hash of a position, and its numbers with the effort.
const ENTRY: usize = 2;
/// Entries that a position can be in.
const BUCKET: usize = 4;

/// A table of numbers by hash. Two positions with the same hash are taken for each other, which may mislead the
/// search but proves nothing. It grows with what is entered, since fresh memory is slow.
pub(super) struct Estimates {
    words: Option<Words>,
    buckets: u64,
    most_buckets: u64,
    /// Entries in use.
    len: u64,
}

/// Bytes of a bucket.
const BUCKET_BYTES: u64 = (ENTRY * BUCKET * size_of::<u64>()) as u64;
/// Buckets at first.
const FIRST: u64 = 1 << 14;
/// How many times larger a table gets at once.
const GROWTH: u64 = 4;

impl Estimates {
    /// A table of at most some bytes.
    pub fn new(bytes: u64) -> Estimates {
        // While it grows, the old table is there beside the new one.
        let most_buckets = (bytes / BUCKET_BYTES * GROWTH / (GROWTH + 1)).max(1);
        Estimates::of_buckets(FIRST.min(most_buckets), most_buckets)
    }

    fn of_buckets(buckets: u64, most_buckets: u64) -> Estimates {
        let words = usize::try_from(buckets).ok().and_then(|buckets| Words::new(buckets * ENTRY * BUCKET));
        Estimates { words, buckets, most_buckets, len: 0 }
    }

    /// Moves to a larger table, if there may be one.
    fn grow(&mut self) {
        let buckets = (GROWTH * self.buckets).min(self.most_buckets);
        let mut grown = Estimates::of_buckets(buckets, self.most_buckets);
        if grown.words.is_none() {
            self.most_buckets = self.buckets;
            return;
        }
        for entry in self.words.iter().flat_map(|words| words.chunks_exact(ENTRY)) {
            let [hash, word] = [&entry[0], &entry[1]].map(|word| word.load(Relaxed));
            if word != 0 {
                grown.enter(hash, word);
            }
        }
        *self = grown;
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> Option<&[AtomicU64]> {
        // The upper half of the product spreads hashes evenly over the buckets.
        let bucket = ((u128::from(hash) * u128::from(self.buckets)) >> 64) as usize;
        self.words.as_ref().map(|words| &words[bucket * ENTRY * BUCKET..][..ENTRY * BUCKET])
    }

    #[inline]
    pub fn get(&self, hash: u64) -> Option<Numbers> {
        let entry = self.bucket(hash)?.chunks_exact(ENTRY).find(|entry| entry[0].load(Relaxed) == hash)?;
        let word = entry[1].load(Relaxed);
        (word != 0).then_some(Numbers {
            proof: word as u32 & Numbers::NEVER,
            disproof: (word >> 28) as u32 & Numbers::NEVER,
        })
    }

    /// Enters numbers that cost some effort, in the place of the least costly ones.
    pub fn put(&mut self, hash: u64, numbers: Numbers, nodes: u64) {
        let effort = u64::from((nodes + 1).ilog2().min(255));
        self.enter(hash, (effort << 56) | (u64::from(numbers.disproof) << 28) | u64::from(numbers.proof));
        if self.len > self.buckets * BUCKET as u64 / 2 && self.buckets < self.most_buckets {
            self.grow();
        }
    }

    fn enter(&mut self, hash: u64, word: u64) {
        let Some(bucket) = self.bucket(hash) else { return };
        let cost = |entry: &&[AtomicU64]| match entry[0].load(Relaxed) {
            found if found == hash => 0,
            0 => 1,
            _ => 2 + (entry[1].load(Relaxed) >> 56),
        };
        let Some(entry) = bucket.chunks_exact(ENTRY).min_by_key(cost) else { return };
        let is_new = entry[1].load(Relaxed) == 0;
        entry[0].store(hash, Relaxed);
        entry[1].store(word, Relaxed);
        self.len += u64::from(is_new);
    }
}
