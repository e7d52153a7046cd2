//! Search and building take turns.
//!
//! How long a search will be, and how far down layers will help it, nobody knows beforehand. So the search begins
//! at once, in parts, and each part counts its positions by their seeds in play. The positions of up to k seeds are
//! those that the search would have been spared if the layers up to k had been there: they are the rent paid for not
//! having them. When the rent comes to a share of what building these layers costs, at the rate measured on the layer
//! before, they are built, and become leaves at once. Bounds that are proven stay.
//!
//! The rent of a layer is counted once, so all that is built costs at most the search before it over the share,
//! whatever the game, the board and the position. A search that ends soon builds nothing worth speaking of; where
//! only tables help, what was searched before costs a share of what they cost.
//!
//! The table of positions grows in the same way, by what the search has met.

use std::sync::Arc;
use std::time::Duration;

use super::seeds::SeedGame;
use super::{SolveError, Work};
use crate::board::Played;
use crate::clock::Instant;
use crate::control::Control;
use crate::index::Numbered;
use crate::search::{Bounds, Learnt, Quest, Resources, Solver, Worths};

/// The share of its price at which a layer is built: where no position can repeat, each layer makes the search
/// shorter by about a constant factor, and what was searched without it is mostly lost.
const SHARE: f64 = 0.5;
/// The same where positions can repeat: there a search seldom proves a value, and tables always do.
const SHARE_REPEATING: f64 = 0.125;
/// Positions of the first part of a search, and how much longer or shorter than all before it each part is.
const FIRST_PART: u64 = 1 << 12;
const PART: u64 = 3;
/// Longest search of a position that can repeat without a word from the user, and longest building for it.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
const PATIENCE_FOR_LAYERS: f64 = 60.0;
/// Longest building for no more than the distance to the next capture, in seconds.
const PATIENCE_FOR_DISTANCES: f64 = 5.0;
/// Bytes of the first table of positions, how much larger each one is than the one before, and how often as many
/// positions as it holds are searched before the next one: touching fresh memory costs time too.
const FIRST_TABLE: u64 = 8 << 20;
const WIDER: u64 = 4;
const FULL: u64 = 2;
/// Layers that are expected to take less time than this say nothing about the rate, in seconds.
const MEASURABLE: f64 = 2e-3;

/// The work on one question.
pub(super) struct Turns<'t, 'w, G: Numbered> {
    seeds: &'t mut SeedGame,
    work: &'t Work<'w>,
    control: &'t Control,
    game: &'t G,
    /// `None` only while it changes.
    learnt: Option<Arc<Learnt>>,
    /// Whether tables are looked into.
    uses_tables: bool,
    /// The highest layer that may be built, if any.
    pub(super) most: Option<u32>,
    /// Seeds of the position asked for.
    top: u32,
    /// What was searched for this question.
    searched: Duration,
    nodes: u64,
    /// Positions that had been searched when the table of positions got its size.
    nodes_before_table: u64,
    /// Time spent on layers.
    built: Duration,
    /// Whether time that is spent on layers is not taken from the search.
    extends: bool,
}

impl<'t, 'w, G: Numbered> Turns<'t, 'w, G> {
    pub(super) fn new(
        seeds: &'t mut SeedGame,
        work: &'t Work<'w>,
        control: &'t Control,
        game: &'t G,
        learnt: Arc<Learnt>,
        uses_tables: bool,
    ) -> Self {
        let top = work.question.position.seeds();
        let nodes_before_table = learnt.nodes();
        Turns {
            seeds,
            work,
            control,
            game,
            learnt: Some(learnt),
            uses_tables,
            most: None,
            top,
            searched: Duration::ZERO,
            nodes: 0,
            nodes_before_table,
            built: Duration::ZERO,
            extends: false,
        }
    }

    /// Nothing yet, for positions of up to so many seeds.
    pub(super) fn nothing(game: &G, threads: usize, seeds: u32) -> Result<Arc<Learnt>, SolveError> {
        Ok(Arc::new(Learnt::new(game, seeds, &Resources::new(threads, FIRST_TABLE))?))
    }

