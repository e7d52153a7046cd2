//! Replaying a proof with the plain engine: nothing that found it is used.

use std::collections::HashMap;
use std::io::{self, BufRead};

use foldhash::fast::FixedState;

use super::facts::Claim;
use super::text::{AFTER_RULES, FIRST_LINE};
use crate::board::{Game, Move, Outcome, PlainRings, Position, Rings};
use crate::control::{Control, Stopped};
use crate::rules::{self, Rules, RulesError};

/// Longest line of a file, in bytes.
const LONGEST: u64 = 1 << 16;
/// Longest rules of a file, in bytes.
const LONGEST_RULES: usize = 1 << 16;

/// A proof that holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The rules.
    pub rules: Rules,
    /// What is proven of whom.
    pub position: Position,
    /// The claim, with no more plies than the file says.
    pub claim: Claim,
    /// Number of the winner's positions.
    pub steps: u64,
}

/// Why a proof does not hold, or could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The file is no proof, or proves something else.
    #[error("line {line}: {reason}")]
    Fault {
        /// The line, from 1.
        line: u64,
        /// What is wrong there.
        reason: String,
    },
    /// The rules in the file are none.
    #[error("line {line}: {cause}")]
    Rules {
        /// The last line of the rules, from 1.
        line: u64,
        /// What is wrong with them.
        cause: RulesError,
    },
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The control asked for it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

type Ring = crate::board::PlainRing;

/// The lines of a file, counted.
struct Lines<B> {
    from: B,
    line: u64,
}

impl<B: BufRead> Lines<B> {
    fn fault(&self, reason: impl Into<String>) -> ProofError {
        ProofError::Fault { line: self.line, reason: reason.into() }
    }

    fn next(&mut self) -> Result<Option<String>, ProofError> {
        let mut bytes = Vec::new();
        self.line += 1;
        let read = io::Read::take(&mut self.from, LONGEST).read_until(b'\n', &mut bytes)?;
        if read as u64 == LONGEST {
            return Err(self.fault(format!("it is longer than {LONGEST} bytes")));
        }
        let text = String::from_utf8(bytes).map_err(|_| self.fault("it is no text"))?;
        Ok((read > 0).then(|| text.trim_end_matches(['\r', '\n']).to_owned()))
    }

    /// The next line, which must be there.
    fn need(&mut self, what: &str) -> Result<String, ProofError> {
        self.next()?.ok_or_else(|| self.fault(format!("the file ends where {what} should stand")))
    }

    /// What follows a word and a colon.
    fn field(&mut self, name: &str) -> Result<String, ProofError> {
        let line = self.need(&format!("`{name}:`"))?;
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
        value.map(str::to_owned).ok_or_else(|| self.fault(format!("`{name}: ...` should stand here")))
    }
}

/// Replays a proof.
///
/// # Errors
/// [`ProofError`].
pub fn check_proof(from: impl BufRead, control: &Control) -> Result<Checked, ProofError> {
    let mut lines = Lines { from, line: 0 };
    if lines.need(&format!("`{FIRST_LINE}`"))? != FIRST_LINE {
        return Err(lines.fault(format!("a proof begins with `{FIRST_LINE}`")));
    }
    let rules = read_rules(&mut lines)?;
    let game = PlainRings::new(&rules).map_err(|error| lines.fault(error.to_string()))?;
    let read = |lines: &Lines<_>, text: &str| {
        Position::parse(&rules, text).map_err(|error| lines.fault(error.to_string()))
    };
    let text = lines.field("position")?;
    let position = read(&lines, &text)?;
    let claim = read_claim(&mut lines)?;
    let text = lines.field("steps")?;
    let count: u64 = text.parse().map_err(|_| lines.fault(format!("{text:?} is no number of steps")))?;
    let mut replay = Replay { game: &game, won: HashMap::default() };
    control.begin("replaying the proof", count);
    for _ in 0..count {
        control.check()?;
        control.advance(1);
        let line = lines.need("a step")?;
        let (text, choice) =
            line.split_once(" | ").ok_or_else(|| lines.fault("a step has the form `POSITION | MOVE`"))?;
        let step = read(&lines, text)?;
        let choice = choice.parse().map_err(|error| lines.fault(format!("{error}")))?;
        replay.step(&game.pack(&step), choice).map_err(|reason| lines.fault(reason))?;
    }
    if lines.next()?.is_some() {
        return Err(lines.fault("nothing should follow the steps"));
    }
    lines.line -= 1;
    let root = game.pack(&position);
    let within = match claim.wins {
        true => replay.winner(&root),
        false => replay.loser(&root),
    };
    let within = within.map_err(|reason| lines.fault(format!("the claim does not follow: {reason}")))?;
    if within > claim.within {
        return Err(lines.fault(format!("the steps take {within} plies, not {}", claim.within)));
    }
    Ok(Checked { rules, position, claim: Claim { within, ..claim }, steps: count })
}

