//! Moves of Omweso: relays that sow captured columns again, with choices of direction inside.

use std::ops::ControlFlow::{self, Continue};

use super::player_ring::PlayerRing;
use super::two_rings::{Budget, Circle, LapSeen, Rings, TwoRings};
use crate::board::{Move, Outcome, Signs, Stage, Way};
use crate::rules::{CaptureNeeds, Omweso, ReEntry, ReversePits};

/// A move in work: seeds in hand, to be sown after their origin.
#[derive(Clone, Copy)]
struct OmwesoMove<R> {
    own: R,
    opponent: R,
    origin: usize,
    hand: u32,
    signs: Signs,
    gain: u32,
    /// Whether it captured at the first and at the last front pit.
    ends: [bool; 2],
    circle: Circle<R>,
}

/// What stays the same during the moves of a pit.
struct PitMoves<'a, R: PlayerRing, V> {
    game: &'a TwoRings<R>,
    switches: &'a Omweso,
    before: &'a Rings<R>,
    pit: usize,
    budget: Budget,
    visit: &'a mut V,
}

impl<R: PlayerRing> TwoRings<R> {
    pub(super) fn omweso_moves(
        &self,
        switches: &Omweso,
        before: &Rings<R>,
        visit: &mut impl FnMut(Move, Rings<R>, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for pit in (0..self.ring).filter(|&pit| before.own.seeds_in(pit) >= 2) {
            let mut moves = PitMoves { game: self, switches, before, pit, budget: self.budget(), visit };
            let mut own = before.own;
            let hand = own.lift(pit);
            let turn = OmwesoMove {
                own,
                opponent: before.opponent,
                origin: pit,
                hand,
                signs: Signs::default(),
                gain: 0,
                ends: [false; 2],
                circle: Circle::new(),
            };
            moves.play(turn, false)?;
        }
        Continue(())
    }
}

impl<R: PlayerRing, V: FnMut(Move, Rings<R>, u32) -> ControlFlow<()>> PitMoves<'_, R, V> {
    /// Plays all moves that begin so; `forward` if the direction of the first lap is chosen.
    fn play(&mut self, mut turn: OmwesoMove<R>, mut forward: bool) -> ControlFlow<()> {
        loop {
            if !forward && self.is_reverse(turn.origin) {
                let mut back = turn;
                let last = self.game.sow_after(&mut back.own, turn.origin, turn.hand, Way::Against);
                if self.captures(&mut back, last) {
                    let signs = |way| {
                        let mut signs = turn.signs;
                        signs.push(way).map(|()| signs)
                    };
                    let (Some(with), Some(against)) = (signs(Way::With), signs(Way::Against)) else {
                        return self.give_up();
                    };
                    self.play(OmwesoMove { signs: with, ..turn }, true)?;
                    turn = OmwesoMove { signs: against, ..back };
                    continue;
                }
            }
            forward = false;
            match turn.circle.begins(turn.origin, &turn.own, &mut self.budget) {
                LapSeen::New => (),
                LapSeen::Again => return self.end_endless(turn),
                LapSeen::GivenUp => return self.give_up(),
            }
            let last = self.game.sow_after(&mut turn.own, turn.origin, turn.hand, Way::With);
            if turn.own.seeds_in(last) == 1 {
                return self.end(&turn);
            }
            if !self.captures(&mut turn, last) {
                turn.hand = turn.own.lift(last);
                turn.origin = last;
            }
        }
    }

    /// Whether laps from a pit may be sown backwards.
    #[inline(always)]
    fn is_reverse(&self, pit: usize) -> bool {
        let front = self.game.front;
        self.switches.reverse.on()
            && match self.switches.reverse_pits {
                ReversePits::Four => pit + 2 >= front && pit < front + 2,
                ReversePits::Two => pit + 2 == front || pit == front,
            }
    }

    /// Takes the column facing the pit that got the last seed, if it can be captured; then those seeds are
    /// in hand.
    #[inline(always)]
    fn captures(&mut self, turn: &mut OmwesoMove<R>, last: usize) -> bool {
        let game = self.game;
        if last >= game.front || self.before.stage.opening > 0 || turn.own.seeds_in(last) == 1 {
            return false;
        }
        let front = game.facing(last);
        let back = game.ring - 1 - front;
        let holds = |pit| turn.opponent.seeds_in(pit) > 0;
        if !holds(front) || (self.switches.capture_needs == CaptureNeeds::Both && !holds(back)) {
            return false;
        }
        turn.hand = turn.opponent.lift(front) + turn.opponent.lift(back);
        turn.gain += turn.hand;
        if self.switches.re_entry == ReEntry::CapturingPit {
            turn.origin = last;
        }
        turn.ends[0] |= last == 0;
        turn.ends[1] |= last == game.front - 1;
        turn.circle = Circle::new();
        true
    }

    /// Goes on without a move.
    fn give_up(&self) -> ControlFlow<()> {
        self.game.give_up();
        Continue(())
    }

    /// Ends a move whose lap was played before.
    fn end_endless(&mut self, mut turn: OmwesoMove<R>) -> ControlFlow<()> {
        turn.own.put(turn.origin, turn.hand);
        let stopped = self.next(&turn);
        let endless = self.game.endless(self.before, stopped, turn.gain, self.switches.endless);
        endless.map_or(Continue(()), |(next, gain)| self.tell(turn.signs, next, gain))
    }

    /// The position after the move, as it stands.
    fn next(&self, turn: &OmwesoMove<R>) -> Rings<R> {
        let opening = self.before.stage.opening.saturating_sub(1);
        let has_won = self.switches.emitwe.on() && turn.ends == [true, true];
        let result = has_won.then_some(Outcome::Loss);
        Rings { own: turn.opponent, opponent: turn.own, stage: Stage { opening, result, ..Stage::default() } }
    }

    fn end(&mut self, turn: &OmwesoMove<R>) -> ControlFlow<()> {
        let next = self.next(turn);
        self.tell(turn.signs, next, turn.gain)
    }

    fn tell(&mut self, signs: Signs, next: Rings<R>, gain: u32) -> ControlFlow<()> {
        (self.visit)(Move::with_signs(self.pit as u8 + 1, signs), next, gain)
    }
}
