//! The most seeds that one turn can bring, in games in which moves earn extra moves.
//!
//! # Two searches that meet
//!
//! A position within a turn is *open* by the seeds that its mover has not yet got: those in the pits
//! and in the opponent's store. Every move that earns another one brings a seed at least, so the
//! open seeds fall with every move, and with the pits they tell what the turn has brought so far.
//!
//! *Forward*, the positions that the turn can reach are listed by open seeds, most first, each once.
//! Where a list gets longer than the width of the search, only so many of it are followed: lines
//! found are lines, but nothing is excluded any more.
//!
//! *Backward*, for one number of seeds left open at the end, fewest first: the positions from which a
//! turn can end so are listed by open seeds, fewest first, by taking back moves. They are few where
//! hardly anything may be left. A turn that ends so passes from positions listed forward to
//! positions listed backward. So if all lists are whole, forward down to some number of open
//! seeds and backward up to there, and no position is in both, no turn ends so.
//!
//! The width grows until the best turn is proven, or time or memory is used up.

mod lists;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::board::{Move, Played, Position, Row, Unsow};
use crate::control::{Control, Stopped};
use crate::index::{DenseKeys, Keys, Numbered, TooLarge, WideKeys};
use crate::rules::Store;
use lists::{Lists, OpenPlace, TurnEnd, better, common};

/// Width of the first search, and how much wider each one is than the one before.
const FIRST_WIDTH: usize = 1 << 10;
const WIDER: usize = 4;

/// Positions between two looks at memory and requests to stop, and those that a task takes at once.
const BATCH: usize = 1 << 14;
const TASK: usize = 1 << 9;

/// What is known of the best turn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestTurn {
    /// Seeds that `moves` bring.
    pub captured: u32,
    /// Proven: no turn brings more.
    pub upper: u32,
    /// Seeds in the pits when the turn begins.
    pub of: u32,
    /// The moves of the turn, the last of which earns no extra move or leaves none.
    pub moves: Vec<Move>,
    /// Positions from which moves were made or taken back.
    pub states: u64,
}

impl BestTurn {
    /// Whether no turn brings more.
    pub fn is_proven(&self) -> bool {
        self.captured == self.upper
    }
}

/// Looks for the turn that brings the mover most, with about `bytes` of memory, until it is proven or
/// `control` stops the search. Nothing holds unless [`Game::check_laps`](crate::board::Game::check_laps)
/// agrees afterwards.
///
/// # Errors
/// [`TooLarge`] if half boards of so many seeds have no 64-bit number.
pub fn best_turn<G: Numbered>(
    game: &G,
    position: &Position,
    bytes: u64,
    control: &Control,
) -> Result<BestTurn, TooLarge> {
    let (pits, seeds) = (position.own.len(), position.seeds());
    match DenseKeys::new(pits, seeds) {
        Ok(keys) => Ok(TurnSearch::new(game, keys, position, bytes, control).run()),
        Err(_) => Ok(TurnSearch::new(game, WideKeys::new(pits, seeds)?, position, bytes, control).run()),
    }
}

/// Why a search ended before it was done.
enum Halt {
    /// It was asked to.
    Stopped,
    /// The memory is used up.
    Memory,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Stopped
    }
}

/// The positions that a turn can reach.
struct Forward<K> {
    lists: Lists<K>,
    /// With so many open seeds or more every position is there.
    whole_from: u32,
    /// The turn that leaves fewest seeds open.
    end: Option<TurnEnd<K>>,
}

/// What the backward search says about turns that leave some number of seeds open.
enum BackwardAnswer<K> {
    /// There is one through this position.
    Meets(OpenPlace<K>, Lists<K>),
    /// There is none.
    Excluded,
    /// The lists got too long.
    Unknown,
}

/// What a position leads to.
enum TurnStep<K> {
    /// An extra move, in this position.
    Again(OpenPlace<K>),
    /// The end of the turn, with so many seeds open.
    TurnEnd(u32),
}

