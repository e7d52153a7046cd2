//! Laps of Bao, and the moves of its second stage, which is all of Bao la kujifunza.

use std::ops::ControlFlow::{self, Continue};

use super::player_ring::PlayerRing;
use super::two_rings::{Budget, Circle, HOUSE, LapSeen, Rings, TwoRings};
use crate::board::{Move, Outcome, Stage, Way};
use crate::rules::{Endless, Kujifunza};

/// A house works from so many seeds on.
pub(super) const WORKING: u32 = 6;

/// The directions in the order in which moves are listed.
pub(super) const WAYS: [Way; 2] = [Way::With, Way::Against];

/// A move in work.
#[derive(Clone, Copy)]
pub(super) struct BaoMove<R> {
    pub own: R,
    pub opponent: R,
    /// The pit that began it, from 0, and its direction: what the move is called.
    pub pit: usize,
    pub sign: Way,
    /// The direction of the lap.
    pub way: Way,
    /// Whether it is a capture move; a takata never captures.
    pub captures: bool,
    /// Whether it went on from the house by choice.
    pub safari: bool,
    pub gain: u32,
    /// Whether the mover and the opponent own their houses.
    pub house: [bool; 2],
    circle: Circle<R>,
}

impl<R: PlayerRing> BaoMove<R> {
    pub fn new(before: &Rings<R>, pit: usize, sign: Way, captures: bool) -> BaoMove<R> {
        BaoMove {
            own: before.own,
            opponent: before.opponent,
            pit,
            sign,
            way: sign,
            captures,
            safari: false,
            gain: 0,
            house: before.stage.house,
            circle: Circle::new(),
        }
    }
}

/// What laps depend on beside the board.
#[derive(Clone, Copy)]
pub(super) struct LapRules {
    /// Captured seeds are lifted with the pit that captured them.
    pub hus: bool,
    /// A lap that ends in the own working house ends there or may.
    pub house_stops: bool,
    /// A capture costs both players their houses.
    pub capture_costs_houses: bool,
    /// The blocked pit, from 0.
    pub blocked: Option<usize>,
    pub endless: Endless,
}

/// The laps of one move.
pub(super) struct Laps<'a, R: PlayerRing, N, V> {
    pub game: &'a TwoRings<R>,
    pub lap_rules: &'a LapRules,
    pub before: &'a Rings<R>,
    /// The position after a move, for the opponent.
    pub next: &'a N,
    pub visit: &'a mut V,
    pub budget: Budget,
}

