//! Games won by stalemate: who wins each position of a board, and how soon, by sweeps of rising distance.
//!
//! No seed leaves such a board, so the positions with its seeds are all there is. A sweep for the distance n
//! looks at what is not decided yet: a position is won in n plies if some move leads to one lost in n - 1, and
//! lost in n if every move leads to one won in at most n - 1. What no sweep decides is drawn: play can go on for
//! ever. A sweep reads only what earlier ones wrote, so its order does not matter.

use std::sync::atomic::{AtomicI8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::engine::{memory_of_rows, rows};
use super::{MAX_LAYER, Unbuildable, Unfinished};
use crate::board::{Game, Outcome, PackedRings, PlainRings, PlayerRing, Rings, TwoRings, Verdict};
use crate::control::Control;
use crate::index::{Half, Halves, Numbered, Numbering};
use crate::rules::Rules;

/// Longest distance that one signed byte holds.
const MOST_PLIES: i32 = 126;

/// Some position is decided later than a table entry can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "some game lasts longer than the {MOST_PLIES} plies that a table entry of one byte can say; take a smaller board"
)]
pub struct TooFar;

/// Whether a game is won by stalemate on a board that no seed enters or leaves.
pub fn is_stalemate_game(rules: &Rules) -> bool {
    rules.four_rows.as_ref().is_some_and(|four_rows| !four_rows.has_hands())
}

/// A layer of a board on which a game is won by stalemate: all positions with some number of seeds.
pub struct StalemateLayer {
    rules: Rules,
    numbering: Numbering,
}

impl StalemateLayer {
    /// The layer of the board of a rule set.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn new(rules: &Rules) -> Result<StalemateLayer, Unbuildable> {
        StalemateLayer::with_seeds(rules, rules.start_seeds())
    }

    /// The layer of all positions of the same board with another number of seeds.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn with_seeds(rules: &Rules, seeds: u32) -> Result<StalemateLayer, Unbuildable> {
        PackedRings::new(rules)?;
        if !is_stalemate_game(rules) {
            return Err(Unbuildable::Hands { game: rules.title() });
        }
        if seeds > MAX_LAYER {
            return Err(Unbuildable::TooManySeeds { seeds });
        }
        let numbering = Numbering::new(rules.player_pits().into(), seeds)?;
        Ok(StalemateLayer { rules: rules.clone(), numbering })
    }

    /// The numbering of its positions; their seeds are its highest number.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> u32 {
        self.numbering.max_seeds()
    }

    /// Bytes that building takes.
    pub fn memory(&self) -> u64 {
        let rows = memory_of_rows(self.numbering.half_boards(), self.seeds());
        rows.unwrap_or(u64::MAX).saturating_add(self.numbering.layer(self.seeds()).size())
    }

    /// The verdicts, as [`Verdict::code`], in the order of the positions' index. Works with all threads of
    /// the current rayon pool, on whose number the result does not depend.
    ///
    /// # Errors
    /// [`Unfinished`], with the reason.
    pub fn build(&self, control: &Control) -> Result<Vec<i8>, Unfinished> {
        solve(&PackedRings::new(&self.rules).expect("tried before"), &self.numbering, control)
    }

    /// As [`StalemateLayer::build`], with the plain engine: a check on the fast one.
    ///
    /// # Errors
    /// As [`StalemateLayer::build`].
    pub fn build_plain(&self, control: &Control) -> Result<Vec<i8>, Unfinished> {
        solve(&PlainRings::new(&self.rules).expect("tried before"), &self.numbering, control)
    }
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

fn solve<R: PlayerRing>(
    game: &TwoRings<R>,
    numbering: &Numbering,
    control: &Control,
) -> Result<Vec<i8>, Unfinished> {
    let (seeds, half_boards) = (numbering.max_seeds(), numbering.half_boards());
    let layer = numbering.layer(seeds);
    let rows = rows(game, half_boards, seeds);
    let codes: Vec<AtomicI8> = (0..layer.size()).map(|_| AtomicI8::new(0)).collect();
    for plies in 0..=MOST_PLIES {
        let decided = AtomicU64::new(0);
        let sweep = |own: Half| -> Result<(), Unfinished> {
            control.check()?;
            let opponents = seeds - own.seeds;
            let first = layer.index(&Halves { own, opponent: Half { seeds: opponents, rank: 0 } }) as usize;
            let row = &rows[own.seeds as usize][own.rank as usize];
            let opponents = &rows[opponents as usize];
            for (code, opponent) in codes[first..first + opponents.len()].iter().zip(opponents) {
                if code.load(Relaxed) != 0 {
                    continue;
                }
                let position = game.facing(row, opponent);
                let found = decide(game, &position, plies, |next| {
                    codes[layer.index(&game.halves(half_boards, next)) as usize].load(Relaxed).into()
                });
                if found != Verdict::DRAW {
                    code.store(found.code() as i8, Relaxed);
                    decided.fetch_add(1, Relaxed);
                }
            }
            Ok(())
        };
        let halves = (0..=seeds)
            .flat_map(|seeds| (0..half_boards.count(seeds)).map(move |rank| Half { seeds, rank }))
            .collect::<Vec<_>>();
        halves.par_iter().try_for_each(|half| sweep(*half))?;
        game.check_laps()?;
        if plies > 0 && decided.into_inner() == 0 {
            return Ok(codes.into_iter().map(AtomicI8::into_inner).collect());
        }
    }
    Err(TooFar.into())
}

/// The verdict on an undecided position if it is over in exactly `plies` plies, otherwise a draw.
#[inline(always)]
fn decide<R: PlayerRing>(
    game: &TwoRings<R>,
    position: &Rings<R>,
    plies: i32,
    code: impl Fn(&Rings<R>) -> i32,
) -> Verdict {
    if plies == 0 {
        return game.end_value(position).map_or(Verdict::DRAW, |end| Verdict::over(Outcome::of_sign(end)));
    }
    let mut best = i32::MIN;
    game.for_each_move(position, |played| {
        let code = match played.next.stage.result {
            Some(result) => result.sign(),
            None => code(&played.next),
        };
        // What this sweep wrote may be read or not, so it does not count.
        let known = if code.abs() <= plies { code } else { 0 };
        best = best.max(-known);
    });
    match best.signum() {
        1 => Verdict::of_code(plies + 1),
        -1 if best > i32::MIN => Verdict::of_code(-(plies + 1)),
        _ => Verdict::DRAW,
    }
}
