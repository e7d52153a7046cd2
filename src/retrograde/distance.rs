//! How many plies the next capture is away, for whole layers.
//!
//! Where positions can repeat, moves that keep the value need not make progress. The *distance* of a
//! position is the number of plies to the next capture, or to the end of the game if that comes
//! first, in play of moves that keep the value: the side whose value is above 0 hastens, the other
//! delays. At value 0 both delay, and there is no distance if they can go on for ever.
//!
//! A capture here is every move that takes seeds out of the pits. Distances are counted backwards:
//! a player who hastens is settled by the first of his moves whose distance is known, one who delays
//! by the last. Positions are met by rising distance, so the first is the nearest and the last the
//! farthest. Whatever is left at the end waits in a circle. Everywhere else there is exactly one
//! solution of "one more than the nearest (farthest) move", so the order of the work does not show.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::board::Overlong;
use crate::control::{Control, Stopped};
use crate::index::{Numbered, Numbering};

/// Positions whose moves are made between two looks at the control.
const CHUNK: usize = 1 << 12;

/// So many positions are shared among threads; fewer are sooner dealt with by one.
const SHARED_FROM: usize = 1 << 12;

/// Of a state that is no distance yet: the lower bits count the moves it waits for.
const WAITING: u32 = 1 << 31;

/// Most positions that are counted at once.
pub(crate) const MOST_POSITIONS: u64 = WAITING as u64;

/// The state of a position that is over.
pub(crate) const OVER: u32 = 0;

/// The state in which a position that is not over begins: whether some move that keeps its value
/// captures, and how many others there are.
pub(crate) fn first_state(value: i32, captures: bool, quiet: usize) -> u32 {
    match (captures, quiet) {
        (true, 0) => 1,
        (true, _) if value > 0 => 1,
        _ if value > 0 => WAITING | 1,
        _ => WAITING | quiet as u32,
    }
}

/// Whether a state in which a position begins depends on its quiet moves.
pub(crate) fn waits(state: u32) -> bool {
    state & WAITING != 0
}

/// The distance that a state says, if it is settled.
pub(crate) fn plies(state: u32) -> Option<u32> {
    (!waits(state)).then_some(state)
}

/// For each position those that have a quiet move to it which keeps the value. Filled in two rounds:
/// all links are counted, then added.
pub(crate) struct Predecessors {
    /// Before [`Predecessors::open`] the number of links to each position, then where the next one
    /// goes; when all are added, that is where the list ends and the next begins.
    ends: Vec<AtomicU32>,
    links: Vec<AtomicU32>,
}

impl Predecessors {
    pub fn new(positions: usize) -> Predecessors {
        Predecessors { ends: (0..positions).map(|_| AtomicU32::new(0)).collect(), links: Vec::new() }
    }

    pub fn count(&self, to: u32) {
        self.ends[to as usize].fetch_add(1, Relaxed);
    }

    /// Makes room for the links counted; `None` if they are too many.
    pub fn open(&mut self) -> Option<()> {
        let mut total = 0_u32;
        for end in &mut self.ends {
            let links = std::mem::replace(end.get_mut(), total);
            total = total.checked_add(links)?;
        }
        self.links = (0..total).map(|_| AtomicU32::new(0)).collect();
        Some(())
    }

    pub fn add(&self, from: u32, to: u32) {
        let at = self.ends[to as usize].fetch_add(1, Relaxed);
        self.links[at as usize].store(from, Relaxed);
    }

    fn of(&self, to: u32) -> impl Iterator<Item = u32> + '_ {
        let end = |at: usize| self.ends[at].load(Relaxed) as usize;
        let start = (to as usize).checked_sub(1).map_or(0, end);
        self.links[start..end(to as usize)].iter().map(|link| link.load(Relaxed))
    }
}

/// Turns the first states of all positions into distances.
///
/// # Errors
/// [`Stopped`]; the states are then of no use.
pub(crate) fn settle(
    states: &[AtomicU32],
    predecessors: &Predecessors,
    control: &Control,
) -> Result<(), Stopped> {
    let with_state = |wanted| -> Vec<u32> {
        let has = |&at: &u32| states[at as usize].load(Relaxed) == wanted;
        let all = 0..states.len() as u32;
        if states.len() < SHARED_FROM {
            all.filter(has).collect()
        } else {
            all.into_par_iter().filter(has).collect()
        }
    };
    let mut settled = with_state(OVER);
    for distance in 1.. {
        control.check()?;
        let reached =
            |&to: &u32| predecessors.of(to).filter(move |&from| arrives(&states[from as usize], distance));
        let reached: Vec<u32> = if settled.len() < SHARED_FROM {
            settled.iter().flat_map(reached).collect()
        } else {
            settled.par_iter().flat_map_iter(reached).collect()
        };
        settled = if distance == 1 { with_state(1) } else { reached };
        if settled.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Tells a position that one of its moves is settled. Returns whether that settles it too, at this
/// distance.
fn arrives(state: &AtomicU32, distance: u32) -> bool {
    let step = |state: u32| match state - 1 {
        WAITING => distance,
        waiting => waiting,
    };
    let before = state.fetch_update(Relaxed, Relaxed, |state| waits(state).then(|| step(state)));
    before == Ok(WAITING | 1)
}

/// The distances of all positions of a layer.
pub struct Distances {
    states: Vec<AtomicU32>,
}

impl fmt::Debug for Distances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Distances").field("positions", &self.states.len()).finish_non_exhaustive()
    }
}