struct TurnSearch<'a, G, N: Keys> {
    game: &'a G,
    keys: N,
    unsow: Option<Unsow>,
    start: OpenPlace<N::Key>,
    /// The rows at the start: closed pits stay closed.
    rows: [Row; 2],
    bytes: u64,
    control: &'a Control,
    states: AtomicU64,
    /// The best turn found, its open seeds, and the least number of them that is not excluded.
    moves: Vec<Move>,
    left: u32,
    least: u32,
}

impl<'a, G: Numbered, N: Keys> TurnSearch<'a, G, N> {
    fn new(game: &'a G, keys: N, position: &Position, bytes: u64, control: &'a Control) -> Self {
        let open = position.seeds();
        let key = keys.key(&game.halves(keys.half_boards(), &game.pack(position)));
        TurnSearch {
            game,
            unsow: Unsow::new(game.rules(), open).filter(|_| position.is_plain()),
            start: OpenPlace { open, key },
            rows: [position.own, position.opponent],
            keys,
            bytes,
            control,
            states: AtomicU64::new(0),
            moves: Vec::new(),
            left: open,
            least: 0,
        }
    }

    fn run(mut self) -> BestTurn {
        let mut width = FIRST_WIDTH;
        while self.left > self.least && self.widen(width).is_ok() {
            width = width.saturating_mul(WIDER);
        }
        let of = self.start.open;
        let (captured, upper) = (of - self.left, of - self.least);
        BestTurn { captured, upper, of, moves: self.moves, states: self.states.into_inner() }
    }

    /// Searches with lists of up to `width` positions.
    fn widen(&mut self, width: usize) -> Result<(), Halt> {
        self.report(&format!("turns through {width} positions with as many seeds left"));
        let forward = self.forward(width)?;
        if let Some(end) = forward.end.filter(|end| end.left < self.left || self.moves.is_empty()) {
            self.moves = self.way_to(&forward.lists, end.last);
            self.moves.extend(self.last_move(end));
            self.left = end.left;
        }
        if forward.whole_from == 0 {
            self.least = self.left;
        }
        for left in self.least..self.left {
            self.report(&format!("turns that leave {left}"));
            match self.backward(&forward, left, width)? {
                BackwardAnswer::Excluded if left == self.least => self.least += 1,
                BackwardAnswer::Excluded | BackwardAnswer::Unknown => (),
                BackwardAnswer::Meets(place, lists) => {
                    self.moves = self.way_to(&forward.lists, place);
                    self.moves.extend(self.way_home(&lists, place, left));
                    self.left = left;
                    break;
                }
            }
        }
        Ok(())
    }

    fn report(&self, stage: &str) {
        let of = self.start.open;
        let (lower, upper) = (of - self.left, of - self.least);
        self.control.begin(format!("{lower} to {upper} of {of}: {stage}"), 0);
    }

    /// The board of a key.
    fn position(&self, key: N::Key) -> Position {
        let (half_boards, halves) = (self.keys.half_boards(), self.keys.halves(key));
        let row = |mut row: Row, half| {
            half_boards.unrank(half, &mut row);
            row
        };
        let [own, opponent] = self.rows;
        Position::of_rows(row(own, halves.own), row(opponent, halves.opponent))
    }

    fn key(&self, position: &G::Position) -> N::Key {
        self.keys.key(&self.game.halves(self.keys.half_boards(), position))
    }

    /// Visits the moves of a position. A pass is none: the turn has ended before it.
    fn for_each_step(&self, place: OpenPlace<N::Key>, mut visit: impl FnMut(Option<Move>, TurnStep<N::Key>)) {
        let mut is_over = true;
        self.game.for_each_move(&self.game.pack(&self.position(place.key)), |played: Played<_>| {
            if played.choice == Move::Pass {
                return;
            }
            is_over = false;
            let open = place.open - played.gain as u32;
            debug_assert!(!played.again || open < place.open, "an extra move costs a seed");
            let step = match played.again {
                true => TurnStep::Again(OpenPlace { open, key: self.key(&played.next) }),
                false => TurnStep::TurnEnd(open),
            };
            visit(Some(played.choice), step);
        });
        if is_over {
            visit(None, TurnStep::TurnEnd(place.open));
        }
    }

