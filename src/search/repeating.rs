//! Solving positions of games whose positions can repeat: what to prove, and for how long.

use std::time::Instant;

use super::bounded::{Ground, Tried};
use super::node::worth;
use super::{Bounds, Solver, TRIED_PART, Table, Worths};
use crate::control::Control;
use crate::index::Numbered;
use crate::retrograde::is_path_dependent;
use crate::tables::Values;

/// What one search may use, besides what the control says.
struct Means<'a, P> {
    hash: &'a Table,
    tried: &'a Tried,
    /// The position that begins the record, if values depend on it.
    first: Option<P>,
    until: Option<Instant>,
    most_nodes: u64,
}

/// Nodes for moves of which tables tell all but what going back to the position does.
const NODES_BESIDE_TABLES: u64 = 1 << 16;
/// Bytes for them.
const BYTES_BESIDE_TABLES: u64 = 4 << 20;

impl<G: Numbered> Solver<'_, G> {
    pub(super) fn solve_repeating(&self, tried: &Tried, position: &G::Position, control: &Control) -> Bounds {
        self.check_seeds(position);
        let means = Means { hash: &self.hash, tried, first: None, until: None, most_nodes: u64::MAX };
        self.layer_bounds(position).unwrap_or_else(|| self.prove_bounds(&means, &[*position], control)[0])
    }

    pub(super) fn solve_repeating_with_moves(
        &self,
        tried: &Tried,
        position: &G::Position,
        control: &Control,
    ) -> (Bounds, Worths<G::Position>) {
        self.check_seeds(position);
        let first = is_path_dependent(self.game.rules()).then_some(*position);
        let table = self.layer_bounds(position);
        // What is proven without the first position of a record must not meet what is proven with it.
        let fresh = first.map(|_| self.fresh(table.is_some()));
        let (hash, tried) = fresh.as_ref().map_or((&self.hash, tried), |(hash, tried)| (hash, tried));
        let mut means = Means { hash, tried, first, until: None, most_nodes: u64::MAX };
        let mut bounds = table.unwrap_or_else(|| {
            // Half of the time for the position, the rest for what is still open of its moves.
            let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
            means.until = control.deadline().map(|deadline| deadline - left(deadline) / 2);
            self.prove_bounds(&means, &[*position], control)[0]
        });
        means.until = None;
        if first.is_some() && table.is_some() {
            means.most_nodes = NODES_BESIDE_TABLES;
        }
        let mut moves = Vec::new();
        self.game.for_each_move(position, |played| moves.push(played));
        let next: Vec<_> = moves.iter().map(|played| played.next).collect();
        let proven = self.prove_bounds(&means, &next, control);
        let mut worths: Worths<_> = moves
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
        if let Some(best) = worths.iter().map(|(_, found)| found.lower).max() {
            bounds.lower = bounds.lower.max(best);
        }
        if let Some(best) = worths.iter().map(|(_, found)| found.upper).max() {
            bounds.upper = bounds.upper.min(best);
        }
        for (_, found) in &mut worths {
            // No move is worth more than the position.
            found.upper = found.upper.min(bounds.upper);
        }
        worths.sort_by_key(|(_, found)| (-found.lower, -found.upper));
        (bounds, worths)
    }

    /// What finished layers tell of a position, if they hold it.
    fn layer_bounds(&self, position: &G::Position) -> Option<Bounds> {
        let halves = self.game.halves(&self.half_boards, position);
        let seeds = halves.seeds();
        let upper = self.leaves.upper.as_ref().unwrap_or(&self.leaves.lower);
        self.leaves.lower.layer(seeds).and(upper.layer(seeds))?;
        let index = self.numbering.layer(seeds).index(&halves);
        Some(Bounds { lower: self.leaves.lower.value(seeds, index)?, upper: upper.value(seeds, index)? })
    }

    /// Memory for one record alone.
    fn fresh(&self, beside_tables: bool) -> (Table, Tried) {
        let most = if beside_tables { BYTES_BESIDE_TABLES } else { u64::MAX };
        let hash = Table::new(self.hash_bytes.min(most), &self.half_boards, self.max_seeds);
        (hash, Tried::new((self.hash_bytes / TRIED_PART).min(most)))
    }

    fn prove_bounds(
        &self,
        means: &Means<G::Position>,
        positions: &[G::Position],
        control: &Control,
    ) -> Vec<Bounds> {
        let upper: &Values = self.leaves.upper.as_ref().unwrap_or(&self.leaves.lower);
        macro_rules! prove {
            ($hash:expr) => {
                Ground {
                    game: &self.game,
                    leaves: [&self.leaves.lower, upper],
                    leaf_layers: means.first.as_ref().map_or(u32::MAX, |first| self.game.seeds(first)),
                    numbering: &self.numbering,
                    half_boards: &self.half_boards,
                    hash: $hash,
                    tried: means.tried,
                    control,
                    nodes: &self.nodes,
                    first: means.first,
                    until: means.until,
                    most_nodes: means.most_nodes,
                }
                .prove(positions, self.threads)
            };
        }
        match means.hash {
            Table::Packed(packed) => prove!(packed),
            Table::Wide(wide) => prove!(wide),
        }
    }
}
