//! The fast kernel for relays, with or without stores in the ring, on boards of up to eight pits.
//!
//! A lap of any number of seeds costs two additions, and a table tells the cell that decides how the
//! move goes on. Where pits are taken in passing, rounds are made one by one, and all pits of a row are
//! looked at together.
//!
//! Where the own store is sown no move is endless: a lap that does not feed it moves the seeds of one
//! row forward, and there is only so far to go. Elsewhere endless moves are found exactly by one state to
//! compare with. A lap that takes no seed from the board can be undone: from its last pit back, a seed is
//! lifted from each, up to the first empty pit, where the lap began. (For this the pit lifted from must be
//! sown like any other.) So no two states are followed by the same one, and a move without end comes
//! back to its first state or, if seeds were taken on the way, to the first one after the last time.

use super::effects::{self, CELLS, Effect, Effects, MAX_ROW, OPPONENT, OPPONENT_STORE, PasuEffects, STORE};
use super::word::{self, MAX_SEEDS, row_seeds};
use crate::board::engines::{Guard, Overlong};
use crate::board::engines::{final_share, two_rows};
use crate::board::{Game, Move, NoEngine, Played, Position, Word};
use crate::rules::*;

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
    "chain",
    "after-capture",
    "pasu",
    "pasu-owner",
    "pasu-last",
    "extra-move",
    "no-move",
    "end",
    "rest",
    "quan-value",
    "quan-safe",
    "empty-quan",
    "endless",
    "cycle",
];

/// The kernel with its table of laps.
#[derive(Clone)]
pub struct RelayLap {
    rules: Rules,
    switches: Switches,
    pits: usize,
    effects: Effects,
    pasu: Option<PasuEffects>,
    /// By cell, the next pit of the ring.
    after: [u8; CELLS],
    /// By pit of the opponent: the bytes of the pits beside it.
    beside: [u64; MAX_ROW],
    /// The most seeds with which the cell that decides ends the relay.
    idle: usize,
    through_store: bool,
    takes_last: bool,
    empty_capture: bool,
    store_again: bool,
    capture_again: bool,
    passes: bool,
    guard: Guard,
}

/// A move under way.
struct RelayMove {
    word: Word,
    gain: u32,
    opponent_gain: u32,
}

/// A relay that has no end.
enum Unending {
    /// The board of the first state that comes again.
    Endless(Word),
    Overlong,
}

impl RelayMove {
    /// Seeds in a pit.
    #[inline(always)]
    fn seeds(&self, cell: usize) -> usize {
        let row = if cell < OPPONENT { self.word.own } else { self.word.opponent };
        (row >> (8 * (cell % MAX_ROW))) as usize & 0xff
    }

    /// Adds to a pit, or takes from it if `seeds` is a negative number.
    #[inline(always)]
    fn add(&mut self, cell: usize, seeds: u64) {
        let row = if cell < OPPONENT { &mut self.word.own } else { &mut self.word.opponent };
        *row = row.wrapping_add(seeds << (8 * (cell % MAX_ROW)));
    }

    /// Captures what a pit holds; returns how many seeds that are.
    #[inline(always)]
    fn capture(&mut self, cell: usize) -> usize {
        let captured = self.seeds(cell);
        self.add(cell, (captured as u64).wrapping_neg());
        self.gain += captured as u32;
        captured
    }

    /// Adds an effect.
    #[inline(always)]
    fn sow(&mut self, effect: &Effect) {
        self.word = self.word.plus(effect.sown);
        self.gain += u32::from(effect.gain);
        self.opponent_gain += u32::from(effect.opponent_gain);
    }
}

