//! The engine for games of four rows: one ring of pits a player, who sows in it alone.
//!
//! It is generic over how a ring is kept, so that the rules stand once: the plain ring is the measure for
//! the packed one. `omweso`, `bao` and `kiswahili` play a move out.

use std::fmt;
use std::ops::ControlFlow;

use super::endless::Guard;
use super::player_ring::{PlayerRing, beside};
use crate::board::check::fits;
use crate::board::sealed::Sealed;
use crate::board::{
    Game, Move, NoEngine, Outcome, Overlong, PackedRing, PlainRing, Played, Position, ShortRing, Stage, Way,
};
use crate::rules::{Endless, FourRows, Rules};

/// The front pit, from 0, that can be a house (Bao la kiswahili).
pub const HOUSE: usize = 4;

/// A position with a ring for each player, from the side of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rings<R> {
    /// The mover's pits.
    pub own: R,
    /// The opponent's pits in his own order.
    pub opponent: R,
    /// What the game has beside the seeds on the board.
    pub stage: Stage,
}

/// The engine.
#[derive(Clone)]
pub struct TwoRings<R: PlayerRing> {
    rules: Rules,
    pub(super) four_rows: FourRows,
    /// Pits in a row.
    pub(super) front: usize,
    /// Pits in a ring.
    pub(super) ring: usize,
    pub(super) sowings: R::Sowings,
    guard: Guard,
}

/// The plain engine, for any number of seeds.
pub type PlainRings = TwoRings<PlainRing>;
/// The fast engine, for up to 255 seeds.
pub type PackedRings = TwoRings<PackedRing>;
/// A still faster one, for up to 255 seeds and four pits in a row.
pub type ShortRings = TwoRings<ShortRing>;

/// What a watcher says of a lap.
#[derive(PartialEq, Eq)]
pub(super) enum LapSeen {
    New,
    /// The same has been met before: the move is endless.
    Again,
    /// The move is given up for its length.
    GivenUp,
}

/// Watches the laps of a move since its last capture.
///
/// Between captures a lap can be undone: walking back from its last pit and taking a seed from each, the first
/// empty pit met is its origin. So laps that come back at all come back to the first of them whose origin was
/// empty.
#[derive(Clone, Copy)]
pub(super) struct Circle<R> {
    /// The origin and the board without the seeds in hand.
    first: Option<(usize, R)>,
}

impl<R: PlayerRing> Circle<R> {
    /// Nothing has been lifted yet, or there was a capture since.
    pub fn new() -> Circle<R> {
        Circle { first: None }
    }

    /// A lap begins; `own` is the board without the seeds in hand, whose number follows from it.
    #[inline(always)]
    pub fn begins(&mut self, origin: usize, own: &R, budget: &mut Budget) -> LapSeen {
        match &self.first {
            None if own.seeds_in(origin) == 0 => self.first = Some((origin, *own)),
            Some((first, board)) if *first == origin && board == own => return LapSeen::Again,
            _ => (),
        }
        if budget.laps == 0 {
            return LapSeen::GivenUp;
        }
        budget.laps -= 1;
        LapSeen::New
    }
}

/// The laps that may still be played for the moves of a pit.
pub(super) struct Budget {
    laps: u64,
}

impl<R: PlayerRing> TwoRings<R> {
    /// An engine for a rule set.
    ///
    /// # Errors
    /// [`NoEngine`] for a game of two rows, or more pits than such a ring has.
    pub fn new(rules: &Rules) -> Result<TwoRings<R>, NoEngine> {
        let game = || rules.title();
        let other_kind = || NoEngine::OtherKind { game: game(), four_rows: false };
        let four_rows = rules.four_rows().ok_or_else(other_kind)?;
        let ring = usize::from(rules.player_pits());
        if ring > R::MOST_PITS {
            let beyond = format!("boards of {ring} pits a player");
            return Err(NoEngine::OnlyPlain { game: game(), beyond });
        }
        Ok(TwoRings {
            rules: rules.clone(),
            four_rows: four_rows.clone(),
            front: rules.pits().into(),
            ring,
            sowings: R::sowings(ring),
            guard: Guard::default(),
        })
    }

    pub(super) fn budget(&self) -> Budget {
        Budget { laps: self.guard.most_laps() }
    }

    /// A move is given up.
    pub(super) fn give_up(&self) {
        self.guard.trip();
    }

    /// The opponent's front pit that faces a front pit of the mover, both from 0.
    #[inline(always)]
    pub(super) fn facing(&self, pit: usize) -> usize {
        self.front - 1 - pit
    }

    /// Drops seeds from the pit after this one on; returns the pit that got the last one.
    #[inline(always)]
    pub(super) fn sow_after(&self, own: &mut R, pit: usize, seeds: u32, way: Way) -> usize {
        own.sow(&self.sowings, beside(pit, way, self.ring), seeds, way)
    }

