//! How games won by blocking end, and how soon.

use std::fmt;

/// How a game ends for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// He has lost or will lose.
    Loss,
    /// Nobody wins.
    Draw,
    /// He has won or will win.
    Win,
}

const WORDS: [(Outcome, &str); 3] = [(Outcome::Loss, "loss"), (Outcome::Draw, "draw"), (Outcome::Win, "win")];

impl Outcome {
    /// The same for the opponent.
    pub fn flipped(self) -> Outcome {
        Outcome::of_sign(-self.sign())
    }

    /// -1, 0 or 1.
    pub fn sign(self) -> i32 {
        self as i32 - 1
    }

    /// The outcome with the sign of a number.
    pub fn of_sign(number: i32) -> Outcome {
        WORDS[(number.signum() + 1) as usize].0
    }

    /// The outcome that a word names.
    pub fn named(word: &str) -> Option<Outcome> {
        WORDS.iter().find(|(_, name)| *name == word).map(|(outcome, _)| *outcome)
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        WORDS[self as usize].1
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of a position in a game won by blocking: the outcome for the player to move and the plies to
/// the end of the game, which the winner keeps few and the loser many. A draw has no distance, since it never ends.
///
/// Tables hold it as one signed number: 0 for a draw, n + 1 for a win in n plies, -(n + 1) for a loss in n.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict(i32);

impl Verdict {
    /// A draw.
    pub const DRAW: Verdict = Verdict(0);

    /// A game that is over.
    pub fn over(outcome: Outcome) -> Verdict {
        Verdict(outcome.sign())
    }

    /// The verdict that a number stands for.
    pub fn of_code(code: i32) -> Verdict {
        Verdict(code)
    }

    /// The number that stands for it in tables.
    pub fn code(self) -> i32 {
        self.0
    }

    /// Who wins.
    pub fn outcome(self) -> Outcome {
        Outcome::of_sign(self.0)
    }

    /// Plies to the end, unless it is a draw.
    pub fn plies(self) -> Option<u32> {
        self.0.unsigned_abs().checked_sub(1)
    }

    /// What a move is worth to the player who makes it, if this is the verdict on the position it leads to.
    #[must_use]
    pub fn of_move(self) -> Verdict {
        Verdict(-self.0 - self.0.signum())
    }

    /// How good it is for the player to move; greater is better: first the outcome, then a soon win and a late
    /// loss.
    pub fn rank(self) -> i32 {
        match self.0 {
            0 => 0,
            code => code.signum() * (i32::MAX - code.abs()),
        }
    }
}

impl fmt::Display for Verdict {
    /// The outcome and, unless it is a draw, the plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outcome().fmt(f)?;
        self.plies().map_or(Ok(()), |plies| write!(f, " {plies}"))
    }
}