    /// Takes each position of a list, with all threads, and enters those that come of it. Returns the
    /// turn that leaves fewest seeds open among those that `work` finds.
    fn expand(
        &self,
        lists: &mut Lists<N::Key>,
        open: u32,
        room: u64,
        work: impl Fn(OpenPlace<N::Key>, &mut Vec<OpenPlace<N::Key>>) -> Option<u32> + Sync,
    ) -> Result<Option<TurnEnd<N::Key>>, Halt> {
        let list = std::mem::take(&mut lists.lists[open as usize]);
        let mut best: Option<TurnEnd<N::Key>> = None;
        for batch in list.chunks(BATCH) {
            self.control.check()?;
            let tasks = batch.par_chunks(TASK).map(|task| {
                let (mut next, mut best) = (Vec::new(), None);
                for &key in task {
                    let last = OpenPlace { open, key };
                    let end = work(last, &mut next).map(|left| TurnEnd { left, last });
                    best = better(best, end);
                }
                (next, best)
            });
            for (next, end) in tasks.collect::<Vec<_>>() {
                next.into_iter().for_each(|place| lists.push(place));
                best = better(best, end);
            }
            self.states.fetch_add(batch.len() as u64, Relaxed);
            self.control.advance(batch.len() as u64);
            if lists.bytes() + size_of_val(&list[..]) as u64 > room {
                return Err(Halt::Memory);
            }
        }
        lists.lists[open as usize] = list;
        Ok(best)
    }

    /// The positions that the turn can reach, in lists of up to `width`.
    fn forward(&self, width: usize) -> Result<Forward<N::Key>, Halt> {
        let mut forward = Forward { lists: Lists::new(self.start.open), whole_from: 0, end: None };
        forward.lists.push(self.start);
        for open in (0..=self.start.open).rev() {
            let found = forward.lists.finish(open);
            if found > width {
                forward.whole_from = forward.whole_from.max(open + 1);
                // Those kept lie evenly among all.
                let list = &mut forward.lists.lists[open as usize];
                *list = (0..width)
                    .map(|kept| list[(kept as u128 * found as u128 / width as u128) as usize])
                    .collect();
            }
            let end = self.expand(&mut forward.lists, open, self.bytes, |place, next| {
                let mut left: Option<u32> = None;
                self.for_each_step(place, |_, step| match step {
                    TurnStep::Again(place) => next.push(place),
                    TurnStep::TurnEnd(open) => left = Some(left.map_or(open, |left| left.min(open))),
                });
                left
            })?;
            forward.end = better(forward.end, end);
        }
        Ok(forward)
    }

    /// Whether a turn can leave just `left` seeds open, asked with lists of up to `width`.
    fn backward(
        &self,
        forward: &Forward<N::Key>,
        left: u32,
        width: usize,
    ) -> Result<BackwardAnswer<N::Key>, Halt> {
        let Some(unsow) = &self.unsow else { return Ok(BackwardAnswer::Unknown) };
        let Some(mut lists) = self.ends(unsow, left, width) else { return Ok(BackwardAnswer::Unknown) };
        let room = self.bytes.saturating_sub(forward.lists.bytes());
        let mut open = left;
        // All positions with fewer open seeds than `open` are listed, and so are those one move before.
        while open < forward.whole_from.min(self.start.open + 1) {
            let found = lists.finish(open);
            if let Some(place) = common(&lists, &forward.lists, open) {
                return Ok(BackwardAnswer::Meets(place, lists));
            }
            if found > width {
                break;
            }
            self.expand(&mut lists, open, room, |place, next| {
                self.before(unsow, self.lying(place), true, |place| next.push(place));
                None
            })?;
            open += 1;
        }
        let is_whole = open >= forward.whole_from;
        for open in open..=self.start.open {
            lists.finish(open);
            if let Some(place) = common(&lists, &forward.lists, open) {
                return Ok(BackwardAnswer::Meets(place, lists));
            }
        }
        Ok(if is_whole { BackwardAnswer::Excluded } else { BackwardAnswer::Unknown })
    }

