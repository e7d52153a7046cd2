//! The search for one value, in parts.

use super::{GUESS, Goal, Limit, Solver};
use crate::control::Control;
use crate::index::Numbered;
use crate::retrograde::Bounds;

/// Of the positions of a part, so many go into the questions from each end: one of so many.
const END_PART: u64 = 32;
/// Fewest positions for the questions from an end.
const LEAST_END: u64 = 1 << 12;

/// What is proven of a position whose value is looked for part by part, and what to ask next.
///
/// The value lies between two ends that nobody doubts. Questions near them are cheap, and sometimes the value lies
/// there (a game that one player sweeps); so they are asked first, a little of each part, by steps that double as
/// long as they succeed. The rest of a part goes on with MTD(f) from the first guess.
#[derive(Clone, Debug)]
pub struct Quest<P> {
    position: P,
    bounds: Bounds,
    /// How far from the upper and the lower end the next question from there lies.
    steps: [i32; 2],
}

/// One of the two ends of what a value can be.
#[derive(Clone, Copy)]
enum End {
    Upper,
    Lower,
}

impl<P: Copy> Quest<P> {
    /// Of a position with `seeds` seeds in the pits.
    pub fn new(position: P, seeds: u32) -> Quest<P> {
        Quest { position, bounds: Bounds { lower: -(seeds as i32), upper: seeds as i32 }, steps: [0, 0] }
    }

    /// What is proven so far.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn learn(&mut self, found: Bounds) {
        self.bounds.lower = self.bounds.lower.max(found.lower);
        self.bounds.upper = self.bounds.upper.min(found.upper);
    }
}

impl<G: Numbered> Solver<'_, G> {
    /// Goes on with a quest for about so many positions, until something is enough, its value is proven or the
    /// control stops it. Whether it is enough is asked now and then.
    ///
    /// # Panics
    /// As [`Solver::solve`]. Where positions can repeat there are no quests.
    pub fn pursue(
        &self,
        quest: &mut Quest<G::Position>,
        nodes: u64,
        is_enough: &(dyn Fn() -> bool + Sync),
        control: &Control,
    ) {
        assert!(self.learnt.tried.is_none(), "positions that can repeat have bounds and no quests");
        for which in [End::Upper, End::Lower] {
            self.ask_from(which, quest, (nodes / END_PART).max(LEAST_END), control);
        }
        if quest.bounds.value().is_none() {
            let limit = Limit::new(self.nodes(), nodes, is_enough);
            let found = self.prove_within(&quest.position, GUESS, Goal::Value, &limit, control);
            quest.learn(found);
        }
    }

    /// Asks from one end as long as the answers come within so many positions.
    fn ask_from(&self, which: End, quest: &mut Quest<G::Position>, nodes: u64, control: &Control) {
        let end = self.nodes().saturating_add(nodes);
        let unit = self.step();
        while quest.bounds.value().is_none() && self.nodes() < end && !control.is_stopped() {
            let Bounds { lower, upper } = quest.bounds;
            let step = &mut quest.steps[which as usize];
            // The next value beyond the guess is left to MTD(f).
            let beta = match which {
                End::Upper => upper - *step,
                End::Lower => lower + unit + *step,
            };
            let is_outside = match which {
                End::Upper => beta > GUESS.max(lower) + unit,
                End::Lower => beta < GUESS.min(upper),
            };
            if !is_outside {
                if *step == 0 {
                    return;
                }
                *step = 0;
                continue;
            }
            let limit = Limit::new(self.nodes(), end - self.nodes(), &|| false).aside();
            let found = self.prove_within(&quest.position, beta, Goal::AtLeast(beta), &limit, control);
            let is_answered = found.lower >= beta || found.upper < beta;
            quest.learn(found);
            let step = &mut quest.steps[which as usize];
            if !is_answered {
                // Next time a question that is nearer to the end, and so cheaper.
                *step = *step / 2 / unit * unit;
                return;
            }
            *step = (2 * *step).max(unit);
        }
    }
}