impl RelayLap {
    /// A kernel for a rule set, if it is of this kind.
    ///
    /// # Errors
    /// [`NoEngine`] naming a switch that the kernel does not do; [`Ring`](crate::board::Ring) may do it.
    pub fn new(rules: &Rules) -> Result<RelayLap, NoEngine> {
        let s = two_rows(rules)?;
        let refused = |key| s.get(key).map(|value| format!("{key}={value}"));
        let unlike = match s {
            Switches { lap: Lap::Single, .. } => refused("lap"),
            Switches { own_store: Store::Skip, opponent_store: Store::Sow, .. } => refused("opponent-store"),
            Switches { own_store: Store::Skip, origin: Origin::Skip, .. } => refused("origin"),
            Switches { own_store: Store::Sow, pasu: Pasu::Four | Pasu::Six, .. } => refused("pasu"),
            _ => word::first_beyond(RELAYS, s),
        };
        word::ring(rules, MAX_ROW, unlike)?;
        let pits = usize::from(rules.pits());
        let ring = effects::ring(pits, s);
        let mut after = [0; CELLS];
        let pits_of_ring = || ring.iter().copied().filter(|&cell| cell < CELLS);
        for (cell, next) in pits_of_ring().zip(pits_of_ring().cycle().skip(1)) {
            after[cell] = next as u8;
        }
        Ok(RelayLap {
            rules: rules.clone(),
            switches: s.clone(),
            pits,
            effects: effects::effects(&ring, s),
            pasu: PasuEffects::new(&ring, s),
            after,
            beside: std::array::from_fn(|pit| {
                (0..pits).filter(|other| other.abs_diff(pit) == 1).map(|other| 0xff << (8 * other)).sum()
            }),
            idle: if s.lap == Lap::NextHole { 0 } else { 1 },
            through_store: s.own_store == Store::Sow,
            takes_last: s.trigger == Trigger::Take,
            empty_capture: s.trigger == Trigger::Take && s.empty_capture.yes(),
            store_again: s.extra_move != ExtraMove::None,
            capture_again: s.extra_move == ExtraMove::StoreOrCapture,
            passes: s.no_move == NoMove::Pass,
            guard: Guard::default(),
        })
    }

    /// Plays an own pit, from 0, that holds seeds; `None` if that is illegal.
    #[inline(always)]
    fn play(&self, word: &Word, pit: usize) -> Option<Played<Word>> {
        let mut turn = RelayMove { word: *word, gain: 0, opponent_gain: 0 };
        let again = match self.relays(&mut turn, pit) {
            Ok(again) => again,
            Err(unending) => {
                self.never_ends(&mut turn, unending)?;
                false
            }
        };
        let next = if again { turn.word } else { turn.word.flipped() };
        let choice = Move::Pit(pit as u8 + 1);
        Some(Played { choice, gain: turn.gain as i32, opponent_gain: turn.opponent_gain as i32, again, next })
    }

    /// Ends a move that has no end, or as if it had none one that was given up; `None` if that is illegal.
    #[cold]
    fn never_ends(&self, turn: &mut RelayMove, unending: Unending) -> Option<()> {
        let first = match unending {
            Unending::Endless(first) => first,
            Unending::Overlong => {
                self.guard.trip();
                turn.word
            }
        };
        match self.switches.endless {
            Endless::Illegal => return None,
            Endless::Stop => turn.word = first,
            Endless::Draw => turn.word = Word::default(),
            Endless::Loss => {
                turn.opponent_gain += turn.word.seeds();
                turn.word = Word::default();
            }
        }
        Some(())
    }

    /// Makes the laps and captures of a move. Returns whether the turn goes on with an extra move.
    #[inline(always)]
    fn relays(&self, turn: &mut RelayMove, mut pit: usize) -> Result<bool, Unending> {
        let s = &self.switches;
        loop {
            let end = match &self.pasu {
                _ if self.through_store => self.relay_through_store(turn, pit),
                None => self.relay(turn, pit, |turn, cell| (self.lap(turn, cell), false))?,
                Some(pasu) => self.relay(turn, pit, |turn, cell| self.lap_with_pasu(turn, pasu, cell))?,
            };
            let beyond = match s.capture {
                Capture::Next | Capture::NextAndOpposite => self.capture_beyond(turn, end),
                _ => return Ok(self.finish(turn, end)),
            };
            match beyond {
                Some(next) => pit = next,
                None => return Ok(false),
            }
        }
    }

    /// Makes one lap without pasu. Returns the cell that decides.
    #[inline(always)]
    fn lap(&self, turn: &mut RelayMove, cell: usize) -> usize {
        let effect = &self.effects[turn.seeds(cell)][cell];
        turn.sow(effect);
        effect.next.into()
    }

