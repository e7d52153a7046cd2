//! The search for one value, in parts.

use super::{GUESS, Goal, Limit, Solver};
use crate::control::Control;
use crate::index::Numbered;
use crate::retrograde::Bounds;

/// Of all positions searched, so many go into the questions from each end: one of so many.
const END_PART: u64 = 16;
/// Positions for the questions from an end before all others.
const LEAST_END: u64 = 1 << 12;

/// What is proven of a position whose value is looked for part by part, and what to ask next.
///
/// The value lies between two ends that nobody doubts. Questions near them are cheap, and sometimes the value lies
/// there (a game that one player sweeps); so they are asked now and then for a small share of all positions, by steps
/// that double as long as they succeed. The rest goes on with MTD(f) from the first guess.
#[derive(Clone, Debug)]
pub struct Quest<P> {
    position: P,
    bounds: Bounds,
    /// How far from the upper and the lower end the next question from there lies.
    steps: [i32; 2],
    /// Positions searched.
    nodes: u64,
    /// Those of them that went into the questions from the upper and the lower end.
    end_nodes: [u64; 2],
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
        let bounds = Bounds { lower: -(seeds as i32), upper: seeds as i32 };
        Quest { position, bounds, steps: [0, 0], nodes: 0, end_nodes: [0, 0] }
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
            let spent = quest.end_nodes[which as usize];
            let budget = quest.nodes / END_PART + LEAST_END;
            // Each try is as long as all before together.
            if budget >= 2 * spent {
                let before = self.nodes();
                self.ask_from(which, quest, budget - spent, control);
                let nodes = self.nodes() - before;
                quest.end_nodes[which as usize] += nodes;
                quest.nodes += nodes;
            }
        }
        if quest.bounds.value().is_none() {
            let before = self.nodes();
            let limit = Limit::new(before, nodes, is_enough);
            let found = self.prove_within(&quest.position, GUESS, Goal::Value, &limit, control);
            quest.learn(found);
            quest.nodes += self.nodes() - before;
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