    /// Lets the search end by itself after a while in which nothing is built.
    pub(super) fn be_patient(&mut self) {
        self.control.set_deadline(Instant::now().checked_add(PATIENCE));
        self.extends = true;
    }

    /// Positions searched for this question.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What was learnt.
    pub(super) fn into_learnt(self) -> Arc<Learnt> {
        self.learnt.expect("it is only away while it changes")
    }

    fn learnt(&self) -> &Arc<Learnt> {
        self.learnt.as_ref().expect("it is only away while it changes")
    }

    /// Runs a search over the layers that are there, and counts what it costs.
    pub(super) fn search<T>(&mut self, run: impl FnOnce(&Solver<G>) -> T) -> Result<T, SolveError> {
        let begun = Instant::now();
        let before = self.learnt().nodes();
        let leaves = if self.uses_tables { self.seeds.leaves() } else { Default::default() };
        let solver = Solver::resume(self.game.clone(), leaves, Arc::clone(self.learnt()))?;
        let found = run(&solver);
        drop(solver);
        self.searched += begun.elapsed();
        self.nodes += self.learnt().nodes() - before;
        Ok(found)
    }

    /// Positions of the next part. Where positions can repeat, little is lost when a part ends.
    fn part(&self) -> u64 {
        let part = if self.seeds.repeats { self.nodes / PART } else { self.nodes * PART };
        part.max(FIRST_PART)
    }

    fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// Says what is proven of the position asked for.
    fn tell(&self, bounds: Bounds) {
        let lead = self.work.question.position.lead();
        self.control.set_bounds([bounds.lower + lead, bounds.upper + lead]);
    }

    /// The value of a position in a game in which none can repeat, or what is proven of it by a stop.
    pub(super) fn value(&mut self, position: &G::Position, is_asked: bool) -> Result<Bounds, SolveError> {
        let mut quest = Quest::new(*position, self.game.seeds(position));
        loop {
            let (part, control, offers) = (self.part(), self.control, self.offers());
            let (learnt, begun) = (Arc::clone(self.learnt()), Instant::now());
            let is_enough = || offers.is_due(&learnt, begun.elapsed());
            self.search(|solver| solver.pursue(&mut quest, part, &is_enough, control))?;
            drop(learnt);
            if is_asked {
                self.tell(quest.bounds());
            }
            if quest.bounds().value().is_some() || self.is_stopped() {
                return Ok(quest.bounds());
            }
            self.invest()?;
        }
    }

    /// The worth of each move of such a position.
    pub(super) fn moves(&mut self, position: &G::Position) -> Result<Worths<G::Position>, SolveError> {
        let mut moves: Vec<Played<G::Position>> = Vec::new();
        self.game.for_each_move(position, |played| moves.push(played));
        let mut worths = Vec::with_capacity(moves.len());
        for played in moves {
            let next = self.value(&played.next, false)?;
            worths.push((played, crate::search::worth(&played, next)));
        }
        Ok(worths)
    }

    /// Bounds of a position that can repeat.
    pub(super) fn bounds(&mut self, position: &G::Position, with_moves: bool) -> Result<Bounds, SolveError> {
        let begun = self.searched;
        // Half of the time for the position, the rest for its moves.
        let left = self.control.deadline().map(|end| end.saturating_duration_since(Instant::now()));
        let most = left.filter(|_| with_moves).map(|left| left / 2);
        loop {
            let (part, control) = (self.part(), self.control);
            let (bounds, is_final) = self.search(|solver| solver.bound(position, part, control))?;
            self.tell(bounds);
            let is_late = most.is_some_and(|most| self.searched - begun >= most);
            // What a table tells of a position is all that can be told.
            if bounds.value().is_some() || self.is_stopped() || is_late || self.is_covered() {
                return Ok(bounds);
            }
            let is_whole = if is_final { self.complete(PATIENCE_FOR_LAYERS)? } else { self.invest()? };
            if is_final && !is_whole {
                return Ok(bounds);
            }
        }
    }