    /// Makes laps through the own store. Returns the store or the empty pit that got the last seed.
    #[inline(always)]
    fn relay_through_store(&self, turn: &mut RelayMove, pit: usize) -> usize {
        let mut cell = pit;
        loop {
            cell = self.lap(turn, cell);
            if cell >= CELLS || turn.seeds(cell) == 1 {
                return cell;
            }
        }
    }

    /// Makes laps past the stores. `lap` returns the cell that decides, and whether seeds were taken.
    /// Returns the cell that decided at the end.
    #[inline(always)]
    fn relay(
        &self,
        turn: &mut RelayMove,
        pit: usize,
        lap: impl Fn(&mut RelayMove, usize) -> (usize, bool),
    ) -> Result<usize, Unending> {
        let (mut first, mut cell) = ((turn.word, pit), pit);
        for _ in 0..self.guard.most_laps() {
            let (next, taken) = lap(turn, cell);
            cell = next;
            if turn.seeds(cell) <= self.idle {
                return Ok(cell);
            }
            if taken {
                first = (turn.word, cell);
            } else if (turn.word, cell) == first {
                return Err(Unending::Endless(turn.word));
            }
        }
        Err(Unending::Overlong)
    }

    /// Makes one lap and takes the pits that are pasu. Returns the cell that decides, and whether there
    /// were any.
    #[inline(always)]
    fn lap_with_pasu(&self, turn: &mut RelayMove, pasu: &PasuEffects, cell: usize) -> (usize, bool) {
        let (mut seeds, round) = (turn.seeds(cell), 2 * self.pits);
        let mut taken = false;
        if seeds > round {
            turn.add(cell, (seeds as u64).wrapping_neg());
            while seeds > round {
                turn.word = turn.word.plus(pasu.round);
                taken |= pasu.take(turn, pasu.round);
                seeds -= round;
            }
            turn.add(cell, seeds as u64);
        }
        let effect = &self.effects[seeds][cell];
        turn.sow(effect);
        taken |= pasu.take(turn, pasu.sown[seeds][cell]);
        (effect.next.into(), taken)
    }

    /// A move of games that do not capture beyond gaps is over in this cell. Returns whether that earned
    /// an extra move.
    #[inline(always)]
    fn finish(&self, turn: &mut RelayMove, last: usize) -> bool {
        match last {
            STORE => self.store_again,
            OPPONENT_STORE => false,
            // Empty after a pasu, or not the cell of the last seed.
            _ if turn.seeds(last) != 1 => false,
            OPPONENT.. => {
                self.capture_beside(turn, last - OPPONENT);
                false
            }
            _ => self.capture_across(turn, last),
        }
    }

    /// The last seed fell into an own empty pit. Returns whether that earned an extra move.
    #[inline(always)]
    fn capture_across(&self, turn: &mut RelayMove, pit: usize) -> bool {
        let s = &self.switches;
        let opposite = self.opposite(pit);
        if s.capture != Capture::Cross || (turn.seeds(opposite) == 0 && !self.empty_capture) {
            return false;
        }
        let captured = turn.capture(opposite);
        if self.takes_last {
            turn.capture(pit);
        }
        captured > 0 && self.capture_again
    }

