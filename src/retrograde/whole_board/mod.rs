//! Games won by blocking: who wins each position of a board, and how soon.
//!
//! No seed leaves such a board, so the positions with its seeds are all there is. `sweeps` decides them.

mod sweeps;

use super::by_move::memory_of_rows;
use super::{MAX_LAYER, Unbuildable, Unfinished};
use crate::board::{
    Game, Outcome, PackedRings, PlainRings, PlayerRing, Rings, ShortRings, TwoRings, Verdict,
};
use crate::control::Control;
use crate::index::Numbering;
use crate::rules::Rules;
use sweeps::MOST_PLIES;

/// Some position is decided later than a table entry can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "some game lasts longer than the {MOST_PLIES} plies that a table entry of one byte can say; take a smaller board"
)]
pub struct TooFar;

/// Whether a game is won by blocking on a board that no seed enters or leaves.
pub fn is_won_by_blocking(rules: &Rules) -> bool {
    rules.four_rows().is_some_and(|four_rows| !four_rows.has_hands())
}

/// A layer of a board on which a game is won by blocking: all positions with some number of seeds.
pub struct WholeBoard {
    rules: Rules,
    numbering: Numbering,
    /// Bytes that building may take beyond what it needs.
    room: u64,
}

impl std::fmt::Debug for WholeBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WholeBoard").field("rules", &self.rules.title()).finish_non_exhaustive()
    }
}

impl WholeBoard {
    /// The layer of the board of a rule set.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn new(rules: &Rules) -> Result<WholeBoard, Unbuildable> {
        WholeBoard::with_seeds(rules, rules.start_seeds())
    }

    /// The layer of all positions of the same board with another number of seeds.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn with_seeds(rules: &Rules, seeds: u32) -> Result<WholeBoard, Unbuildable> {
        PackedRings::new(rules)?;
        if !is_won_by_blocking(rules) {
            return Err(Unbuildable::Hands { game: rules.title() });
        }
        if seeds > MAX_LAYER {
            return Err(Unbuildable::TooManySeeds { seeds });
        }
        let numbering = Numbering::new(rules.player_pits().into(), seeds)?;
        Ok(WholeBoard { rules: rules.clone(), numbering, room: 0 })
    }

    /// The numbering of its positions; their seeds are its highest number.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> u32 {
        self.numbering.max_seeds()
    }

    /// The same, to be built with so many bytes. The more they are beyond [`WholeBoard::memory`], up to some twenty
    /// for each position, the sooner moves need not be made again.
    #[must_use]
    pub fn within(mut self, memory: u64) -> WholeBoard {
        self.allow(memory);
        self
    }

    /// As [`WholeBoard::within`].
    pub(crate) fn allow(&mut self, memory: u64) {
        self.room = memory.saturating_sub(self.memory());
    }

    /// Bytes that building takes, unless more are allowed.
    pub fn memory(&self) -> u64 {
        memory(&self.numbering)
    }

    /// The verdicts, as [`Verdict::code`], in the order of the positions' index. Works with all threads of
    /// the current rayon pool, on whose number the result does not depend.
    ///
    /// # Errors
    /// [`Unfinished`], with the reason.
    pub fn build(&self, control: &Control) -> Result<Vec<i8>, Unfinished> {
        if let Ok(game) = ShortRings::new(&self.rules) {
            return sweeps::solve(&game, &self.numbering, self.room, control);
        }
        let game = PackedRings::new(&self.rules).expect("tried before");
        sweeps::solve(&game, &self.numbering, self.room, control)
    }

    /// As [`WholeBoard::build`], with the plain engine: a check on the fast one.
    ///
    /// # Errors
    /// As [`WholeBoard::build`].
    pub fn build_plain(&self, control: &Control) -> Result<Vec<i8>, Unfinished> {
        let game = PlainRings::new(&self.rules).expect("tried before");
        sweeps::solve(&game, &self.numbering, self.room, control)
    }
}

/// Bytes that building the last layer of a numbering takes.
pub(super) fn memory(numbering: &Numbering) -> u64 {
    let top = numbering.max_seeds();
    let rows = memory_of_rows(numbering.half_boards(), top);
    rows.unwrap_or(u64::MAX).saturating_add(numbering.layer(top).size())
}

/// The verdict on a position from the codes of those that its moves lead to, which `code` gives.
///
/// If all entries of a layer agree with it, all are true. A decided one rests on others with fewer plies, down
/// to games that are over. From a drawn one no move leads to a loss of the opponent and some move to a draw, so
/// neither player can ever be brought out of the draws against his will.
pub(crate) fn verdict_by_moves<R: PlayerRing>(
    game: &TwoRings<R>,
    position: &Rings<R>,
    code: impl Fn(&Rings<R>) -> i32,
) -> Verdict {
    let mut best: Option<Verdict> = None;
    game.for_each_move(position, |played| {
        let of_move = match played.next.stage.result {
            Some(result) => Verdict::over(result),
            None => Verdict::of_code(code(&played.next)),
        }
        .of_move();
        best = best.filter(|best| best.rank() >= of_move.rank()).or(Some(of_move));
    });
    best.unwrap_or_else(|| {
        let end = game.end_value(position).expect("a position without moves is over");
        Verdict::over(Outcome::of_sign(end))
    })
}
