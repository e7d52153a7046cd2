//! What every lap does, for the kernel of relays.

use std::sync::Arc;

use super::word::MAX_SEEDS;
use crate::board::Word;
use crate::rules::*;

/// Largest number of pits in a row.
pub(super) const MAX_ROW: usize = 8;
/// Pits of a board: the own ones from 0, the opponent's from [`OPPONENT`].
pub(super) const CELLS: usize = 2 * MAX_ROW;
/// The opponent's first pit.
pub(super) const OPPONENT: usize = MAX_ROW;
/// The own store.
pub(super) const STORE: usize = CELLS;
/// The opponent's store.
pub(super) const OPPONENT_STORE: usize = CELLS + 1;

/// What a lap does.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
pub(super) struct Effect {
    /// To be added to the rows; the seeds lifted are subtracted in it.
    pub sown: Word,
    pub gain: u8,
    pub opponent_gain: u8,
    /// The cell that decides how the move goes on: that of the last seed, or the one after it in relays
    /// from the next hole.
    pub next: u8,
}

/// By seeds and the cell lifted from.
pub(super) type Effects = Arc<[[Effect; CELLS]; MAX_SEEDS + 1]>;

/// Taking pits in passing.
#[derive(Clone)]
pub(super) struct PasuEffects {
    pub number: u64,
    /// By seeds of at most one round and the cell lifted from: a one for each pit that a seed may make
    /// pasu.
    pub sown: Box<[[Word; CELLS]; CELLS + 1]>,
    /// The same for a full round of which none is the last seed.
    pub round: Word,
    pub is_sowers: bool,
}

/// The cells that are sown, from the own first pit.
pub(super) fn ring(pits: usize, switches: &Switches) -> Vec<usize> {
    let store = |cell, kind| (kind == Store::Sow).then_some(cell);
    (0..pits)
        .chain(store(STORE, switches.own_store))
        .chain(OPPONENT..OPPONENT + pits)
        .chain(store(OPPONENT_STORE, switches.opponent_store))
        .collect()
}

/// Sows every number of seeds from every pit.
pub(super) fn effects(ring: &[usize], switches: &Switches) -> Effects {
    let mut effects = Box::new([[Effect::default(); CELLS]; MAX_SEEDS + 1]);
    for (start, &from) in ring.iter().enumerate().filter(|&(_, &from)| from < CELLS) {
        let mut sown = Effect::default();
        let after = ring.iter().zip(ring.iter().cycle().skip(1)).cycle().skip(start + 1);
        let cells = after.filter(|&(&cell, _)| switches.origin == Origin::Sow || cell != from);
        for (seeds, (&cell, &next)) in (1..=MAX_SEEDS).zip(cells) {
            match cell {
                STORE => sown.gain += 1,
                OPPONENT_STORE => sown.opponent_gain += 1,
                OPPONENT.. => sown.sown.opponent += 1 << (8 * (cell - OPPONENT)),
                _ => sown.sown.own += 1 << (8 * cell),
            }
            sown.next = if switches.lap == Lap::NextHole { next } else { cell } as u8;
            let effect = &mut effects[seeds][from];
            *effect = sown;
            let row = if from < OPPONENT { &mut effect.sown.own } else { &mut effect.sown.opponent };
            *row = row.wrapping_sub((seeds as u64) << (8 * (from % MAX_ROW)));
        }
    }
    effects.into()
}

impl PasuEffects {
    /// The table of games that take pits in passing; `None` in others.
    pub(super) fn new(ring: &[usize], switches: &Switches) -> Option<PasuEffects> {
        let number = match switches.pasu {
            Pasu::Off => return None,
            Pasu::Four => 4,
            Pasu::Six => 6,
        };
        let one = |cell: usize| match cell {
            OPPONENT.. => Word { own: 0, opponent: 1 << (8 * (cell - OPPONENT)) },
            _ => Word { own: 1 << (8 * cell), opponent: 0 },
        };
        let ones = |cells: &mut dyn Iterator<Item = &usize>| {
            cells.map(|&cell| one(cell)).fold(Word::default(), Word::plus)
        };
        let mut sown = Box::new([[Word::default(); CELLS]; CELLS + 1]);
        for (start, &from) in ring.iter().enumerate() {
            for seeds in 1..=ring.len() {
                let but_last = usize::from(!switches.pasu_last.yes());
                sown[seeds][from] = ones(&mut ring.iter().cycle().skip(start + 1).take(seeds - but_last));
            }
        }
        Some(PasuEffects {
            number: number * (u64::MAX / 0xff),
            sown,
            round: ones(&mut ring.iter()),
            is_sowers: switches.pasu_owner == PasuOwner::Sower,
        })
    }
}
