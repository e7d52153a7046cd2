//! Distances to the next capture and lines that get there, against the definition applied to whole
//! layers until nothing changes, and against the plain engine.

#[path = "common/brute_oware.rs"]
mod brute_oware;
#[path = "common/layers.rs"]
mod layers;

use std::collections::HashMap;
use std::fs;

use brute_oware::{AWARI, Board, FREE_SLAM, NO_SLAM, OWARE, Rows, Switches};
use sowbase::board::{ChainLap, Game, Move, Position, Ring};
use sowbase::control::Control;
use sowbase::index::Numbered;
use sowbase::retrograde::{Distances, Layers};
use sowbase::rules::Rules;
use sowbase::search::{Distance, Explorer};
use sowbase::tables::{BuildPlan, Entries, Quantity, TableSet, build, file_name, folder_name, stats};

const NAMED: [(&str, Switches); 5] = [
    ("oware", OWARE),
    ("awari", AWARI),
    ("oware grand-slam=free", FREE_SLAM),
    ("oware grand-slam=illegal", NO_SLAM),
    ("oware origin=sow", Switches { origin_sow: true, ..OWARE }),
];

fn rules_of(pits: usize, text: &str) -> Rules {
    let (name, switches) = text.split_once(' ').unwrap_or((text, ""));
    layers::game(&format!("{name}:{pits}x4 {switches}"))
}

fn position<const PITS: usize>(rows: &Rows<PITS>) -> Position {
    let [own, opponent] = rows.map(|row| row.map(u16::from));
    Position::of_rows(&own, &opponent)
}

/// The plies to the next capture or end of all positions of a board, `None` where a 0 is held by a
/// circle. Starts from "never" and applies the definition until nothing changes.
fn brute_distances<const PITS: usize>(board: &Board<PITS>, s: Switches) -> Vec<Option<u32>> {
    let values = brute_oware::solve(board, s).split;
    let number: HashMap<_, _> = board.positions.iter().enumerate().map(|(at, rows)| (*rows, at)).collect();
    let mut distances = vec![None; board.positions.len()];
    for seeds in 0..=board.top() {
        let layer = board.layer(seeds);
        loop {
            let mut changed = false;
            for at in layer.clone() {
                let moves = brute_oware::legal_moves(s, &board.positions[at]);
                let kept = moves.iter().filter(|m| m.gain - values[number[&m.next]] == values[at]);
                let options: Vec<Option<u32>> = kept
                    .map(
                        |m| if m.gain > 0 { Some(1) } else { distances[number[&m.next]].map(|d: u32| d + 1) },
                    )
                    .collect();
                let new = if moves.is_empty() {
                    Some(0)
                } else if values[at] > 0 {
                    options.into_iter().flatten().min()
                } else {
                    options.into_iter().collect::<Option<Vec<u32>>>().map(|all| *all.iter().max().unwrap())
                };
                changed |= new != distances[at];
                distances[at] = new;
            }
            if !changed {
                break;
            }
        }
        for at in layer {
            assert!(values[at] == 0 || distances[at].is_some(), "a side that profits gets there");
        }
    }
    distances
}

/// What the lines of a comparison were like.
#[derive(Default, Debug)]
struct Met {
    ended: u32,
    held: u32,
    captures: u32,
    longest: u32,
}

/// Plays a line by the plain engine: it realises the value, and its captures come when they should.
fn replay(
    ring: &Ring,
    set: &TableSet,
    position: &Position,
    line: &[Move],
    plies: &[Option<u32>],
    met: &mut Met,
) {
    let value = set.probe(position).unwrap();
    let (mut here, mut total, mut side) = (ring.pack(position), 0, 1);
    let context = || format!("{line:?} of {position} under {:?}", ring.rules().changes());
    let mut next_event = plies[0];
    for (ply, choice) in line.iter().enumerate() {
        let mut made = None;
        ring.for_each_move(&here, |played| made = made.or((played.choice == *choice).then_some(played)));
        let made = made.unwrap_or_else(|| panic!("move {} of {} is illegal", ply + 1, context()));
        total += side * (made.gain - made.opponent_gain);
        side = if made.again { side } else { -side };
        here = made.next;
        let waited = next_event.unwrap_or_else(|| panic!("{} goes on in a circle", context()));
        let over = ring.end_value(&here).is_some();
        assert_eq!(waited == 1, made.gain != 0 || over, "event at move {} of {}", ply + 1, context());
        next_event = if made.gain == 0 { Some(waited - 1) } else { plies[ply + 1] };
        assert_eq!(next_event, plies[ply + 1], "distance after move {} of {}", ply + 1, context());
        met.captures += u32::from(made.gain != 0);
    }
    match ring.end_value(&here) {
        Some(rest) => {
            met.ended += 1;
            total += side * rest;
        }
        None => {
            met.held += 1;
            assert_eq!((set.probe(&here).unwrap(), next_event), (0, None), "end of {}", context());
        }
    }
    assert_eq!(total, value, "total of {}", context());
    met.longest = met.longest.max(line.len() as u32);
}

