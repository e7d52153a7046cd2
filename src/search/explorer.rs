//! The distance of a position to the next capture, and lines of play that get there.
//!
//! Where positions can repeat, a player can keep a won value for ever without winning anything.
//! [`crate::retrograde::Distances`] says what a distance is and counts those of a whole layer; here only
//! positions are met that moves keeping the value lead to, and no more of them than it takes.
//!
//! Where a side profits, positions are met ply by ply. What lies beyond the plies met can only bring
//! a distance down to no less than the plies met, so a smaller one is right. At value 0,
//! where there is a distance only if no play can be kept in a circle, one line after the other is
//! followed, and the first that meets itself decides.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::AtomicU32;

use crate::board::{Move, Played, Position};
use crate::control::{Control, Stopped};
use crate::index::{Numbered, Numbering, TooLarge};
use crate::retrograde::distance::{OVER, Predecessors, first_state, plies, settle, waits};

/// Most positions met for one distance.
const LIMIT: usize = 4_000_000;
/// Positions met between two looks at the control.
const ROUND: usize = 1 << 12;

/// How far the next capture is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// This many plies until it has happened, or until the end of the game if that comes first; 0 if
    /// the game is over.
    Plies(u32),
    /// The value is 0 and play can be kept in a circle.
    Never,
    /// It was not found within the limits of the work.
    Unknown,
}

/// Finds distances and lines of positions from finished layers.
pub struct Explorer<'a, G, P> {
    game: &'a G,
    numbering: Numbering,
    probe: P,
    limit: usize,
}

/// What was found of a position and of those around it.
enum Found {
    /// Distances by index in the layer, right for all positions of lines that realise that of the first.
    Distances(HashMap<u64, u32>),
    Never,
    Unknown,
}

/// The moves that keep the value of a position.
struct Kept<P> {
    value: i32,
    over: bool,
    moves: Vec<KeptMove<P>>,
}

/// A move that keeps the value.
struct KeptMove<P> {
    played: Played<P>,
    /// Index of the next position, unless the move captures.
    quiet: Option<u64>,
}

impl<P> Kept<P> {
    /// The indices of the positions that its quiet moves lead to.
    fn quiet(&self) -> impl Iterator<Item = u64> {
        self.moves.iter().filter_map(|step| step.quiet)
    }

    fn first_state(&self) -> u32 {
        if self.over {
            return OVER;
        }
        let quiet = self.quiet().count();
        first_state(self.value, self.moves.len() > quiet, quiet)
    }
}

/// A position of a line that is followed.
struct LineVisit {
    index: u64,
    /// The positions that it may go on to.
    quiet: std::vec::IntoIter<u64>,
    /// The distance by the moves that have been followed.
    distance: u32,
}