    /// Bounds of such a position and of its moves.
    pub(super) fn bounds_with_moves(
        &mut self,
        position: &G::Position,
        in_parts: bool,
    ) -> Result<(Bounds, Worths<G::Position>), SolveError> {
        // Only tables tell how far the next capture is away, so they come first where they are cheap.
        self.complete(PATIENCE_FOR_DISTANCES)?;
        if !self.is_covered() {
            self.bounds(position, true)?;
        }
        if !in_parts {
            self.complete(PATIENCE_FOR_LAYERS)?;
        }
        loop {
            if !in_parts || self.is_covered() {
                let control = self.control;
                return self.search(|solver| solver.solve_with_moves(position, control));
            }
            let (part, control) = (self.part(), self.control);
            let (found, is_final) = self.search(|solver| solver.bound_with_moves(position, part, control))?;
            let is_open = found.1.iter().any(|(_, bounds)| bounds.value().is_none());
            if !is_open || self.is_stopped() {
                return Ok(found);
            }
            let is_whole = if is_final { self.complete(PATIENCE_FOR_LAYERS)? } else { self.invest()? };
            if is_final && !is_whole {
                return Ok(found);
            }
        }
    }

    /// Builds the layers that have become worth their price, and widens the table of positions. Returns whether
    /// the layers reach the position now.
    fn invest(&mut self) -> Result<bool, SolveError> {
        self.widen();
        while let Some(most) = self.most.filter(|_| self.offers().is_worth_it(self.learnt(), Duration::ZERO))
        {
            if !self.build(most)? {
                break;
            }
        }
        Ok(self.reaches())
    }

    /// Builds all layers up to the position, if that takes no longer than so many seconds. Returns whether they are
    /// there.
    fn complete(&mut self, patience: f64) -> Result<bool, SolveError> {
        while let Some(most) = self.most.filter(|&most| most >= self.top && !self.reaches()) {
            let left = self.seconds_left().unwrap_or(f64::INFINITY).min(patience - self.built.as_secs_f64());
            if self.price(self.top) > left || !self.build(most)? {
                break;
            }
        }
        Ok(self.reaches())
    }

    /// Whether a table holds the position asked for.
    fn is_covered(&self) -> bool {
        self.uses_tables && self.seeds.covers(self.top, false)
    }

    fn reaches(&self) -> bool {
        self.uses_tables && self.seeds.complete_below() > self.top
    }

    /// Builds the next layer. Returns whether it is there.
    fn build(&mut self, most: u32) -> Result<bool, SolveError> {
        let begun = Instant::now();
        let seeds = self.seeds.complete_below();
        let filled = self.seeds.set.grow(self.control)?;
        // A hiccup during a layer of few positions would say something wrong.
        let expected = self.positions(seeds) / self.seeds.rate;
        if let Some(filling) = filled.filter(|_| expected >= MEASURABLE) {
            self.seeds.rate = self.positions(seeds) / filling.as_secs_f64();
        }
        let (time, is_built) = (begun.elapsed(), filled.is_some());
        if !is_built || seeds >= most {
            self.most = None;
        }
        self.built += time;
        if self.extends {
            let deadline = self.control.deadline();
            self.control.set_deadline(deadline.and_then(|deadline| deadline.checked_add(time)));
        }
        self.control.begin("searching", 0);
        Ok(is_built)
    }

    fn positions(&self, seeds: u32) -> f64 {
        positions(self.work.rules.pits(), seeds)
    }

    /// Seconds that building the missing layers up to one takes.
    fn price(&self, top: u32) -> f64 {
        let missing = self.seeds.complete_below()..=top;
        missing.map(|seeds| self.positions(seeds)).sum::<f64>() / self.seeds.rate
    }

    /// Seconds of the time given that are left.
    fn seconds_left(&self) -> Option<f64> {
        let deadline = self.control.deadline().filter(|_| !self.extends)?;
        Some(deadline.saturating_duration_since(Instant::now()).as_secs_f64())
    }