fn read_rules(lines: &mut Lines<impl BufRead>) -> Result<Rules, ProofError> {
    let mut text = String::new();
    while text.len() <= LONGEST_RULES {
        let line = lines.need(&format!("`{AFTER_RULES}`"))?;
        if line == AFTER_RULES {
            return rules::from_toml(&text).map_err(|cause| ProofError::Rules { line: lines.line, cause });
        }
        text += &line;
        text.push('\n');
    }
    Err(lines.fault(format!("`{AFTER_RULES}` should have ended the rules")))
}

fn read_claim(lines: &mut Lines<impl BufRead>) -> Result<Claim, ProofError> {
    let text = lines.field("claim")?;
    let claim = text.split_once(" within ").and_then(|(outcome, plies)| {
        let wins = match Outcome::named(outcome)? {
            Outcome::Win => true,
            Outcome::Loss => false,
            Outcome::Draw => return None,
        };
        Some(Claim { wins, within: plies.parse().ok()? })
    });
    claim.ok_or_else(|| lines.fault("a claim is `win within PLIES` or `loss within PLIES`"))
}

/// What the steps so far show.
struct Replay<'a> {
    game: &'a PlainRings,
    /// Positions won by the player to move, with the plies that it takes.
    won: HashMap<Rings<Ring>, u32, FixedState>,
}

impl Replay<'_> {
    /// A step: the move wins the position.
    fn step(&mut self, position: &Rings<Ring>, choice: Move) -> Result<(), String> {
        let mut next = None;
        self.game.for_each_move(position, |played| {
            if played.choice == choice {
                next = Some(played.next);
            }
        });
        // The winner does not need his other moves, so those that were given up do not matter.
        let _ = self.game.check_laps();
        let next = next.ok_or_else(|| format!("{choice} is no legal move there"))?;
        let within = 1 + self.loser(&next)?;
        self.won.insert(*position, within);
        Ok(())
    }

    /// Within how many plies the player to move wins.
    fn winner(&self, position: &Rings<Ring>) -> Result<u32, String> {
        match self.game.looks(position) {
            Some(Outcome::Win) => Ok(0),
            _ => self.won.get(position).copied().ok_or_else(|| {
                format!("no earlier step wins {}", self.game.unpack(position).to_text(self.game.rules()))
            }),
        }
    }

    /// Within how many plies the player to move loses, whatever he plays.
    fn loser(&self, position: &Rings<Ring>) -> Result<u32, String> {
        match self.game.looks(position) {
            Some(Outcome::Loss) => return Ok(0),
            Some(_) => return Err("the loser has not lost".into()),
            None => (),
        }
        let mut within = Ok(0);
        self.game.for_each_move(position, |played| {
            if let Ok(longest) = within {
                within = self.winner(&played.next).map(|plies| longest.max(plies + 1));
            }
        });
        self.game.check_laps().map_err(|error| error.to_string())?;
        within
    }
}
