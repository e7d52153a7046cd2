//! Proofs as they are handed on: the winner's move for every position that he can get to.
//!
//! A file is text. Its first line is [`FIRST_LINE`]; then come the rules as TOML up to a line `---`, the lines
//! `position: POSITION`, `claim: win within PLIES` (or `loss`) and `steps: NUMBER`, and so many lines `POSITION | MOVE`. A step
//! tells how the winner, who moves there, wins: after the move the game is over, or each answer leads to a
//! position that is over or that an earlier step has.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::Prover;
use super::facts::Claim;
use crate::board::{Game, Move, Played, PlayerRing, Position, Rings};
use crate::rules::Rules;

/// The first line of a file.
pub const FIRST_LINE: &str = "sowbase proof 1";
/// The line after the rules.
pub(super) const AFTER_RULES: &str = "---";

/// A proof that the player to move wins or loses.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What is proven of whom.
    pub position: Position,
    /// The claim about it.
    pub claim: Claim,
    /// The winner's positions and moves, each after those that it leads to.
    pub steps: Vec<(Position, Move)>,
}

impl<R: PlayerRing> Prover<R> {
    /// The proof of what is claimed of a position, if something is.
    pub fn proof(&self, position: &Rings<R>) -> Option<Proof> {
        let claim = self.known(position)?;
        let mut found = Vec::new();
        let mut seen = HashSet::<Rings<R>, FixedState>::default();
        let mut open = Vec::new();
        if claim.wins {
            open.push(*position);
        } else {
            self.game().for_each_move(position, |played| open.push(played.next));
        }
        while let Some(position) = open.pop() {
            if self.game().looks(&position).is_some() || !seen.insert(position) {
                continue;
            }
            let played = self.winning_move(&position)?;
            found.push((self.known(&position)?.within, position, played.choice));
            self.game().for_each_move(&played.next, |reply| open.push(reply.next));
        }
        // What a step relies on is over sooner.
        found.sort_by_key(|(within, ..)| *within);
        let steps = found.into_iter().map(|(_, position, choice)| (self.game().unpack(&position), choice));
        Some(Proof { position: self.game().unpack(position), claim, steps: steps.collect() })
    }

    /// The move by which the winner of a position that is proven to be won wins soonest, as far as is proven.
    fn winning_move(&self, position: &Rings<R>) -> Option<Played<Rings<R>>> {
        let mut best: Option<(u32, Played<Rings<R>>)> = None;
        self.game().for_each_move(position, |played| {
            let Some(claim) = self.known(&played.next).filter(|claim| !claim.wins) else { return };
            if best.as_ref().is_none_or(|(within, _)| claim.within < *within) {
                best = Some((claim.within, played));
            }
        });
        best.map(|(_, played)| played)
    }

    /// The move of a position that is proven to be lost which delays the end longest, as far as is proven.
    fn delaying_move(&self, position: &Rings<R>) -> Option<Played<Rings<R>>> {
        let mut best: Option<(u32, Played<Rings<R>>)> = None;
        self.game().for_each_move(position, |played| {
            let within = self.known(&played.next).map_or(0, |claim| claim.within);
            if best.as_ref().is_none_or(|(longest, _)| within > *longest) {
                best = Some((within, played));
            }
        });
        best.map(|(_, played)| played)
    }

    /// A line of play from a position of which something is proven to the end of the game.
    pub fn line(&self, position: &Rings<R>) -> Option<Vec<Move>> {
        let (mut line, mut position) = (Vec::new(), *position);
        while self.game().looks(&position).is_none() {
            let claim = self.known(&position)?;
            let played =
                if claim.wins { self.winning_move(&position) } else { self.delaying_move(&position) };
            // A player without a move has lost.
            let Some(played) = played else { break };
            line.push(played.choice);
            position = played.next;
        }
        Some(line)
    }
}

impl Proof {
    /// The file of the proof.
    pub fn to_text(&self, rules: &Rules) -> String {
        let Proof { position, claim, steps } = self;
        let head = [
            format!("{FIRST_LINE}\n{}{AFTER_RULES}\n", rules.to_toml()),
            format!("position: {}\n", position.to_text(rules)),
            format!("claim: {} within {}\n", claim.outcome(), claim.within),
            format!("steps: {}\n", steps.len()),
        ];
        let step =
            |(position, choice): &(Position, Move)| format!("{} | {choice}\n", position.to_text(rules));
        head.into_iter().chain(steps.iter().map(step)).collect()
    }
}
