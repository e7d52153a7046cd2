//! The laps of a move of bao, line by line as in the rules.

use std::collections::HashSet;

use super::{
    Bao, Game, HOUSE, Opening, Position, Ring, Sign, Start, TooLong, WORKING, facing, front_is_empty, step,
};

/// A move under way, seen by the mover.
pub struct Turn<'a> {
    bao: &'a Bao,
    longest: usize,
    pit: usize,
    opening: Opening,
    pub now: Position,
    pub gain: u16,
    sign: Sign,
    pub captures: bool,
    first_stage: bool,
    /// Whether the mover goes on where he may end the move in his house, and whether he came there.
    safari: bool,
    pub met_house: bool,
    /// Both rings, the pit to be lifted next and the direction.
    lap_states: HashSet<(Ring, Ring, usize, Sign)>,
}

/// Whether a move comes to an end or to a lap state for the second time.
#[derive(PartialEq)]
pub enum Ended {
    Over,
    Endless,
}

impl<'a> Turn<'a> {
    pub fn new(
        bao: &'a Bao,
        position: &Position,
        (pit, sign, opening): Start,
        safari: bool,
        longest: usize,
    ) -> Self {
        Turn {
            bao,
            longest,
            pit,
            opening,
            now: position.clone(),
            gain: 0,
            sign,
            captures: matches!(opening, Opening::Lift { captures: true } | Opening::Capture),
            first_stage: position.hand[0] > 0,
            safari,
            met_house: false,
            lap_states: HashSet::new(),
        }
    }

    pub fn play(&mut self) -> Result<Ended, TooLong> {
        let (pit, opening) = (self.pit, self.opening);
        if self.first_stage {
            self.now.hand[0] -= 1;
            self.now.own[pit - 1] += 1;
        }
        let front = self.now.own.len() / 2;
        let mut last_lap = false;
        // Seeds to be sown, and the pit that gets the first of them.
        let (mut seeds, mut first);
        match opening {
            Opening::Capture => {
                (seeds, first) = self.capture(pit);
                last_lap = front_is_empty(&self.now.opponent);
            }
            Opening::Tax => {
                self.now.own[pit - 1] -= 2;
                (seeds, first) = (2, self.after(pit));
            }
            Opening::Lift { .. } => {
                self.is_new(pit);
                (seeds, first) = self.lift(pit);
            }
        }
        loop {
            let q = self.sow(seeds, first);
            let holds = self.now.own[q - 1];
            let own_house = self.bao.game == Game::Kiswahili && q == HOUSE && self.now.house[0];
            if last_lap || (self.bao.game == Game::Hus && front_is_empty(&self.now.own)) {
                return Ok(Ended::Over);
            }
            // Line 1: the last seed fell into an empty pit.
            if holds == 1 {
                return Ok(Ended::Over);
            }
            // Line 2.
            if self.captures && q <= front && self.now.opponent[facing(q, &self.now.own) - 1] > 0 {
                (seeds, first) = self.capture(q);
                last_lap = front_is_empty(&self.now.opponent);
                continue;
            }
            // Line 3.
            if own_house && holds >= WORKING && (self.first_stage || self.bao.mtaji_house_choice) {
                if !self.captures {
                    return Ok(Ended::Over);
                }
                self.met_house = true;
                if !self.safari {
                    return Ok(Ended::Over);
                }
            }
            // Line 4.
            if !self.captures && self.now.blocked == Some(q) {
                return Ok(Ended::Over);
            }
            // Line 5.
            if !self.is_new(q) {
                return Ok(Ended::Endless);
            }
            if self.lap_states.len() > self.longest {
                return Err(TooLong);
            }
            (seeds, first) = self.lift(q);
        }
    }

    fn is_new(&mut self, pit: usize) -> bool {
        self.lap_states.insert((self.now.own.clone(), self.now.opponent.clone(), pit, self.sign))
    }

    fn after(&self, pit: usize) -> usize {
        step(pit, self.sign, 1, self.now.own.len())
    }

    /// Lifts an own pit; a house that is emptied is lost.
    fn lift(&mut self, pit: usize) -> (u16, usize) {
        if pit == HOUSE {
            self.now.house[0] = false;
        }
        (std::mem::take(&mut self.now.own[pit - 1]), self.after(pit))
    }

    /// Takes the seeds of the pit which the own pit `q` faces.
    fn capture(&mut self, q: usize) -> (u16, usize) {
        let taken = facing(q, &self.now.own);
        let seeds = std::mem::take(&mut self.now.opponent[taken - 1]);
        self.gain += seeds;
        if taken == HOUSE {
            self.now.house[1] = false;
        }
        if !self.first_stage && !self.bao.house_lost_emptied {
            self.now.house = [false, false];
        }
        if self.bao.game == Game::Hus {
            self.now.own[q - 1] += seeds;
            return self.lift(q);
        }
        let front = self.now.own.len() / 2;
        if q <= 2 {
            self.sign = Sign::Plus;
        } else if q >= front - 1 {
            self.sign = Sign::Minus;
        }
        (seeds, if self.sign == Sign::Plus { 1 } else { front })
    }

    /// Drops the seeds one by one; returns the pit of the last one.
    fn sow(&mut self, seeds: u16, first: usize) -> usize {
        let mut pit = first;
        for seed in 0..seeds {
            if seed > 0 {
                pit = self.after(pit);
            }
            self.now.own[pit - 1] += 1;
        }
        pit
    }
}
