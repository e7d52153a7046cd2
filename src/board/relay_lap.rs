//! The fast kernel for relays through the own store, on boards of up to eight pits.
//!
//! A lap of any number of seeds costs two additions, and a table tells where the last one fell. No move is
//! endless: a lap that does not feed the own store moves the seeds of one row forward, and there is only so
//! far to go.

use super::ring::final_share;
use super::word::{self, MAX_SEEDS, row_seeds};
use super::{Game, Move, NoEngine, Played, Position, Word};
use crate::rules::*;

/// Largest number of pits in a row.
const MAX_ROW: usize = 8;
/// Cells of a board: the own pits from 0, the opponent's from [`OPPONENT`].
const CELLS: usize = 2 * MAX_ROW;
/// The opponent's first pit.
const OPPONENT: usize = MAX_ROW;
/// The own store.
const STORE: usize = CELLS;
/// The opponent's store.
const OPPONENT_STORE: usize = CELLS + 1;

/// The switches that relay games vary, and those that say nothing about them.
const RELAYS: &[&str] = &[
    "own-store",
    "opponent-store",
    "origin",
    "lap",
    "capture",
    "trigger",
    "empty-capture",
    "mikul",
    "extra-move",
    "no-move",
    "end",
    "rest",
    "quan-value",
    "quan-safe",
    "endless",
    "cycle",
];

/// What a lap does.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Effect {
    /// To be added to the rows; the seeds lifted are subtracted in it.
    sown: Word,
    gain: u8,
    opponent_gain: u8,
    /// The cell of the last seed.
    last: u8,
}

/// By seeds and the cell lifted from.
type Effects = Box<[[Effect; CELLS]; MAX_SEEDS + 1]>;

/// The kernel with its table of laps.
#[derive(Clone)]
pub struct RelayLap {
    rules: Rules,
    pits: usize,
    effects: Effects,
    /// By pit of the opponent: the bytes of the pits beside it.
    beside: [u64; MAX_ROW],
    captures: bool,
    takes_last: bool,
    empty_capture: bool,
    mikul: Mikul,
    store_again: bool,
    capture_again: bool,
    end: End,
    passes: bool,
    rest: Rest,
}

/// A move under way.
struct Turn {
    word: Word,
    gain: u32,
    opponent_gain: u32,
}

impl Turn {
    /// Seeds in a pit.
    #[inline(always)]
    fn seeds(&self, cell: usize) -> usize {
        let row = if cell < OPPONENT { self.word.own } else { self.word.opponent };
        (row >> (8 * (cell % MAX_ROW))) as usize & 0xff
    }
}

impl RelayLap {
    /// A kernel for a rule set, if it is of this kind.
    ///
    /// # Errors
    /// [`NoEngine`] naming a switch that the kernel does not do; [`Ring`](super::Ring) may do it.
    pub fn new(rules: &Rules) -> Result<RelayLap, NoEngine> {
        let s = &rules.switches;
        let refused = |key| s.get(key).map(|value| format!("{key}={value}"));
        let unlike = match s {
            Switches { own_store: Store::Skip, .. } => refused("own-store"),
            Switches { lap: Lap::Single | Lap::NextHole, .. } => refused("lap"),
            Switches { capture: Capture::None | Capture::Cross, .. } => word::first_beyond(RELAYS, s),
            _ => refused("capture"),
        };
        word::ring(rules, MAX_ROW, unlike)?;
        let pits = usize::from(rules.pits);
        Ok(RelayLap {
            rules: rules.clone(),
            pits,
            effects: effects(pits, s),
            beside: std::array::from_fn(|pit| {
                (0..pits).filter(|other| other.abs_diff(pit) == 1).map(|other| 0xff << (8 * other)).sum()
            }),
            captures: s.capture == Capture::Cross,
            takes_last: s.trigger == Trigger::Take,
            empty_capture: s.trigger == Trigger::Take && s.empty_capture.yes(),
            mikul: s.mikul,
            store_again: s.extra_move != ExtraMove::None,
            capture_again: s.extra_move == ExtraMove::StoreOrCapture,
            end: s.end,
            passes: s.no_move == NoMove::Pass,
            rest: s.rest,
        })
    }

    /// Plays an own pit, from 0, that holds seeds.
    #[inline(always)]
    fn play(&self, word: &Word, pit: usize) -> Played<Word> {
        let mut turn = Turn { word: *word, gain: 0, opponent_gain: 0 };
        let last = self.relay(&mut turn, pit);
        let again = match last {
            STORE => self.store_again,
            OPPONENT_STORE => false,
            OPPONENT.. => {
                self.capture_beside(&mut turn, last - OPPONENT);
                false
            }
            _ => self.captures && self.capture_across(&mut turn, last),
        };
        let next = if again { turn.word } else { turn.word.flipped() };
        let choice = Move::Pit(pit as u8 + 1);
        Played { choice, gain: turn.gain as i32, opponent_gain: turn.opponent_gain as i32, again, next }
    }

