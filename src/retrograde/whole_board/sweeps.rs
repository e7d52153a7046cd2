//! Deciding all positions of a whole board, by sweeps of rising distance to the end.
//!
//! A position is won in n plies if some move leads to one lost in n - 1, and lost in n if every move leads to one won
//! and the last of these in n - 1. So the sweep for n looks at the positions that are not decided yet and reads
//! only what earlier ones wrote: its order does not matter. What no sweep decides is drawn.
//!
//! The sweep for 0 only looks at the board. The next one, which makes the moves, also finds the positions that are
//! over because there is none. Others may have been looked at before that was known, so it is repeated then.
//!
//! The first sweeps make the moves. As soon as memory allows it, the moves of what is left are kept as *links*, lists
//! of the positions they lead to, and later sweeps only read those.
//!
//! Almost all time would go into waiting for codes of positions somewhere in the table. A move without a capture
//! leaves the opponent his half board, which then is the mover's, and captures empty a few columns of it. So
//! positions are taken by the opponent's half boards, few of them against all of the mover's: what their moves
//! lead to lies in a few rows of the table, which stay in the cache.

use std::ops::Range;
use std::sync::atomic::{AtomicI8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::board::{Game, Outcome, PlayerRing, Rings, TwoRings, Verdict};
use crate::control::{Control, Stopped};
use crate::index::{Half, Halves, LayerIndex, Numbered, Numbering, half_of};
use crate::machine;
use crate::retrograde::by_move::{Rows, rows};
use crate::retrograde::{TooFar, Unfinished};

/// Longest distance that one signed byte holds.
pub(super) const MOST_PLIES: i32 = i8::MAX as i32 - 1;
/// Bytes of the table that the moves of a tile without captures read, unless a single row has more.
const TILE_BYTES: u64 = 1 << 18;
/// Most half boards of the opponent in a tile: a line of the cache.
const TILE_WIDTH: u64 = 64;
/// Links ahead of the one at work whose codes are asked for.
const AHEAD: usize = 48;
/// In the head of a list: some move leads to a draw by the rules, so the position cannot be lost.
const CANNOT_LOSE: u32 = 1 << 31;

/// Some half boards of the opponent, one after the other, against all half boards of the mover.
struct Tile {
    /// The opponent's seeds.
    seeds: u32,
    ranks: Range<u64>,
    undecided: u64,
    /// Of each undecided position: its index, the number of its links with [`CANNOT_LOSE`], and the links. Only
    /// those to undecided positions are kept: a lost one would decide it, and a won one changes nothing.
    links: Vec<u32>,
}

/// What a sweep decided.
#[derive(Clone, Copy, Default)]
struct SweepCount {
    won: u64,
    lost: u64,
    /// Among those lost: positions without a move, which the looks do not tell.
    stuck: u64,
}

impl SweepCount {
    fn and(self, other: SweepCount) -> SweepCount {
        SweepCount {
            won: self.won + other.won,
            lost: self.lost + other.lost,
            stuck: self.stuck + other.stuck,
        }
    }

    fn all(self) -> u64 {
        self.won + self.lost
    }

    fn count(&mut self, verdict: Verdict, plies: i32) {
        match verdict.outcome() {
            Outcome::Win => self.won += 1,
            Outcome::Loss => self.lost += 1,
            Outcome::Draw => (),
        }
        self.stuck += u64::from(plies > 0 && verdict == Verdict::over(Outcome::Loss));
    }
}

/// What a sweep looks for.
#[derive(Clone, Copy)]
struct SweepGoal {
    plies: i32,
    /// Whether some position is lost one ply sooner, so that others can be won.
    wins: bool,
}

/// What all sweeps share.
struct Board<'a, R: PlayerRing> {
    game: &'a TwoRings<R>,
    numbering: &'a Numbering,
    layer: &'a LayerIndex,
    rows: Rows<Rings<R>>,
    codes: &'a [AtomicI8],
    /// Bytes that are left for links; less than none once they were too many.
    room: AtomicU64,
    /// Longest distance that is allowed, [`MOST_PLIES`] or less.
    most_plies: i32,
}

/// The codes of all positions by index. Up to `room` bytes are used to keep moves.
///
/// # Errors
/// [`Unfinished`], with the reason.
pub(super) fn solve<R: PlayerRing>(
    game: &TwoRings<R>,
    numbering: &Numbering,
    room: u64,
    control: &Control,
) -> Result<Vec<i8>, Unfinished> {
    solve_up_to(MOST_PLIES, game, numbering, room, control)
}

fn solve_up_to<R: PlayerRing>(
    most_plies: i32,
    game: &TwoRings<R>,
    numbering: &Numbering,
    room: u64,
    control: &Control,
) -> Result<Vec<i8>, Unfinished> {
    let layer = numbering.layer(numbering.max_seeds());
    let mut codes = machine::zeroed(layer.size() as usize);
    let board = Board {
        game,
        numbering,
        layer,
        rows: rows(game, numbering.half_boards(), layer.seeds()),
        codes: shared(&mut codes),
        room: AtomicU64::new(0),
        most_plies,
    };
    board.decide_all(room, control)?;
    Ok(codes)
}