impl<R, N, V> Laps<'_, R, N, V>
where
    R: PlayerRing,
    N: Fn(&BaoMove<R>) -> Rings<R>,
    V: FnMut(Move, Rings<R>, u32) -> ControlFlow<()>,
{
    /// Plays on from the pit that got the last seed of a lap.
    pub fn go_on(&mut self, mut turn: BaoMove<R>, mut last: usize) -> ControlFlow<()> {
        let (game, lap_rules) = (self.game, self.lap_rules);
        loop {
            if turn.own.seeds_in(last) == 1 {
                return self.end(&turn);
            }
            if turn.captures && last < game.front && turn.opponent.seeds_in(game.facing(last)) > 0 {
                match self.captured(&mut turn, last, None) {
                    Some(pit) => last = pit,
                    None => return self.end(&turn),
                }
                continue;
            }
            if lap_rules.house_stops && last == HOUSE && turn.house[0] && turn.own.seeds_in(HOUSE) >= WORKING
            {
                self.end(&turn)?;
                if !turn.captures {
                    return Continue(());
                }
                turn.safari = true;
            }
            if !turn.captures && lap_rules.blocked == Some(last) {
                return self.end(&turn);
            }
            match self.lift(&mut turn, last)? {
                Some(seeds) => last = game.sow_after(&mut turn.own, last, seeds, turn.way),
                None => return Continue(()),
            }
            if lap_rules.hus && turn.own.is_empty_up_to(game.front) {
                return self.end(&turn);
            }
        }
    }

    /// Takes what faces a pit and sows it; returns the pit that got the last seed, or none if the move is over
    /// by that. The end of the front row that gets the first seed can be given by the direction from it.
    #[inline(always)]
    pub fn captured(&mut self, turn: &mut BaoMove<R>, pit: usize, from: Option<Way>) -> Option<usize> {
        let (game, last_front) = (self.game, self.game.front - 1);
        let facing = game.facing(pit);
        let seeds = turn.opponent.lift(facing);
        turn.gain += seeds;
        turn.circle = Circle::new();
        turn.house[1] &= facing != HOUSE;
        if self.lap_rules.capture_costs_houses {
            turn.house = [false; 2];
        }
        let last = if self.lap_rules.hus {
            let hand = seeds + turn.own.lift(pit);
            game.sow_after(&mut turn.own, pit, hand, turn.way)
        } else {
            turn.way = match from {
                Some(way) => way,
                None if pit < 2 => Way::With,
                None if pit + 2 >= game.front => Way::Against,
                None => turn.way,
            };
            let kichwa = if turn.way == Way::With { 0 } else { last_front };
            turn.own.sow(&game.sowings, kichwa, seeds, turn.way)
        };
        // The own front row holds a seed: where this sowing left it at once, the lap before had dropped one there.
        (!turn.opponent.is_empty_up_to(game.front)).then_some(last)
    }

    /// Lifts a pit and returns its seeds. If the move is over by that, it says so and returns none.
    #[inline(always)]
    pub fn lift(&mut self, turn: &mut BaoMove<R>, pit: usize) -> ControlFlow<(), Option<u32>> {
        let whole = *turn;
        let seeds = turn.own.lift(pit);
        match turn.circle.begins(pit, &turn.own, &mut self.budget) {
            LapSeen::New => (),
            LapSeen::Again => {
                let stopped = (self.next)(&whole);
                let endless = self.game.endless(self.before, stopped, turn.gain, self.lap_rules.endless);
                if let Some((next, gain)) = endless {
                    self.tell(turn, next, gain)?;
                }
                return Continue(None);
            }
            LapSeen::GivenUp => {
                self.game.give_up();
                return Continue(None);
            }
        }
        turn.house[0] &= pit != HOUSE;
        Continue(Some(seeds))
    }

    /// Lifts a pit and plays on.
    pub fn begin(&mut self, mut turn: BaoMove<R>) -> ControlFlow<()> {
        let pit = turn.pit;
        let Some(seeds) = self.lift(&mut turn, pit)? else { return Continue(()) };
        let last = self.game.sow_after(&mut turn.own, pit, seeds, turn.way);
        if self.lap_rules.hus && turn.own.is_empty_up_to(self.game.front) {
            return self.end(&turn);
        }
        self.go_on(turn, last)
    }

    pub fn end(&mut self, turn: &BaoMove<R>) -> ControlFlow<()> {
        let next = (self.next)(turn);
        self.tell(turn, next, turn.gain)
    }

    fn tell(&mut self, turn: &BaoMove<R>, next: Rings<R>, gain: u32) -> ControlFlow<()> {
        let pit = turn.pit as u8 + 1;
        let choice = if turn.safari { Move::Safari(pit, turn.sign) } else { Move::Directed(pit, turn.sign) };
        (self.visit)(choice, next, gain)
    }
}

