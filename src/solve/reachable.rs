//! Games without layers, in which captured seeds come back: bounds from all that can follow from a position.

use std::time::Duration;

use super::{Answer, MoveAnswer, Note, Plan, SolveError, Source, Work};
use crate::board::{Game, Ring};
use crate::rules::Rules;
use crate::search::{Allowance, solve_reachable};

/// Longest search without a word from the user.
const PATIENCE: Duration = Duration::from_secs(30);

/// The engine of such a game.
pub(super) struct ReachableGame {
    game: Ring,
}

impl ReachableGame {
    pub(super) fn new(rules: &Rules) -> Result<ReachableGame, SolveError> {
        Ok(ReachableGame { game: Ring::new(rules)? })
    }

    pub(super) fn answer(&mut self, mut work: Work) -> Result<Answer, SolveError> {
        let Work { question, control, begun, .. } = work;
        let (game, position) = (&self.game, &question.position);
        if question.proof {
            return Err(SolveError::ProofOfSeeds { game: work.rules.title() });
        }
        let packed = game.pack(position);
        if let Some(value) = game.end_value(&packed) {
            let mut answer = Answer::new(position, Source::Terminal);
            answer.set_bounds(crate::search::Bounds::exact(value));
            answer.set_over(question.moves);
            if question.moves {
                answer.distance = Some(0);
            }
            answer.time = begun.elapsed();
            return Ok(answer);
        }
        if !question.search {
            return Err(SolveError::NoTables { game: work.rules.title() });
        }
        // The rest of the time is for the proof.
        let time = question.time.unwrap_or(PATIENCE);
        let allowance = Allowance { memory: work.memory, until: begun.checked_add(time / 2) };
        work.tell_plan(&Plan::Reachable { memory: work.memory, time });
        let found = solve_reachable(game, &packed, &allowance, control)?;
        let mut answer = Answer::new(position, Source::Search);
        answer.set_proven(found.proven);
        if question.moves {
            let mut moves = found.moves;
            let low = |bound: Option<i32>| bound.unwrap_or(i32::MIN);
            moves.sort_by_key(|(_, proven)| std::cmp::Reverse((low(proven.lower), low(proven.upper))));
            let entries = moves.iter().map(|(played, proven)| {
                let mut entry = MoveAnswer::new(game, position, played);
                entry.set_proven(*proven, position.lead());
                entry
            });
            answer.moves = Some(entries.collect());
        }
        let states = found.states as u64;
        answer.notes.push(Note::RestsOn { states, is_complete: found.is_complete });
        answer.nodes = states;
        answer.time = begun.elapsed();
        Ok(answer)
    }
}