/// Cells that all tasks may read and write.
fn shared(codes: &mut [i8]) -> &[AtomicI8] {
    // SAFETY: an atomic byte is laid out as a byte, and since the codes are borrowed mutably, they are reached in no
    // other way while the result lives.
    unsafe { &*(std::ptr::from_mut(codes) as *const [AtomicI8]) }
}

impl<R: PlayerRing> Board<'_, R> {
    fn tiles(&self) -> Vec<Tile> {
        let half_boards = self.numbering.half_boards();
        let mut tiles = Vec::new();
        for seeds in 0..=self.layer.seeds() {
            let (own, opponents) = (half_boards.count(self.layer.seeds() - seeds), half_boards.count(seeds));
            let width = (TILE_BYTES / own).clamp(1, TILE_WIDTH);
            for first in (0..opponents).step_by(width as usize) {
                let ranks = first..opponents.min(first + width);
                let undecided = (ranks.end - ranks.start) * own;
                tiles.push(Tile { seeds, ranks, undecided, links: Vec::new() });
            }
        }
        tiles
    }

    /// Sweeps until nothing more is decided.
    fn decide_all(&self, room: u64, control: &Control) -> Result<(), Unfinished> {
        let mut tiles = self.tiles();
        let mut undecided = self.layer.size();
        let mut last = SweepCount::default();
        // Links are kept when so few positions are left.
        let mut few = if undecided <= u64::from(u32::MAX) { u64::MAX } else { 0 };
        let mut has_links = false;
        let mut plies = 0;
        // One sweep more than the codes can tell, to see that it decides nothing.
        while plies <= self.most_plies + 1 {
            control.begin(format!("layer {}, games of length {plies}", self.layer.seeds()), undecided);
            let decided = if has_links {
                self.sweep(&mut tiles, control, |tile| Ok(self.follow_links(tile, plies)))?
            } else {
                // What ends a game by a rule can do so in the first ply only.
                let goal = SweepGoal { plies, wins: plies <= 1 || last.lost > 0 };
                if plies > 0 && goal.wins && undecided <= few {
                    self.room.store(room, Relaxed);
                    let decided =
                        self.sweep(&mut tiles, control, |tile| self.make_moves::<true>(tile, goal, control))?;
                    has_links = self.room.load(Relaxed) > 0;
                    if !has_links {
                        tiles.iter_mut().for_each(|tile| tile.links = Vec::new());
                        few = undecided / 2;
                    }
                    decided
                } else {
                    self.sweep(&mut tiles, control, |tile| self.make_moves::<false>(tile, goal, control))?
                }
            };
            self.game.check_laps()?;
            if plies > self.most_plies && decided.all() > 0 {
                break;
            }
            undecided -= decided.all();
            last = if last.stuck > 0 { SweepCount { stuck: 0, ..decided.and(last) } } else { decided };
            if undecided == 0 || (plies > 0 && last.all() == 0) {
                return Ok(());
            }
            plies += i32::from(last.stuck == 0);
        }
        Err(TooFar.into())
    }

    /// Does something to all tiles with undecided positions.
    fn sweep(
        &self,
        tiles: &mut [Tile],
        control: &Control,
        work: impl Fn(&mut Tile) -> Result<SweepCount, Stopped> + Sync,
    ) -> Result<SweepCount, Stopped> {
        let sweep = |tile: &mut Tile| {
            control.check()?;
            let decided = work(tile)?;
            control.advance(tile.undecided);
            tile.undecided -= decided.all();
            Ok(decided)
        };
        tiles
            .par_iter_mut()
            .filter(|tile| tile.undecided > 0)
            .map(sweep)
            .try_reduce(SweepCount::default, |one, other| Ok(one.and(other)))
    }

    /// Makes the moves of the undecided positions of a tile; with `KEEP` they become links.
    fn make_moves<const KEEP: bool>(
        &self,
        tile: &mut Tile,
        goal: SweepGoal,
        control: &Control,
    ) -> Result<SweepCount, Stopped> {
        let own_seeds = self.layer.seeds() - tile.seeds;
        let range = tile.ranks.start as usize..tile.ranks.end as usize;
        let opponents = &self.rows[tile.seeds as usize][range];
        let width = self.numbering.half_boards().count(tile.seeds);
        let keeps = KEEP && self.room.load(Relaxed) > 0;
        let mut decided = SweepCount::default();
        let mut links = Vec::new();
        let mut first = self.layer.start(own_seeds) + tile.ranks.start;
        for own in &self.rows[own_seeds as usize] {
            control.check()?;
            let codes = &self.codes[first as usize..][..opponents.len()];
            for ((index, rank), (code, opponent)) in
                (first..).zip(tile.ranks.start..).zip(codes.iter().zip(opponents))
            {
                if code.load(Relaxed) != 0 {
                    continue;
                }
                let position = self.game.facing(own, opponent);
                let facing = Half { seeds: tile.seeds, rank };
                let begin = links.len();
                if KEEP && keeps {
                    links.extend([index as u32, 0]);
                }
                let verdict = self.decide(&position, facing, goal, |link| {
                    if KEEP && keeps {
                        match link {
                            Some(link) => links.push(link as u32),
                            None => links[begin + 1] = CANNOT_LOSE,
                        }
                    }
                });
                if verdict != Verdict::DRAW {
                    code.store(verdict.code() as i8, Relaxed);
                    decided.count(verdict, goal.plies);
                    links.truncate(begin);
                } else if KEEP && keeps {
                    links[begin + 1] |= (links.len() - begin - 2) as u32;
                }
            }
            first += width;
        }
        if KEEP && keeps {
            links.shrink_to_fit();
            let bytes = (links.capacity() * size_of::<u32>()) as u64;
            let left = self.room.fetch_update(Relaxed, Relaxed, |room| Some(room.saturating_sub(bytes)));
            if left.is_ok_and(|left| left > bytes) {
                tile.links = links;
            }
        }
        Ok(decided)
    }

    /// The verdict on an undecided position with some half board of the opponent, if it is the one looked for;
    /// otherwise a draw. Moves to positions that are not decided are told: the index of the position, or none if
    /// the move ends the game as a draw.
    #[inline(always)]
    fn decide(
        &self,
        position: &Rings<R>,
        facing: Half,
        goal: SweepGoal,
        mut open: impl FnMut(Option<u64>),
    ) -> Verdict {
        let SweepGoal { plies, .. } = goal;
        if plies == 0 {
            return self.game.looks(position).map_or(Verdict::DRAW, Verdict::over);
        }
        let half_boards = self.numbering.half_boards();
        let (mut has_move, mut is_open) = (false, false);
        let is_won = self.game.any_next(position, |next| {
            has_move = true;
            let (code, link) = match next.stage.result {
                Some(result) => (result.sign(), None),
                None => {
                    // Most moves take nothing.
                    let own = match next.own == position.opponent {
                        true => facing,
                        false => half_of(half_boards, &next.own),
                    };
                    let index =
                        self.layer.index(&Halves { own, opponent: half_of(half_boards, &next.opponent) });
                    (self.known(index as usize, plies), Some(index))
                }
            };
            if code == 0 {
                is_open = true;
                open(link);
            }
            code < 0 || (is_open && !goal.wins)
        });
        match (is_won && goal.wins, is_open) {
            (true, _) => Verdict::of_code(plies + 1),
            (false, true) => Verdict::DRAW,
            (false, false) if has_move => Verdict::of_code(-(plies + 1)),
            (false, false) => Verdict::over(Outcome::Loss),
        }
    }

    /// The code of a position as far as sweeps before this one have written it: what this one writes may be read
    /// or not.
    #[inline(always)]
    fn known(&self, index: usize, plies: i32) -> i32 {
        let code = i32::from(self.codes[index].load(Relaxed));
        if code.abs() <= plies { code } else { 0 }
    }

    /// Decides the positions of a tile by their links, and keeps the links of those that are left.
    fn follow_links(&self, tile: &mut Tile, plies: i32) -> SweepCount {
        let mut decided = SweepCount::default();
        let links = &mut tile.links;
        let (mut read, mut write) = (0, 0);
        while read < links.len() {
            let (index, head) = (links[read], links[read + 1]);
            let (begin, end) = (write, read + 2 + (head & !CANNOT_LOSE) as usize);
            let mut is_won = false;
            write += 2;
            for at in read + 2..end {
                if let Some(ahead) = links.get(at + AHEAD) {
                    // A number that is none does no harm.
                    machine::prefetch(self.codes, *ahead as usize);
                }
                let link = links[at];
                let code = self.known(link as usize, plies);
                is_won |= code < 0;
                if code == 0 {
                    links[write] = link;
                    write += 1;
                }
            }
            read = end;
            let left = (write - begin - 2) as u32;
            let verdict = match (is_won, left, head & CANNOT_LOSE) {
                (true, ..) => Verdict::of_code(plies + 1),
                (false, 0, 0) => Verdict::of_code(-(plies + 1)),
                _ => Verdict::DRAW,
            };
            if verdict != Verdict::DRAW {
                self.codes[index as usize].store(verdict.code() as i8, Relaxed);
                decided.count(verdict, plies);
                write = begin;
            } else {
                (links[begin], links[begin + 1]) = (index, left | head & CANNOT_LOSE);
            }
        }
        links.truncate(write);
        decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PackedRings;
    use crate::rules;

    #[test]
    fn a_distance_is_told_or_refused_and_never_cut() {
        let game = PackedRings::new(&rules::game("omweso:2x1").unwrap()).unwrap();
        let numbering = Numbering::new(4, 8).unwrap();
        // The longest game of this board.
        const LONGEST: i32 = 14;
        for room in [0, 1 << 20] {
            let solve = |most| solve_up_to(most, &game, &numbering, room, &Control::default());
            let codes = solve(MOST_PLIES).unwrap();
            assert_eq!(codes.iter().map(|code| i32::from(code.abs()) - 1).max(), Some(LONGEST));
            assert_eq!(solve(LONGEST).unwrap(), codes);
            assert!(matches!(solve(LONGEST - 1), Err(Unfinished::TooFar(TooFar))));
        }
    }
}
