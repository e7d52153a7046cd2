//! Solving positions of games whose positions can repeat: what to prove, and for how long.

mod bounded;
mod tried;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::window::{PositionTable, Solver, Worths, worth};
use crate::clock::Instant;
use crate::control::Control;
use crate::index::Numbered;
use crate::retrograde::{Bounds, Values, is_path_dependent};
pub(super) use bounded::BoundSide;
use bounded::ProofContext;
pub(super) use tried::Tried;

/// What one search may use, besides what the control says.
struct BoundMeans<'a, P> {
    hash: &'a PositionTable,
    tried: &'a Tried,
    /// The position that begins the record, if values depend on it.
    first: Option<P>,
    until: Option<Instant>,
    threads: usize,
    /// For each side.
    most_nodes: u64,
}

/// Nodes for each side of the worths of moves of which tables tell all but what going back to the
/// position does. They are searched by one thread, so that the answer depends on the tables alone.
const NODES_BESIDE_TABLES: u64 = 1 << 16;
/// Bytes for them, if there are as many.
const BYTES_BESIDE_TABLES: u64 = 1 << 20;

impl<G: Numbered> Solver<'_, G> {
    /// Bounds, and whether more work would prove nothing more.
    pub(in crate::search) fn solve_repeating(
        &self,
        tried: &Tried,
        position: &G::Position,
        most_nodes: u64,
        control: &Control,
    ) -> (Bounds, bool) {
        self.check(position);
        let means = BoundMeans { most_nodes, ..self.means(&self.learnt.table, tried, None) };
        let search = || {
            let (bounds, is_final) = self.prove_bounds(&means, &[*position], control);
            (bounds[0], is_final)
        };
        self.layer_bounds(position).map_or_else(search, |bounds| (bounds, true))
    }

    pub(in crate::search) fn solve_repeating_with_moves(
        &self,
        tried: &Tried,
        position: &G::Position,
        most_nodes: u64,
        control: &Control,
    ) -> (Bounds, Worths<G::Position>, bool) {
        self.check(position);
        let first = is_path_dependent(self.game.rules()).then_some(*position);
        let mut moves = Vec::new();
        self.game.for_each_move(position, |played| moves.push(played));
        let next: Vec<_> = moves.iter().map(|played| played.next).collect();
        let table = self.layer_bounds(position);
        let beside_tables = table.is_some() && next.iter().all(|next| self.layer_bounds(next).is_some());
        // What is proven without the first position of a record must not meet what is proven with it.
        let fresh = first.map(|_| {
            let most = if beside_tables { BYTES_BESIDE_TABLES } else { u64::MAX };
            PositionTable::with_tried(self.learnt.bytes.min(most), &self.learnt.frame)
        });
        let (hash, tried) = fresh.as_ref().map_or((&self.learnt.table, tried), |(hash, tried)| (hash, tried));
        let mut means = BoundMeans { most_nodes, ..self.means(hash, tried, first) };
        let (bounds, mut is_final) = table.map(|bounds| (bounds, true)).unwrap_or_else(|| {
            // Half of the time for the position, the rest for what is still open of its moves.
            let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
            means.until = control.deadline().map(|deadline| deadline - left(deadline) / 2);
            let (bounds, is_final) = self.prove_bounds(&means, &[*position], control);
            (bounds[0], is_final)
        });
        means.until = None;
        if first.is_some() && beside_tables {
            (means.threads, means.most_nodes) = (1, NODES_BESIDE_TABLES);
        }
        let (proven, are_final) = self.prove_bounds(&means, &next, control);
        is_final &= are_final;
        let worths = moves
            .into_iter()
            .zip(proven)
            .map(|(played, next)| {
                let mut found = worth(&played, next);
                // What is certain of the next position in a record of its own limits what the mover
                // gets from above in this one too: the shortest proof of it has no use for this
                // position.
                if let Some(next) = self.layer_bounds(&played.next) {
                    found.upper = found.upper.min(worth(&played, next).upper);
                }
                (played, found)
            })
            .collect();
        (bounds, worths, is_final)
    }

    /// What finished layers tell of a position, if they hold it.
    fn layer_bounds(&self, position: &G::Position) -> Option<Bounds> {
        let halves = self.game.halves(&self.learnt.half_boards, position);
        let seeds = halves.seeds();
        let upper = self.leaves.upper.as_ref().unwrap_or(&self.leaves.lower);
        self.leaves.lower.layer(seeds).and(upper.layer(seeds))?;
        let index = self.numbering.layer(seeds).index(&halves);
        Some(Bounds { lower: self.leaves.lower.value(seeds, index)?, upper: upper.value(seeds, index)? })
    }

    /// Means without a limit of their own.
    fn means<'m>(
        &self,
        hash: &'m PositionTable,
        tried: &'m Tried,
        first: Option<G::Position>,
    ) -> BoundMeans<'m, G::Position> {
        BoundMeans { hash, tried, first, until: None, threads: self.learnt.threads, most_nodes: u64::MAX }
    }

    fn prove_bounds(
        &self,
        means: &BoundMeans<G::Position>,
        positions: &[G::Position],
        control: &Control,
    ) -> (Vec<Bounds>, bool) {
        let is_cut = AtomicBool::new(false);
        let upper: &Values = self.leaves.upper.as_ref().unwrap_or(&self.leaves.lower);
        macro_rules! prove {
            ($hash:expr) => {
                ProofContext {
                    game: &self.game,
                    leaves: [&self.leaves.lower, upper],
                    leaf_layers: means.first.as_ref().map_or(u32::MAX, |first| self.game.seeds(first)),
                    numbering: &self.numbering,
                    half_boards: &self.learnt.half_boards,
                    hash: $hash,
                    tried: means.tried,
                    control,
                    nodes: &self.learnt.nodes,
                    spent: &self.learnt.spent,
                    is_cut: &is_cut,
                    first: means.first,
                    until: means.until,
                    most_nodes: means.most_nodes,
                }
                .prove(positions, means.threads)
            };
        }
        let bounds = match means.hash {
            PositionTable::Packed(packed) => prove!(packed),
            PositionTable::Wide(wide) => prove!(wide),
        };
        (bounds, !is_cut.load(Relaxed))
    }
}
