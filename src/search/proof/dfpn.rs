//! The search for a win of one side by proof and disproof numbers, depth first (df-pn, Nagai 2002).
//!
//! Where the searched side moves, one winning move is enough: the proof number is the least of its children's, and
//! to disprove it all must be disproved. Where the other side moves it is the other way round. Numbers that
//! stand for all children are not summed, since many children lead to the same positions: they are the largest
//! one and one for each other child (weak proof numbers, Ueda et al. 2008).

use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use foldhash::fast::FixedState;

use super::estimates::{Estimates, Numbers};
use super::facts::{Claim, Facts};
use crate::board::{Game, Outcome, Overlong, PlayerRing, Rings, TwoRings};
use crate::control::Control;

/// Longest line of play that is followed.
const DEEPEST: usize = 4000;
/// Positions between two looks at the clock.
const CHECK: u64 = 1 << 6;

/// The hash of a position.
#[inline]
pub(super) fn hash<R: PlayerRing>(position: &Rings<R>) -> u64 {
    FixedState::with_seed(0).hash_one(position)
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchEnd {
    /// The side wins: that is a fact now.
    Proven,
    /// No win was found, perhaps because of repetitions.
    NotFound,
    /// It used up its positions.
    OutOfBudget,
    /// It was stopped, or the room for facts is used up.
    Halted,
}

/// A search for a win of one side.
pub(super) struct WinSearch<'a, R: PlayerRing> {
    /// The engines for the side that defends and for the one that attacks.
    games: [&'a TwoRings<R>; 2],
    facts: &'a mut Facts<R>,
    estimates: &'a mut Estimates,
    control: &'a Control,
    is_answered: &'a AtomicBool,
    /// Hashes of the positions on the way from the root, with who moves.
    path: HashSet<u64, FixedState>,
    children: Vec<Child<R>>,
    nodes: u64,
    budget: u64,
    is_halted: bool,
}

#[derive(Clone, Copy)]
struct Child<R> {
    position: Rings<R>,
    hash: u64,
    numbers: Numbers,
    /// Where it is won, the plies to the end.
    within: u32,
}

impl<'a, R: PlayerRing> WinSearch<'a, R> {
    pub fn new(
        games: [&'a TwoRings<R>; 2],
        facts: &'a mut Facts<R>,
        estimates: &'a mut Estimates,
        control: &'a Control,
        is_answered: &'a AtomicBool,
    ) -> WinSearch<'a, R> {
        WinSearch {
            games,
            facts,
            estimates,
            control,
            is_answered,
            path: HashSet::default(),
            children: Vec::new(),
            nodes: 0,
            budget: 0,
            is_halted: false,
        }
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for a win of the player to move (`attacks`) or of the other one.
    pub fn run(&mut self, position: &Rings<R>, attacks: bool, budget: u64) -> SearchEnd {
        self.budget = budget;
        let limits = Numbers { proof: Numbers::NEVER, disproof: Numbers::NEVER };
        let root = self.child(position, attacks);
        let found = self.visit(&root, attacks, limits, 0);
        match found.numbers {
            Numbers { proof: 0, .. } => SearchEnd::Proven,
            _ if self.nodes >= self.budget => SearchEnd::OutOfBudget,
            _ if self.is_halted => SearchEnd::Halted,
            _ => SearchEnd::NotFound,
        }
    }

    /// What is known of a position before its moves are made; `attacks` if the searched side moves.
    fn child(&self, position: &Rings<R>, attacks: bool) -> Child<R> {
        let hash = hash(position);
        let child = |numbers, within| Child { position: *position, hash, numbers, within };
        let claimed = |claim: Claim| match claim.wins == attacks {
            true => child(Numbers::WON, claim.within),
            false => child(Numbers::NOT_WON, 0),
        };
        match self.games[0].looks(position) {
            Some(Outcome::Draw) => return child(Numbers::NOT_WON, 0),
            Some(outcome) => return claimed(Claim { wins: outcome == Outcome::Win, within: 0 }),
            None => (),
        }
        if let Some(claim) = self.facts.get_hashed(position, hash) {
            return claimed(claim);
        }
        let key = key(hash, attacks);
        if self.path.contains(&key) {
            return child(Numbers::NOT_WON, 0);
        }
        child(self.estimates.get(key).unwrap_or_else(|| self.first_guess(position, attacks)), 0)
    }

    /// Numbers of a position that has not been looked into: one for each move that must be answered.
    fn first_guess(&self, position: &Rings<R>, attacks: bool) -> Numbers {
        let moves = self.games[0].mobility(position).max(1);
        match attacks {
            true => Numbers { proof: 1, disproof: moves },
            false => Numbers { proof: moves, disproof: 1 },
        }
    }

    /// Looks into a position until a number reaches its limit.
    fn visit(&mut self, node: &Child<R>, attacks: bool, limits: Numbers, depth: usize) -> Child<R> {
        if node.numbers.proof == 0 || node.numbers.disproof == 0 {
            return *node;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK) {
            self.control.advance(CHECK);
            self.is_halted |= self.control.check().is_err();
        }
        self.is_halted |= self.is_answered.load(Relaxed) || self.facts.is_full() || self.nodes >= self.budget;
        if self.is_halted {
            return *node;
        }
        if depth >= DEEPEST {
            return Child { numbers: Numbers::NOT_WON, ..*node };
        }
        let key = key(node.hash, attacks);
        let (begun, first) = (self.nodes, self.children.len());
        self.path.insert(key);
        let mut found = *node;
        if self.expand(&node.position, attacks).is_err() && !attacks {
            // Where he may have a move that was given up, the other player is not proven to lose.
            found.numbers = Numbers::NOT_WON;
            self.children.truncate(first);
            self.path.remove(&key);
            self.estimates.put(key, found.numbers, 0);
            return found;
        }
        loop {
            found.numbers = combined(&self.children[first..], attacks);
            if found.numbers.proof == 0 {
                found.within = within(&self.children[first..], attacks);
                self.facts.insert(&node.position, node.hash, Claim { wins: attacks, within: found.within });
                break;
            }
            let is_over = found.numbers.proof >= limits.proof || found.numbers.disproof >= limits.disproof;
            if is_over || found.numbers.disproof == 0 || self.is_halted {
                break;
            }
            let (at, limits) = most_promising(&self.children[first..], attacks, limits);
            let child = self.children[first + at];
            let child = self.visit(&child, !attacks, limits, depth + 1);
            self.children[first + at] = child;
        }
        self.children.truncate(first);
        self.path.remove(&key);
        if found.numbers.proof > 0 {
            self.estimates.put(key, found.numbers, self.nodes - begun);
        }
        found
    }

    /// Puts the positions that the moves lead to on the list, each once.
    ///
    /// # Errors
    /// [`Overlong`] if a move that was given up is missing there.
    fn expand(&mut self, position: &Rings<R>, attacks: bool) -> Result<(), Overlong> {
        let (game, first) = (self.games[usize::from(attacks)], self.children.len());
        let mut positions: Vec<Rings<R>> = Vec::with_capacity(32);
        game.for_each_move(position, |played| positions.push(played.next));
        for position in positions {
            if self.children[first..].iter().all(|child| child.position != position) {
                let child = self.child(&position, !attacks);
                self.children.push(child);
            }
        }
        game.check_laps()
    }
}

/// The key of a position in the estimates and on the way: with who moves.
#[inline(always)]
fn key(hash: u64, attacks: bool) -> u64 {
    if attacks { hash } else { !hash }
}

/// The numbers of a position from those of its children.
fn combined<R>(children: &[Child<R>], attacks: bool) -> Numbers {
    let (mut least, mut largest, mut open) = (Numbers::NEVER, 0, 0);
    for child in children {
        let (any, all) = sides(&child.numbers, attacks);
        least = least.min(any);
        largest = largest.max(all);
        open += u32::from(all > 0);
    }
    let all = if largest >= Numbers::MOST {
        largest
    } else {
        (largest + open.saturating_sub(1)).min(Numbers::MOST)
    };
    match attacks {
        true => Numbers { proof: least, disproof: all },
        false => Numbers { proof: all, disproof: least },
    }
}

/// The number of which one child must be 0, and that of which all must.
#[inline(always)]
fn sides(numbers: &Numbers, attacks: bool) -> (u32, u32) {
    if attacks { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
}

/// Plies to the end with the best move of the winner or of the loser; none for a loser who has no move.
fn within<R>(children: &[Child<R>], attacks: bool) -> u32 {
    let won = children.iter().filter(|child| child.numbers.proof == 0).map(|child| child.within);
    if attacks { won.min() } else { won.max() }.map_or(0, |plies| plies + 1)
}

/// The child to look into, and how far.
fn most_promising<R>(children: &[Child<R>], attacks: bool, limits: Numbers) -> (usize, Numbers) {
    let (mut best, mut best_any, mut best_all, mut second) = (0, Numbers::NEVER + 1, 0, Numbers::NEVER);
    let mut open = 0;
    for (at, child) in children.iter().enumerate() {
        let (any, all) = sides(&child.numbers, attacks);
        open += u32::from(all > 0);
        if any < best_any || (any == best_any && all < best_all) {
            second = second.min(best_any);
            (best, best_any, best_all) = (at, any, all);
        } else {
            second = second.min(any);
        }
    }
    let (any_limit, all_limit) = sides(&limits, attacks);
    // A margin keeps the search from turning between two children at every step.
    let any = any_limit.min(second.saturating_add(second / 4 + 1).min(Numbers::NEVER));
    let all = if all_limit >= Numbers::NEVER {
        all_limit
    } else {
        all_limit.saturating_sub(open.saturating_sub(1))
    };
    let numbers = match attacks {
        true => Numbers { proof: any, disproof: all },
        false => Numbers { proof: all, disproof: any },
    };
    (best, numbers)
}