    /// The positions in which a turn that leaves `left` seeds open ends, or has one move left;
    /// `None` if the ends are more than `width`.
    fn ends(&self, unsow: &Unsow, left: u32, width: usize) -> Option<Lists<N::Key>> {
        let half_boards = self.keys.half_boards();
        let switches = self.game.rules().switches();
        let pits =
            if switches.is_some_and(|s| s.opponent_store == Store::Sow) { 0..=left } else { left..=left };
        let parts = || pits.clone().flat_map(|pits| (0..=pits).map(move |own| (own, pits - own)));
        let sizes = parts().map(|(own, opponent)| {
            u128::from(half_boards.count(own)) * u128::from(half_boards.count(opponent))
        });
        if sizes.sum::<u128>() > width as u128 {
            return None;
        }
        let mut lists = Lists::new(self.start.open);
        for (own, opponent) in parts() {
            for own in half_boards.rows(own) {
                for opponent in half_boards.rows(opponent) {
                    let pits = Position::of_rows(own, opponent);
                    let place = OpenPlace { open: left, key: self.key(&self.game.pack(&pits)) };
                    let mut is_end = true;
                    self.for_each_step(place, |choice, _| is_end = choice.is_none());
                    if is_end {
                        lists.push(place);
                    }
                    self.before(unsow, self.lying(place), false, |place| lists.push(place));
                }
            }
        }
        Some(lists)
    }

    /// The position of a place, with what the turn has brought in the stores.
    fn lying(&self, place: OpenPlace<N::Key>) -> Position {
        let mut position = self.position(place.key);
        let stores = [self.start.open - place.open, place.open - position.seeds()];
        position.stores = stores.map(|seeds| seeds as i32);
        position
    }

    /// Visits the places from which a move leads to a position, seen from the mover's side.
    fn before(&self, unsow: &Unsow, after: Position, again: bool, mut visit: impl FnMut(OpenPlace<N::Key>)) {
        unsow.for_each(&after, again, |before| {
            let open = self.start.open - before.stores[0] as u32;
            visit(OpenPlace { open, key: self.key(&self.game.pack(before)) });
        });
    }

    /// The moves from the start to a position listed forward.
    fn way_to(&self, lists: &Lists<N::Key>, place: OpenPlace<N::Key>) -> Vec<Move> {
        let (mut moves, mut target) = (Vec::new(), place);
        while target.open < self.start.open {
            let above = (target.open + 1..=self.start.open).find_map(|open| {
                lists.at(open).par_iter().find_map_first(|&key| {
                    let (place, mut way) = (OpenPlace { open, key }, None);
                    self.for_each_step(place, |choice, step| match step {
                        TurnStep::Again(next) if next == target => way = choice,
                        _ => (),
                    });
                    way.map(|choice| (place, choice))
                })
            });
            let (place, choice) = above.expect("each position listed was reached from another one");
            moves.push(choice);
            target = place;
        }
        moves.reverse();
        moves
    }

    /// The moves from a position listed backward to the end of a turn that leaves `left` seeds open.
    fn way_home(&self, lists: &Lists<N::Key>, mut place: OpenPlace<N::Key>, left: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        loop {
            let (mut last, mut way) = (None, None);
            self.for_each_step(place, |choice, step| match step {
                TurnStep::TurnEnd(open) if open == left => last = Some(choice),
                TurnStep::Again(next) if lists.holds(next) => way = choice.map(|choice| (choice, next)),
                _ => (),
            });
            if let Some(last) = last {
                moves.extend(last);
                return moves;
            }
            let (choice, next) = way.expect("each position listed leads to another one or ends the turn");
            moves.push(choice);
            place = next;
        }
    }