/// Compares distances and lines of all positions of a layer.
fn compare_layer<const PITS: usize, G: Numbered>(
    game: &G,
    set: &TableSet,
    board: &Board<PITS>,
    expected: &HashMap<Position, Option<u32>>,
    seeds: u32,
    met: &mut Met,
) {
    let control = Control::default();
    let all = set.values();
    let slices: Vec<&[i8]> = (0..=seeds).map(|seeds| all.layer(seeds).unwrap()).collect();
    let counted = Distances::new(game, set.numbering(), &slices, &control).unwrap();
    let explorer = Explorer::new(game, seeds, |position| set.probe(position)).unwrap();
    let ring = Ring::new(game.rules()).unwrap();
    let mut by_index = Vec::new();
    let layer = &board.positions[board.layer(seeds as usize)];
    // Lines of all positions of small layers, and of some of large ones.
    let step = layer.len().div_ceil(1000);
    for (at, rows) in layer.iter().enumerate() {
        let position = position(rows);
        let plies = expected[&position];
        let (_, index) = set.numbering().number(&position).unwrap();
        let context = || format!("{position} of {}", game.rules().title());
        assert_eq!(counted.plies(index), plies, "{}", context());
        by_index.push((index, plies));
        if at % step > 0 {
            continue;
        }
        let distance = plies.map_or(Distance::Never, Distance::Plies);
        let packed = game.pack(&position);
        assert_eq!(explorer.distance(&packed, &control).unwrap(), distance, "{}", context());
        let (again, line) = explorer.line(&packed, &control).unwrap();
        let line = line.unwrap_or_else(|| panic!("no line of {}", context()));
        assert_eq!(again, distance, "{}", context());
        // The distances of the positions on the way.
        let mut on_the_way = vec![plies];
        let mut here = packed;
        for choice in &line {
            let mut next = None;
            game.for_each_move(&here, |played| {
                next = next.or((played.choice == *choice).then_some(played.next))
            });
            here = next.unwrap();
            on_the_way.push(expected[&game.unpack(&here)]);
        }
        replay(&ring, set, &position, &line, &on_the_way, met);
    }
    let most = by_index.iter().filter_map(|(_, plies)| *plies).max().unwrap();
    let first = by_index.iter().filter(|(_, plies)| *plies == Some(most)).map(|(index, _)| *index).min();
    assert_eq!(counted.longest(), Some((most, first.unwrap())));
}

fn compare<const PITS: usize>(top: u8) -> Met {
    let board = Board::<PITS>::new(top);
    let mut met = Met::default();
    for (text, s) in NAMED {
        let rules = rules_of(PITS, text);
        let distances = brute_distances(&board, s);
        let expected: HashMap<Position, Option<u32>> =
            board.positions.iter().map(position).zip(distances).collect();
        let set = TableSet::from_layers(&rules, layers::build(&rules, top.into()).into_layers()).unwrap();
        for seeds in 0..=u32::from(top) {
            compare_layer(&ChainLap::new(&rules).unwrap(), &set, &board, &expected, seeds, &mut met);
            if seeds <= u32::from(top) / 2 {
                compare_layer(&Ring::new(&rules).unwrap(), &set, &board, &expected, seeds, &mut met);
            }
        }
    }
    println!("{PITS} pits, {top} seeds: {met:?}");
    assert!(met.ended > 100 && met.captures > 100, "{met:?}");
    met
}

#[test]
fn six_pits() {
    let met = compare::<6>(6);
    assert!(met.held > 100, "{met:?}");
}

#[test]
fn smaller_boards_with_more_seeds() {
    compare::<2>(24);
    compare::<3>(12);
    compare::<4>(9);
    compare::<5>(7);
}