impl<R: PlayerRing> TwoRings<R> {
    pub(super) fn kujifunza_moves(
        &self,
        switches: &Kujifunza,
        before: &Rings<R>,
        visit: &mut impl FnMut(Move, Rings<R>, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let lap_rules = LapRules {
            hus: switches.hus.yes(),
            house_stops: false,
            capture_costs_houses: false,
            blocked: None,
            endless: switches.endless,
        };
        let next =
            |turn: &BaoMove<R>| Rings { own: turn.opponent, opponent: turn.own, stage: Stage::default() };
        if lap_rules.hus {
            for pit in (0..self.ring).filter(|&pit| before.own.seeds_in(pit) >= 2) {
                for way in WAYS {
                    self.laps(&lap_rules, before, &next, visit)
                        .begin(BaoMove::new(before, pit, way, true))?;
                }
            }
            Continue(())
        } else {
            self.second_stage(&lap_rules, before, &next, visit)
        }
    }

    pub(super) fn laps<'a, N, V>(
        &'a self,
        lap_rules: &'a LapRules,
        before: &'a Rings<R>,
        next: &'a N,
        visit: &'a mut V,
    ) -> Laps<'a, R, N, V> {
        Laps { game: self, lap_rules, before, next, visit, budget: self.budget() }
    }

    /// The moves of the second stage.
    pub(super) fn second_stage<N, V>(
        &self,
        lap_rules: &LapRules,
        before: &Rings<R>,
        next: &N,
        visit: &mut V,
    ) -> ControlFlow<()>
    where
        N: Fn(&BaoMove<R>) -> Rings<R>,
        V: FnMut(Move, Rings<R>, u32) -> ControlFlow<()>,
    {
        // A blocked pit is no opening, so it obliges to no capture.
        let openings = self.openings(&before.own, &before.opponent);
        let mut openings = openings.filter(|(pit, ..)| lap_rules.blocked != Some(*pit)).peekable();
        if openings.peek().is_some() {
            for (pit, way, _) in openings {
                self.laps(lap_rules, before, next, visit).begin(BaoMove::new(before, pit, way, true))?;
            }
            return Continue(());
        }
        let sowable = |pit: &usize| before.own.seeds_in(*pit) >= 2 && lap_rules.blocked != Some(*pit);
        let has_front = (0..self.front).any(|pit| sowable(&pit));
        let pits = if has_front { 0..self.front } else { self.front..self.ring };
        let lone = self.lone_front_pit(&before.own);
        for pit in pits.filter(sowable) {
            for way in WAYS.into_iter().filter(|&way| !self.empties_front(lone, pit, way)) {
                self.laps(lap_rules, before, next, visit).begin(BaoMove::new(before, pit, way, false))?;
            }
        }
        Continue(())
    }

    /// The openings that capture, by pit and direction, each with the opponent's pit that is captured first.
    pub(super) fn openings(&self, own: &R, opponent: &R) -> impl Iterator<Item = (usize, Way, usize)> {
        let (own, opponent) = (*own, *opponent);
        let (front, ring) = (self.front, self.ring);
        (0..ring).flat_map(move |pit| {
            let seeds = own.seeds_in(pit) as usize;
            WAYS.into_iter().filter_map(move |way| {
                if !(2..ring).contains(&seeds) {
                    return None;
                }
                let last = match way {
                    Way::With => pit + seeds,
                    Way::Against => pit + ring - seeds,
                };
                let last = if last >= ring { last - ring } else { last };
                let captures = last < front && own.seeds_in(last) > 0;
                let facing = front.wrapping_sub(1 + last);
                (captures && opponent.seeds_in(facing) > 0).then_some((pit, way, facing))
            })
        })
    }

    /// The only pit of the front row that holds seeds, if there is just one.
    pub(super) fn lone_front_pit(&self, own: &R) -> Option<usize> {
        let mut occupied = (0..self.front).filter(|&pit| own.seeds_in(pit) > 0);
        let first = occupied.next();
        first.filter(|_| occupied.next().is_none())
    }

    /// Whether a sowing would leave the front row empty: from its only pit, at an end, to the back row.
    pub(super) fn empties_front(&self, lone: Option<usize>, pit: usize, way: Way) -> bool {
        let away = match way {
            Way::With => pit == self.front - 1,
            Way::Against => pit == 0,
        };
        away && lone == Some(pit)
    }

    /// How many openings capture, or how many takatas there seem to be.
    pub(super) fn bao_mobility(&self, position: &Rings<R>) -> u32 {
        let least = if position.stage.hand[0] > 0 { 1 } else { 2 };
        let openings = if least == 1 {
            let captures = |&pit: &usize| {
                position.own.seeds_in(pit) > 0 && position.opponent.seeds_in(self.facing(pit)) > 0
            };
            (0..self.front).filter(captures).count()
        } else {
            self.openings(&position.own, &position.opponent).count()
        };
        let sowable =
            |pits: std::ops::Range<usize>| pits.filter(|&pit| position.own.seeds_in(pit) >= least).count();
        match (openings, sowable(0..self.front)) {
            (0, 0) => 2 * sowable(self.front..self.ring) as u32,
            (0, pits) => 2 * pits as u32,
            (openings, _) => openings as u32,
        }
    }

    /// What empty front rows say. If both are empty, the player to move has lost, except in Hus, where the
    /// opponent has just emptied his own.
    pub(super) fn over_by_front_rows(&self, position: &Rings<R>, is_hus: bool) -> Option<Outcome> {
        let empty = [&position.own, &position.opponent].map(|ring| ring.is_empty_up_to(self.front));
        match empty {
            [false, false] => None,
            [true, false] => Some(Outcome::Loss),
            [false, true] => Some(Outcome::Win),
            [true, true] if is_hus => Some(Outcome::Win),
            [true, true] => Some(Outcome::Loss),
        }
    }
}