impl<G: Numbered, P> std::fmt::Debug for Explorer<'_, G, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer")
            .field("rules", &self.game.rules().title())
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl<'a, G: Numbered, E, P: Fn(&Position) -> Result<i32, E>> Explorer<'a, G, P> {
    /// An explorer of positions with up to `max_seeds` seeds in the pits. `probe` gives the value of a
    /// position with empty stores, from the layer of its seeds.
    ///
    /// # Errors
    /// [`TooLarge`] if positions with so many seeds cannot be numbered.
    pub fn new(game: &'a G, max_seeds: u32, probe: P) -> Result<Self, TooLarge> {
        let numbering = Numbering::new(game.rules().pits().into(), max_seeds)?;
        Ok(Explorer { game, numbering, probe, limit: LIMIT })
    }

    /// The distance of a position; [`Distance::Unknown`] if the control stopped the work or too many
    /// positions are in the way.
    ///
    /// # Errors
    /// What the probe gives, for instance because a layer is missing.
    ///
    /// # Panics
    /// Here and below if the position has more seeds than the explorer was made for.
    pub fn distance(&self, position: &G::Position, control: &Control) -> Result<Distance, E> {
        let found = self.explore(position, control)?;
        Ok(self.distance_in(&found, position))
    }

    /// The distance of a position, and a line of moves that keep its value: the side that profits takes
    /// one of least distance and the other one of greatest, the first by pit. It goes on after
    /// captures and ends with the game, or where the rest is a 0 held by a circle. `None` instead of a
    /// line if some distance on its way was not found.
    ///
    /// # Errors
    /// As [`Explorer::distance`].
    pub fn line(
        &self,
        position: &G::Position,
        control: &Control,
    ) -> Result<(Distance, Option<Vec<Move>>), E> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut first = None;
        loop {
            let found = self.explore(&position, control)?;
            let distance = self.distance_in(&found, &position);
            let first = *first.get_or_insert(distance);
            match found {
                Found::Never => return Ok((first, Some(line))),
                Found::Unknown => return Ok((first, None)),
                Found::Distances(distances) => loop {
                    let kept = self.kept(&position)?;
                    if kept.over {
                        return Ok((first, Some(line)));
                    }
                    let Some(step) = best(&kept, &distances) else { return Ok((first, None)) };
                    line.push(step.played.choice);
                    position = step.played.next;
                    if step.quiet.is_none() {
                        break;
                    }
                },
            }
        }
    }

    fn distance_in(&self, found: &Found, position: &G::Position) -> Distance {
        match found {
            Found::Distances(distances) => distances
                .get(&self.index(position))
                .map_or(Distance::Unknown, |plies| Distance::Plies(*plies)),
            Found::Never => Distance::Never,
            Found::Unknown => Distance::Unknown,
        }
    }

    fn index(&self, position: &G::Position) -> u64 {
        let halves = self.game.halves(self.numbering.half_boards(), position);
        self.numbering.layer(halves.seeds()).index(&halves)
    }

    fn value(&self, position: &G::Position) -> Result<i32, E> {
        (self.probe)(&self.game.unpack(position))
    }

    fn kept(&self, position: &G::Position) -> Result<Kept<G::Position>, E> {
        let (value, seeds) = (self.value(position)?, self.game.seeds(position));
        let over = self.game.end_value(position).is_some();
        let mut all = Vec::new();
        self.game.for_each_move(position, |played| all.push(played));
        let mut moves = Vec::with_capacity(all.len());
        for played in all {
            if played.worth(self.value(&played.next)?) == value {
                let stays = self.game.seeds(&played.next) == seeds;
                moves.push(KeptMove { played, quiet: stays.then(|| self.index(&played.next)) });
            }
        }
        Ok(Kept { value, over, moves })
    }

    fn explore(&self, position: &G::Position, control: &Control) -> Result<Found, E> {
        let seeds = self.game.seeds(position);
        assert!(seeds <= self.numbering.max_seeds(), "{seeds} seeds are more than the explorer was made for");
        if self.value(position)? == 0 {
            self.follow(position, control)
        } else {
            self.widen(position, control)
        }
    }

    /// Meets the positions around one whose value is not 0, ply by ply.
    fn widen(&self, position: &G::Position, control: &Control) -> Result<Found, E> {
        let (seeds, root) = (self.game.seeds(position), self.index(position));
        let mut met = vec![root];
        let mut numbers = HashMap::from([(root, 0_u32)]);
        let (mut states, mut links) = (Vec::new(), Vec::new());
        let mut settled_at = 0;
        // The positions of fewer plies than this have been made to move.
        for plies_met in 0_u32.. {
            let (complete, full) = (states.len() == met.len(), met.len() > self.limit);
            if complete || full || states.len() >= 2 * settled_at {
                settled_at = states.len();
                let Ok(states) = settled(&states, &links, met.len(), control) else { break };
                match plies(states[0]) {
                    Some(distance) if complete || distance < plies_met => {
                        let known = numbers.into_iter();
                        let known =
                            known.filter_map(|(index, at)| Some((index, plies(states[at as usize])?)));
                        return Ok(Found::Distances(known.collect()));
                    }
                    // Complete without a distance: values of sound layers do not come to this.
                    _ if complete || full => break,
                    _ => (),
                }
            }
            for from in states.len()..met.len() {
                if from % ROUND == 0 && control.check().is_err() {
                    return Ok(Found::Unknown);
                }
                let kept = self.kept(&self.position(seeds, met[from]))?;
                let state = kept.first_state();
                states.push(state);
                for index in kept.quiet().filter(|_| waits(state)) {
                    let number = *numbers.entry(index).or_insert_with(|| {
                        met.push(index);
                        met.len() as u32 - 1
                    });
                    links.push((from as u32, number));
                }
            }
        }
        Ok(Found::Unknown)
    }

    /// Follows all lines of moves that keep a value of 0.
    fn follow(&self, position: &G::Position, control: &Control) -> Result<Found, E> {
        let (seeds, root) = (self.game.seeds(position), self.index(position));
        // Positions of the line in work have no distance yet.
        let mut distances: HashMap<u64, Option<u32>> = HashMap::from([(root, None)]);
        let mut line: Vec<LineVisit> = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(index) = next.take() {
                let met = distances.len();
                if met > self.limit || (met % ROUND == 1 && control.check().is_err()) {
                    return Ok(Found::Unknown);
                }
                let kept = self.kept(&self.position(seeds, index))?;
                if kept.moves.is_empty() && !kept.over {
                    // Values of sound layers do not come to this.
                    return Ok(Found::Unknown);
                }
                let quiet = kept.quiet().collect::<Vec<_>>().into_iter();
                line.push(LineVisit { index, quiet, distance: u32::from(!kept.over) });
            }
            let Some(last) = line.last_mut() else { break };
            let distance = match last.quiet.next() {
                Some(index) => match distances.entry(index) {
                    Entry::Occupied(known) => match known.get() {
                        Some(distance) => *distance,
                        None => return Ok(Found::Never),
                    },
                    Entry::Vacant(place) => {
                        place.insert(None);
                        next = Some(index);
                        continue;
                    }
                },
                None => {
                    let (index, distance) = (last.index, last.distance);
                    distances.insert(index, Some(distance));
                    line.pop();
                    distance
                }
            };
            if let Some(last) = line.last_mut() {
                last.distance = last.distance.max(distance + 1);
            }
        }
        let known = distances.into_iter();
        Ok(Found::Distances(known.filter_map(|(index, distance)| Some((index, distance?))).collect()))
    }

    fn position(&self, seeds: u32, index: u64) -> G::Position {
        self.game.pack(&self.numbering.position(seeds, index))
    }
}