/// The definition applied to one layer through the plain engine.
fn distances_by_ring(ring: &Ring, layers: &Layers, seeds: u32) -> Vec<Option<u32>> {
    let (numbering, values) = (layers.numbering(), layers.layer(seeds));
    let mut distances = vec![None; values.len()];
    loop {
        let before = distances.clone();
        for (at, &value) in values.iter().enumerate() {
            let here = numbering.position(seeds, at as u64);
            let mut options = Vec::new();
            ring.for_each_move(&here, |played| {
                let next = layers::value(layers, &played.next);
                let gain = played.gain - played.opponent_gain;
                let (_, to) = numbering.number(&played.next).unwrap();
                if gain + if played.again { next } else { -next } == i32::from(value) {
                    let captures = played.next.seeds() < seeds;
                    options.push(if captures { Some(1) } else { before[to as usize].map(|d: u32| d + 1) });
                }
            });
            distances[at] = if ring.end_value(&here).is_some() {
                Some(0)
            } else if value > 0 {
                options.into_iter().flatten().min()
            } else {
                options.into_iter().collect::<Option<Vec<u32>>>().map(|all| *all.iter().max().unwrap())
            };
        }
        if distances == before {
            return distances;
        }
    }
}

#[test]
fn extra_moves_and_passes_count_as_plies() {
    let passing = "oware:2x1 end=all-empty no-move=pass feed=none grand-slam=free";
    let endless = [
        &format!("{passing} capture=none"),
        "kalah:3x1 own-store=skip capture=none extra-move=none end=all-empty no-move=pass",
    ];
    for (text, top) in [("kalah:3x1", 7), (passing, 9), (endless[0], 4), (endless[1], 4)] {
        let rules = layers::game(text);
        let (ring, control) = (Ring::new(&rules).unwrap(), Control::default());
        let layers = layers::build(&rules, top);
        let set =
            TableSet::from_layers(&rules, (0..=top).map(|n| layers.layer(n).to_vec()).collect()).unwrap();
        let explorer = Explorer::new(&ring, top, |position| set.probe(position)).unwrap();
        for seeds in 0..=top {
            let slices: Vec<&[i8]> = (0..=seeds).map(|seeds| layers.layer(seeds)).collect();
            let counted = Distances::new(&ring, layers.numbering(), &slices, &control).unwrap();
            let expected = distances_by_ring(&ring, &layers, seeds);
            assert_eq!(counted.longest().map(|(plies, _)| plies), expected.iter().copied().flatten().max());
            for (index, plies) in (0..).zip(expected) {
                let position = layers.numbering().position(seeds, index);
                assert_eq!(counted.plies(index), plies, "{position} of {text}");
                let distance = plies.map_or(Distance::Never, Distance::Plies);
                assert_eq!(explorer.distance(&position, &control).unwrap(), distance, "{position} of {text}");
                assert!(explorer.line(&position, &control).unwrap().1.is_some(), "{position} of {text}");
            }
            assert!(!endless.contains(&text) || seeds == 0 || counted.longest().is_none());
        }
    }
}

#[test]
fn statistics_tell_the_longest_distance_if_all_lower_layers_are_there() {
    let dir = tempfile::tempdir().unwrap();
    let rules = layers::game("oware");
    let values = layers::build(&rules, 5);
    let slices: Vec<&[i8]> = (0..=5).map(|seeds| values.layer(seeds)).collect();
    let ring = Ring::new(&rules).unwrap();
    let counted = Distances::new(&ring, values.numbering(), &slices, &Control::default()).unwrap();
    let (distance, index) = counted.longest().unwrap();

    let plan = BuildPlan::new(&rules, 5, dir.path());
    build(&plan, &Control::default(), |_| ()).unwrap();
    let found = |layer| stats(dir.path(), layer, &Control::default()).unwrap()[0].layers.clone();
    for layers in [found(None), found(Some(5))] {
        let last = layers.last().unwrap();
        let longest = last.longest.as_ref().unwrap();
        assert_eq!(longest.distance, distance);
        assert_eq!(longest.position, values.numbering().position(5, index));
        let total: i32 = values.layer(5).iter().map(|value| i32::from(*value)).sum();
        let Entries::Values(spread) = &last.entries else { panic!("the entries are values") };
        assert_eq!(spread.mean, f64::from(total) / values.layer(5).len() as f64);
    }
    let folder = dir.path().join(folder_name(&rules));
    fs::remove_file(folder.join(file_name(3, Quantity::Value))).unwrap();
    assert!(found(Some(5))[0].longest.is_none());
    assert!(found(Some(2))[0].longest.is_some());
}