/// Distances of a layer cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Uncounted {
    /// More positions or moves than 32 bits can number.
    #[error("a layer of {positions} positions is too large for its distances to be counted at once")]
    TooLarge {
        /// Positions of the layer.
        positions: u64,
    },
    /// The control asked for it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A move could not be played out.
    #[error(transparent)]
    Overlong(#[from] Overlong),
}

impl Distances {
    /// Counts the distances of the last of `layers`, which are finished layers of values from 0 up, with
    /// all threads of the current rayon pool. Takes 8 bytes a position, and 4 for each quiet move that
    /// keeps the value. Progress counts positions.
    ///
    /// # Errors
    /// [`Uncounted`], with the reason.
    ///
    /// # Panics
    /// If a layer does not have the size that the numbering says, or there is none.
    pub fn new<G: Numbered>(
        game: &G,
        numbering: &Numbering,
        layers: &[&[i8]],
        control: &Control,
    ) -> Result<Distances, Uncounted> {
        let seeds = layers.len().checked_sub(1).expect("a layer to count in") as u32;
        for (seeds, layer) in (0..).zip(layers) {
            assert_eq!(layer.len() as u64, numbering.layer(seeds).size(), "values of layer {seeds}");
        }
        let size = layers[seeds as usize].len();
        let too_large = || Uncounted::TooLarge { positions: size as u64 };
        if size as u64 >= MOST_POSITIONS {
            return Err(too_large());
        }
        let moves = LayerPositions { game, numbering, layers, seeds };
        let states: Vec<AtomicU32> = (0..size).map(|_| AtomicU32::new(OVER)).collect();
        let mut predecessors = Predecessors::new(size);
        let chunks = || states.par_chunks(CHUNK).enumerate();
        let positions = |chunk: usize| (chunk * CHUNK) as u64..;
        chunks().try_for_each(|(chunk, states)| {
            control.check()?;
            let mut quiet = Vec::new();
            for (index, state) in positions(chunk).zip(states) {
                state.store(moves.first_state(index, &mut quiet), Relaxed);
                quiet.iter().for_each(|&to| predecessors.count(to));
            }
            control.advance(states.len() as u64);
            Ok::<(), Stopped>(())
        })?;
        game.check_laps()?;
        predecessors.open().ok_or_else(too_large)?;
        chunks().try_for_each(|(chunk, states)| {
            control.check()?;
            let mut quiet = Vec::new();
            for (index, _) in positions(chunk).zip(states).filter(|(_, state)| waits(state.load(Relaxed))) {
                moves.first_state(index, &mut quiet);
                quiet.iter().for_each(|&to| predecessors.add(index as u32, to));
            }
            Ok::<(), Stopped>(())
        })?;
        settle(&states, &predecessors, control)?;
        Ok(Distances { states })
    }

    /// The distance of a position in plies, 0 if it is over; `None` if its value is 0 and play can go on
    /// for ever.
    ///
    /// # Panics
    /// If the layer has no such index.
    pub fn plies(&self, index: u64) -> Option<u32> {
        plies(self.states[index as usize].load(Relaxed))
    }

    /// The longest distance in plies and the index of the first position that has it; `None` if play can
    /// go on for ever from all positions.
    pub fn longest(&self) -> Option<(u32, u64)> {
        let known =
            (0..self.states.len() as u64).into_par_iter().filter_map(|at| Some((self.plies(at)?, at)));
        known.max_by_key(|&(plies, at)| (plies, u64::MAX - at))
    }
}

/// The moves of a layer's positions.
struct LayerPositions<'a, G> {
    game: &'a G,
    numbering: &'a Numbering,
    layers: &'a [&'a [i8]],
    seeds: u32,
}

impl<G: Numbered> LayerPositions<'_, G> {
    /// The state in which a position begins; `quiet` gets the positions that it waits for.
    fn first_state(&self, index: u64, quiet: &mut Vec<u32>) -> u32 {
        quiet.clear();
        let position = self.game.pack(&self.numbering.position(self.seeds, index));
        if self.game.end_value(&position).is_some() {
            return OVER;
        }
        let value = i32::from(self.layers[self.seeds as usize][index as usize]);
        let mut captures = false;
        self.game.for_each_move(&position, |played| {
            let next = self.game.halves(self.numbering.half_boards(), &played.next);
            let index = self.numbering.layer(next.seeds()).index(&next);
            let worth = played.worth(self.layers[next.seeds() as usize][index as usize].into());
            match next.seeds() == self.seeds {
                _ if worth != value => (),
                true => quiet.push(index as u32),
                false => captures = true,
            }
        });
        let state = first_state(value, captures, quiet.len());
        if !waits(state) {
            quiet.clear();
        }
        state
    }
}