    /// What can be bought, and what was paid until now.
    fn offers(&self) -> Offers {
        let repeats = self.seeds.repeats;
        let longest = match self.seconds_left() {
            Some(left) => left / 2.0,
            None if repeats => PATIENCE_FOR_LAYERS - self.built.as_secs_f64(),
            None => f64::INFINITY,
        };
        let share = if repeats { SHARE_REPEATING } else { SHARE };
        let mut prices = Vec::new();
        let mut price = 0.0;
        let first = self.seeds.complete_below();
        for seeds in self.most.map_or(0..0, |most| first..most + 1) {
            price += self.positions(seeds) / self.seeds.rate;
            if price > longest || self.memory_for(seeds) > self.work.memory {
                break;
            }
            prices.push(share * price);
        }
        let (searched, nodes_before) = (self.searched, self.learnt().nodes() - self.nodes);
        let full =
            self.wider().map_or(u64::MAX, |_| self.nodes_before_table + FULL * self.learnt().capacity());
        Offers { first, prices, searched, nodes_before, full }
    }

    /// Bytes that the layers up to one and the table of positions take.
    fn memory_for(&self, top: u32) -> u64 {
        self.seeds.bytes[top as usize].saturating_add(self.learnt().bytes())
    }

    /// Bytes of the next table of positions, if memory allows a larger one.
    fn wider(&self) -> Option<u64> {
        let bytes = self.learnt().bytes();
        let grown = self.seeds.complete_below();
        let layers = match grown.checked_sub(1).filter(|_| self.uses_tables) {
            Some(top) if self.seeds.set.is_growing() => self.seeds.bytes[top as usize],
            _ => 0,
        };
        // A quarter of the memory, or all of it that layers do not take once there are no more of them.
        let left = self.work.memory.saturating_sub(layers);
        let most = if self.most.is_some() { left.min(self.work.memory / 4) } else { left };
        // Both are there while entries move.
        let wider = (bytes * WIDER).min(most.saturating_sub(bytes));
        (wider >= 2 * bytes).then_some(wider)
    }

    /// Widens the table of positions if it is full by now and memory allows a wider one.
    fn widen(&mut self) {
        let nodes = self.learnt().nodes();
        if nodes - self.nodes_before_table < FULL * self.learnt().capacity() {
            return;
        }
        if let Some(wider) = self.wider() {
            let learnt = self.learnt.take().and_then(Arc::into_inner).expect("nobody else holds it");
            self.learnt = Some(Arc::new(learnt.resized(wider)));
            self.nodes_before_table = nodes;
        }
    }
}

/// What can be bought while a search goes on.
struct Offers {
    /// Seeds of the first missing layer.
    first: u32,
    /// From this layer on, the rent at which all layers up to one are built, in seconds.
    prices: Vec<f64>,
    /// What was searched before for this question, and how many positions were not for it.
    searched: Duration,
    nodes_before: u64,
    /// With so many positions searched a larger table of positions is due.
    full: u64,
}

impl Offers {
    /// Whether the search has paid enough for want of the next layer, or of more; `more` is what it took beyond
    /// what was counted.
    fn is_worth_it(&self, learnt: &Learnt, more: Duration) -> bool {
        let nodes = learnt.nodes().saturating_sub(self.nodes_before).max(1);
        let seconds_per_node = (self.searched + more).as_secs_f64() / nodes as f64;
        let spent = learnt.spent();
        let mut rent = 0.0;
        let missing = spent.get(self.first as usize..).unwrap_or_default();
        missing.iter().zip(&self.prices).any(|(&nodes, price)| {
            rent += nodes as f64 * seconds_per_node;
            rent >= *price
        })
    }

    /// Whether there is something to do besides searching.
    fn is_due(&self, learnt: &Learnt, more: Duration) -> bool {
        learnt.nodes() >= self.full || self.is_worth_it(learnt, more)
    }
}

/// Positions with so many seeds on a board of two rows: C(seeds + 2 pits - 1, 2 pits - 1).
pub(super) fn positions(pits: u8, seeds: u32) -> f64 {
    (1..2 * u32::from(pits)).fold(1.0, |product, k| product * f64::from(seeds + k) / f64::from(k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_as_the_numbering_counts_them() {
        let numbering = crate::index::Numbering::new(6, 10).unwrap();
        for seeds in 0..=10 {
            assert_eq!(positions(6, seeds).round() as u64, numbering.layer(seeds).size());
        }
    }
}