    /// The move that ends a turn in a position and leaves `left` seeds open, if it takes one.
    fn last_move(&self, end: TurnEnd<N::Key>) -> Option<Move> {
        let mut last = None;
        self.for_each_step(end.last, |choice, step| match step {
            TurnStep::TurnEnd(open) if open == end.left => last = last.or(choice),
            _ => (),
        });
        last
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::{Game, Ring};
    use crate::index::Numbering;
    use crate::rules::{Rules, game};

    /// Adds the numbers of open seeds with which a turn can end.
    fn enter_ends(ring: &Ring, position: &Position, open: u32, ends: &mut BTreeSet<u32>) {
        let mut is_over = true;
        ring.for_each_move(position, |played| {
            let left = open - played.gain as u32;
            is_over &= played.choice == Move::Pass;
            match played.again {
                true => enter_ends(ring, &played.next, left, ends),
                false => _ = ends.insert(left),
            }
        });
        if is_over {
            ends.insert(open);
        }
    }

    /// Compares what narrow searches say with all turns of some positions. Returns how often they
    /// excluded something although they had not listed everything forward, and how often they found it.
    fn check(rules: &Rules, seeds: u32, width: usize) -> (u32, u32) {
        let ring = Ring::new(rules).unwrap();
        let numbering = Numbering::new(rules.pits().into(), seeds).unwrap();
        let (mut excluded, mut met) = (0, 0);
        for index in (0..numbering.layer(seeds).size()).step_by(401) {
            let position = numbering.position(seeds, index);
            let mut ends = BTreeSet::new();
            enter_ends(&ring, &position, seeds, &mut ends);
            let context = || format!("{position}, width {width}, under {}", rules.full_title());
            let keys = DenseKeys::new(rules.pits().into(), seeds).unwrap();
            let control = Control::default();
            let mut search = TurnSearch::new(&ring, keys, &position, u64::MAX, &control);
            let Ok(forward) = search.forward(width) else { panic!("{}", context()) };
            if forward.whole_from > 0 {
                for left in 0..4 {
                    match search.backward(&forward, left, 1 << 20) {
                        Ok(BackwardAnswer::Excluded) => {
                            assert!(!ends.contains(&left), "{left} of {}", context());
                            excluded += 1;
                        }
                        Ok(BackwardAnswer::Meets(..)) => {
                            assert!(ends.contains(&left), "{left} of {}", context());
                            met += 1;
                        }
                        Ok(BackwardAnswer::Unknown) | Err(_) => panic!("{}", context()),
                    }
                }
            }
            assert!(search.widen(width).is_ok());
            let fewest = *ends.first().unwrap();
            assert!(search.least <= fewest && fewest <= search.left, "{}", context());
        }
        (excluded, met)
    }

    #[test]
    fn narrow_searches_say_nothing_false() {
        let (mut excluded, mut met) = (0, 0);
        for (name, key, value) in [
            ("congklak:3x3", "trigger", "take"),
            ("congklak:3x3", "trigger", "leave"),
            ("congklak:3x3", "opponent-store", "sow"),
            ("congklak:3x3", "end", "row-empty"),
            ("kalah:3x3", "extra-move", "store-or-capture"),
            ("kalah:3x3", "empty-capture", "yes"),
        ] {
            let rules = game(name).unwrap().with(key, value).unwrap();
            for width in [1, 2] {
                let of_rules = check(&rules, 12, width);
                (excluded, met) = (excluded + of_rules.0, met + of_rules.1);
            }
        }
        assert!(excluded > 100 && met > 10, "{excluded} excluded, {met} met");
    }
}