    /// The last seed fell into an empty pit of the opponent, which may capture the pits beside it.
    #[inline(always)]
    fn capture_beside(&self, turn: &mut RelayMove, pit: usize) {
        let both = turn.word.opponent & self.beside[pit];
        let captures = match self.switches.mikul {
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

    /// Captures the pit beyond a gap, and perhaps more. Returns the pit from which the move goes on.
    #[inline(always)]
    fn capture_beyond(&self, turn: &mut RelayMove, mut gap: usize) -> Option<usize> {
        let s = &self.switches;
        if turn.seeds(gap) != self.idle {
            return None;
        }
        loop {
            let beyond = self.after(gap);
            if turn.capture(beyond) == 0 {
                return None;
            }
            if s.capture == Capture::NextAndOpposite {
                turn.capture(self.opposite(beyond));
            }
            if s.after_capture == AfterCapture::Continue {
                return self.first_with_seeds(turn, beyond);
            }
            gap = self.after(beyond);
            if !s.chain.yes() || turn.seeds(gap) > 0 {
                return None;
            }
        }
    }

    /// The first pit after one that holds seeds.
    fn first_with_seeds(&self, turn: &RelayMove, captured: usize) -> Option<usize> {
        let mut cell = self.after(captured);
        while turn.seeds(cell) == 0 {
            if cell == captured {
                return None;
            }
            cell = self.after(cell);
        }
        Some(cell)
    }

    /// The next pit of the ring.
    #[inline(always)]
    fn after(&self, cell: usize) -> usize {
        self.after[cell].into()
    }

    /// The pit opposite to one.
    #[inline(always)]
    fn opposite(&self, cell: usize) -> usize {
        OPPONENT + self.pits - 1 - cell
    }

    /// Whether the game is over by the seeds in the rows.
    #[inline(always)]
    fn is_over(&self, word: &Word) -> bool {
        match self.switches.end {
            End::RowEmpty => word.own == 0 || word.opponent == 0,
            End::Stuck => word.own == 0,
            _ => word.own == 0 && (word.opponent == 0 || !self.passes),
        }
    }

    /// Whether a player who has seeds is without a legal move.
    #[inline(always)]
    fn is_stuck(&self, word: &Word) -> bool {
        let forbids = !self.through_store && !self.passes && self.switches.endless == Endless::Illegal;
        forbids && self.moves(word).next().is_none()
    }

    /// The legal moves of a player's pits.
    #[inline(always)]
    fn moves(&self, word: &Word) -> impl Iterator<Item = Played<Word>> {
        // The pits not yet played; the lowest byte that is not 0 comes next.
        let (word, mut rest) = (*word, word.own);
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let pit = rest.trailing_zeros() as usize / 8;
                rest &= !(0xff << (8 * pit));
                pit
            })
        })
        .filter_map(move |pit| self.play(&word, pit))
    }
}

impl PasuEffects {
    /// Takes the pits, of those with a one in `sown`, that hold the number that is pasu. Returns whether
    /// there are any.
    #[inline(always)]
    fn take(&self, turn: &mut RelayMove, sown: Word) -> bool {
        let own = turn.word.own & self.bytes(turn.word.own, sown.own);
        let opponent = turn.word.opponent & self.bytes(turn.word.opponent, sown.opponent);
        if own | opponent == 0 {
            return false;
        }
        turn.word.own -= own;
        turn.word.opponent -= opponent;
        turn.gain += row_seeds(own);
        let gain = if self.is_sowers { &mut turn.gain } else { &mut turn.opponent_gain };
        *gain += row_seeds(opponent);
        true
    }

    /// The bytes of a row that hold the number and have a one in `sown`.
    #[inline(always)]
    fn bytes(&self, row: u64, sown: u64) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let others = row ^ self.number;
        // The top bit of each byte that is 0 in `others`; no sum carries into the next byte.
        let equal = !(((others & LOW) + LOW) | others) & sown << 7;
        (equal << 1).wrapping_sub(equal >> 7)
    }
}

engine!(RelayLap);

impl Game for RelayLap {
    type Position = Word;
    const MOST_SEEDS: u32 = MAX_SEEDS as u32;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn holds(&self, position: &Position) -> bool {
        Word::holds(position, self.pits)
    }

    fn pack(&self, position: &Position) -> Word {
        Word::pack(position, self.pits)
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
        let share = || final_share(self.switches.rest, row_seeds(word.own), row_seeds(word.opponent));
        (self.is_over(word) || self.is_stuck(word)).then(share)
    }

    #[inline(always)]
    fn for_each_move(&self, word: &Word, mut visit: impl FnMut(Played<Word>)) {
        if self.is_over(word) {
            return;
        }
        let mut passes = self.passes;
        for played in self.moves(word) {
            passes = false;
            visit(played);
        }
        if passes {
            let next = word.flipped();
            visit(Played { choice: Move::Pass, gain: 0, opponent_gain: 0, again: false, next });
        }
    }

    fn check_laps(&self) -> Result<(), Overlong> {
        self.guard.take()
    }

    fn giving_up_after(&self, most_laps: u64) -> RelayLap {
        RelayLap { guard: self.guard.sooner(most_laps), ..self.clone() }
    }
}