/// The states of positions with these links between them, settled as far as they are known.
fn settled(
    states: &[u32],
    links: &[(u32, u32)],
    positions: usize,
    control: &Control,
) -> Result<Vec<u32>, Stopped> {
    let mut predecessors = Predecessors::new(positions);
    links.iter().for_each(|&(_, to)| predecessors.count(to));
    predecessors.open().expect("a limited number of positions has few links");
    links.iter().for_each(|&(from, to)| predecessors.add(from, to));
    // What is not met waits for ever.
    let unmet = std::iter::repeat_n(first_state(0, false, 0), positions - states.len());
    let states: Vec<AtomicU32> = states.iter().copied().chain(unmet).map(AtomicU32::new).collect();
    settle(&states, &predecessors, control)?;
    Ok(states.into_iter().map(AtomicU32::into_inner).collect())
}

/// The move of a line that realises the distance: the nearest for a side that profits, else the
/// farthest.
fn best<'a, P>(kept: &'a Kept<P>, distances: &HashMap<u64, u32>) -> Option<&'a KeptMove<P>> {
    let distance = |step: &KeptMove<P>| match step.quiet {
        Some(index) => distances.get(&index).copied(),
        None => Some(0),
    };
    let known = kept.moves.iter().filter_map(|step| Some((distance(step)?, step)));
    // The first of equal ones by pit.
    let best = if kept.value > 0 {
        known.min_by_key(|(distance, _)| *distance)
    } else {
        known.rev().max_by_key(|(distance, _)| *distance)
    };
    best.map(|(_, step)| step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{ChainLap, Game};
    use crate::retrograde::Layers;
    use crate::tables::{TableError, TableSet};

    fn layers(rules: &crate::rules::Rules, top: u32) -> TableSet {
        let mut layers = Layers::new(rules, top).unwrap();
        while layers.next() <= top {
            layers.build_next(&Control::default()).unwrap();
        }
        TableSet::from_layers(rules, layers.into_layers()).unwrap()
    }

    #[test]
    fn no_limit_makes_a_distance_wrong() {
        let rules = crate::rules::game("awari:3x1").unwrap();
        let (game, set) = (ChainLap::new(&rules).unwrap(), layers(&rules, 8));
        let mut explorer = Explorer::new(&game, 8, |position: &Position| set.probe(position)).unwrap();
        let control = Control::default();
        let (mut found, mut unknown) = (0, 0);
        for index in 0..set.numbering().layer(8).size() {
            let position = game.pack(&set.numbering().position(8, index));
            explorer.limit = LIMIT;
            let full = explorer.line(&position, &control).unwrap();
            assert_ne!(full.0, Distance::Unknown);
            for limit in [0, 1, 2, 5, 10, 20, 50] {
                explorer.limit = limit;
                let (distance, line) = explorer.line(&position, &control).unwrap();
                if distance == Distance::Unknown {
                    unknown += 1;
                } else {
                    found += 1;
                    assert_eq!(distance, full.0);
                }
                assert!(line.is_none() || line == full.1);
            }
        }
        assert!(found > 1000 && unknown > 1000, "{found} found, {unknown} not");
    }

    #[test]
    fn a_stop_and_a_missing_layer_are_told() {
        let rules = crate::rules::game("awari:3x1").unwrap();
        let (game, set) = (ChainLap::new(&rules).unwrap(), layers(&rules, 5));
        let explorer = Explorer::new(&game, 6, |position: &Position| set.probe(position)).unwrap();
        let pack = |text: &str| game.pack(&Position::parse(&rules, text).unwrap());
        let (won, drawn) = (pack("0 1 2 / 1 1 0"), pack("0 0 1 / 0 0 1"));
        let control = Control::default();
        let missing = explorer.distance(&pack("0 1 2 / 1 1 1"), &control);
        assert!(matches!(missing, Err(TableError::MissingLayer { seeds: 6, .. })));
        control.stop();
        for position in [won, drawn] {
            assert_eq!(explorer.distance(&position, &control).unwrap(), Distance::Unknown);
        }
    }
}