    /// What an endless move leads to: nothing where it is illegal. `stopped` is the position at the first
    /// repetition, for the opponent to move; what ends the game leaves the board as it was.
    pub(super) fn endless(
        &self,
        before: &Rings<R>,
        stopped: Rings<R>,
        gain: u32,
        endless: Endless,
    ) -> Option<(Rings<R>, u32)> {
        let over = |result| {
            let [own, opponent] = before.stage.hand;
            let [house, other_house] = before.stage.house;
            let stage = Stage {
                hand: [opponent, own],
                house: [other_house, house],
                opening: before.stage.opening.saturating_sub(1),
                result: Some(result),
                ..Stage::default()
            };
            (Rings { own: before.opponent, opponent: before.own, stage }, 0)
        };
        match endless {
            Endless::Illegal => None,
            Endless::Draw => Some(over(Outcome::Draw)),
            Endless::Loss => Some(over(Outcome::Win)),
            Endless::Stop => Some((stopped, gain)),
        }
    }

    /// All moves, by rising pit, of a position that is not over by its looks, until a visit breaks off.
    #[inline]
    fn moves(
        &self,
        position: &Rings<R>,
        visit: &mut impl FnMut(Move, Rings<R>, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &self.four_rows {
            FourRows::Omweso(switches) => self.omweso_moves(switches, position, visit),
            FourRows::Kujifunza(switches) => self.kujifunza_moves(switches, position, visit),
            FourRows::Kiswahili(switches) => self.kiswahili_moves(switches, position, visit),
        }
    }

    /// Looks at the positions that moves lead to, as [`Game::for_each_move`] gives them, until one is enough.
    /// Returns whether one was.
    #[inline(always)]
    pub(crate) fn any_next(&self, position: &Rings<R>, mut is_enough: impl FnMut(&Rings<R>) -> bool) -> bool {
        let mut visit = |_, next, _| match is_enough(&next) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        self.looks(position).is_none() && self.moves(position, &mut visit).is_break()
    }

    /// How the game has ended as far as the position alone tells, without regard to its moves. A player to move
    /// who has no move has lost too.
    #[inline]
    pub fn looks(&self, position: &Rings<R>) -> Option<Outcome> {
        if position.stage.result.is_some() {
            return position.stage.result;
        }
        match &self.four_rows {
            FourRows::Omweso(_) => (!position.own.has_pair(self.ring)).then_some(Outcome::Loss),
            FourRows::Kujifunza(switches) => self.over_by_front_rows(position, switches.hus.yes()),
            FourRows::Kiswahili(_) => self.over_by_front_rows(position, false),
        }
    }

    /// How many moves a position seems to have, without playing them.
    pub(crate) fn mobility(&self, position: &Rings<R>) -> u32 {
        match &self.four_rows {
            FourRows::Omweso(_) => {
                (0..self.ring).filter(|&pit| position.own.seeds_in(pit) >= 2).count() as u32
            }
            FourRows::Kujifunza(_) | FourRows::Kiswahili(_) => self.bao_mobility(position),
        }
    }
}

impl<R: PlayerRing> fmt::Debug for TwoRings<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TwoRings").field("rules", &self.rules.title()).finish_non_exhaustive()
    }
}

impl<R: PlayerRing> Sealed for TwoRings<R> {}

impl<R: PlayerRing> Game for TwoRings<R> {
    type Position = Rings<R>;
    const MOST_SEEDS: u32 = R::MOST_SEEDS;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn holds(&self, position: &Position) -> bool {
        let is_of_game = position.foreign_to_four_rows(&self.four_rows).is_none();
        is_of_game && !position.has_closed() && fits(position, self.ring, R::MOST_SEEDS)
    }

    fn pack(&self, position: &Position) -> Rings<R> {
        assert!(
            self.holds(position),
            "{position} is no position of {} with up to {} seeds",
            self.rules,
            R::MOST_SEEDS
        );
        Rings {
            own: R::of_row(&position.own),
            opponent: R::of_row(&position.opponent),
            stage: position.stage,
        }
    }

    fn unpack(&self, position: &Rings<R>) -> Position {
        let (own, opponent) = (position.own.to_row(self.ring), position.opponent.to_row(self.ring));
        Position { stage: position.stage, ..Position::of_rows(own, opponent) }
    }

    fn seeds(&self, position: &Rings<R>) -> u32 {
        (0..self.ring).map(|pit| position.own.seeds_in(pit) + position.opponent.seeds_in(pit)).sum()
    }

    fn end_value(&self, position: &Rings<R>) -> Option<i32> {
        if let Some(outcome) = self.looks(position) {
            return Some(outcome.sign());
        }
        let can_move = self.moves(position, &mut |_, _, _| ControlFlow::Break(())).is_break();
        (!can_move).then(|| Outcome::Loss.sign())
    }

    #[inline]
    fn for_each_move(&self, position: &Rings<R>, mut visit: impl FnMut(Played<Rings<R>>)) {
        if self.looks(position).is_some() {
            return;
        }
        // This visitor never breaks off.
        let _ = self.moves(position, &mut |choice, next, gain| {
            visit(Played { choice, gain: gain as i32, opponent_gain: 0, again: false, next });
            ControlFlow::Continue(())
        });
    }

    fn check_laps(&self) -> Result<(), Overlong> {
        self.guard.take()
    }

    fn giving_up_after(&self, most_laps: u64) -> TwoRings<R> {
        TwoRings { guard: self.guard.sooner(most_laps), ..self.clone() }
    }
}