    /// Makes the laps of a move. Returns the store or the empty pit that got the last seed.
    #[inline(always)]
    fn relay(&self, turn: &mut Turn, pit: usize) -> usize {
        let mut cell = pit;
        loop {
            let effect = &self.effects[turn.seeds(cell)][cell];
            turn.word.own = turn.word.own.wrapping_add(effect.sown.own);
            turn.word.opponent = turn.word.opponent.wrapping_add(effect.sown.opponent);
            turn.gain += u32::from(effect.gain);
            turn.opponent_gain += u32::from(effect.opponent_gain);
            cell = effect.last.into();
            if cell >= CELLS || turn.seeds(cell) == 1 {
                return cell;
            }
        }
    }

    /// The last seed fell into an own empty pit. Returns whether that earned an extra move.
    #[inline(always)]
    fn capture_across(&self, turn: &mut Turn, pit: usize) -> bool {
        let opposite = 8 * (self.pits - 1 - pit);
        let captured = (turn.word.opponent >> opposite) as u32 & 0xff;
        if captured == 0 && !self.empty_capture {
            return false;
        }
        turn.word.opponent &= !(0xff << opposite);
        turn.gain += captured;
        if self.takes_last {
            turn.word.own &= !(0xff << (8 * pit));
            turn.gain += 1;
        }
        captured > 0 && self.capture_again
    }

    /// The last seed fell into an empty pit of the opponent, which may capture the pits beside it.
    #[inline(always)]
    fn capture_beside(&self, turn: &mut Turn, pit: usize) {
        let both = turn.word.opponent & self.beside[pit];
        let captures = match self.mikul {
            Mikul::Off => false,
            Mikul::On => true,
            Mikul::Equal if pit == 0 => false,
            Mikul::Equal => {
                let pair = both >> (8 * (pit - 1));
                pair & 0xff == pair >> 16
            }
        };
        if captures {
            turn.word.opponent -= both;
            turn.gain += row_seeds(both);
        }
    }

    /// Whether the game is over.
    #[inline(always)]
    fn is_over(&self, word: &Word) -> bool {
        match self.end {
            End::RowEmpty => word.own == 0 || word.opponent == 0,
            End::Stuck => word.own == 0,
            _ => word.own == 0 && (word.opponent == 0 || !self.passes),
        }
    }
}

/// Sows every number of seeds from every pit.
fn effects(pits: usize, switches: &Switches) -> Effects {
    let store = |cell, kind| (kind == Store::Sow).then_some(cell);
    let ring: Vec<usize> = (0..pits)
        .chain(store(STORE, switches.own_store))
        .chain(OPPONENT..OPPONENT + pits)
        .chain(store(OPPONENT_STORE, switches.opponent_store))
        .collect();
    let mut effects = Box::new([[Effect::default(); CELLS]; MAX_SEEDS + 1]);
    for (start, &from) in ring.iter().enumerate().filter(|&(_, &from)| from < CELLS) {
        let mut sown = Effect::default();
        let after = ring.iter().cycle().skip(start + 1);
        let cells = after.filter(|&&cell| switches.origin == Origin::Sow || cell != from);
        for (seeds, &cell) in (1..=MAX_SEEDS).zip(cells) {
            match cell {
                STORE => sown.gain += 1,
                OPPONENT_STORE => sown.opponent_gain += 1,
                OPPONENT.. => sown.sown.opponent += 1 << (8 * (cell - OPPONENT)),
                _ => sown.sown.own += 1 << (8 * cell),
            }
            let mut effect = Effect { last: cell as u8, ..sown };
            let row = if from < OPPONENT { &mut effect.sown.own } else { &mut effect.sown.opponent };
            *row = row.wrapping_sub((seeds as u64) << (8 * (from % MAX_ROW)));
            effects[seeds][from] = effect;
        }
    }
    effects
}

impl Game for RelayLap {
    type Position = Word;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    /// # Panics
    /// If the pits hold more than 255 seeds.
    fn pack(&self, position: &Position) -> Word {
        Word::pack(position)
    }

    fn unpack(&self, word: &Word) -> Position {
        word.unpack(self.pits)
    }

    #[inline(always)]
    fn seeds(&self, word: &Word) -> u32 {
        word.seeds()
    }

    #[inline(always)]
    fn end_value(&self, word: &Word) -> Option<i32> {
        self.is_over(word).then(|| final_share(self.rest, row_seeds(word.own), row_seeds(word.opponent)))
    }

    #[inline(always)]
    fn for_each_move(&self, word: &Word, mut visit: impl FnMut(Played<Word>)) {
        if self.is_over(word) {
            return;
        }
        if word.own == 0 {
            let next = word.flipped();
            visit(Played { choice: Move::Pass, gain: 0, opponent_gain: 0, again: false, next });
        }
        // The lowest pit that holds seeds, until there is none above.
        let mut rest = word.own;
        while rest != 0 {
            let pit = rest.trailing_zeros() as usize / 8;
            rest &= !(0xff << (8 * pit));
            visit(self.play(word, pit));
        }
    }
}
