//! Layers in the form of the public Awari data set, whose order is worked out here once more.

#[path = "common/access.rs"]
mod access;
#[path = "common/layers.rs"]
mod layers;
#[path = "common/made.rs"]
mod made;
#[path = "common/program.rs"]
#[cfg(feature = "cli")]
mod program;

use std::fs;

use access::MAPPED;
use made::{Made, PLAIN, bytes_of};
use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::rules;
use sowbase::tables::*;
use xxhash_rust::xxh3::xxh3_128;

/// All ways to put seeds into pits.
fn fill(pits: &mut [u16; 12], pit: usize, seeds: u16, all: &mut Vec<[u16; 12]>) {
    if pit == 11 {
        pits[11] = seeds;
        return all.push(*pits);
    }
    for here in 0..=seeds {
        pits[pit] = here;
        fill(pits, pit + 1, seeds - here, all);
    }
}

/// The positions of the public Awari data set in their order.
fn sorted_awari(seeds: u16) -> Vec<[u16; 12]> {
    let mut all = Vec::new();
    fill(&mut [0; 12], 0, seeds, &mut all);
    all.retain(|pits| pits[6..].contains(&0));
    all.sort_by_key(|pits| {
        let mut last_first = *pits;
        last_first.reverse();
        last_first
    });
    all
}

#[test]
fn vu_files_hold_the_reachable_positions_in_colexicographic_order() {
    for seeds in 0..=9 {
        let made = Made::made_up("awari", seeds);
        let name = Layout::Vu.file_name(&made.rules, seeds);
        assert_eq!(name, format!("scores.{seeds}"));
        let exported = made.export(Layout::Vu, &name).unwrap();
        let sorted = sorted_awari(seeds as u16);
        let expected: Vec<i8> = sorted.iter().map(|pits| made.value(pits)).collect();
        let bytes = fs::read(made.path(&name)).unwrap();
        assert_eq!(bytes, bytes_of(&expected), "layer {seeds}");
        assert_eq!((exported.entries, exported.bytes), (bytes.len() as u64, bytes.len() as u64));
        assert_eq!(exported.checksum, xxh3_128(&bytes));
        let equal = Compared { entries: exported.entries, different: 0, first: None };
        assert_eq!(made.compare(Layout::Vu, &name).unwrap(), equal);
        // A file read without a map is the same.
        let read = made.layer(Access::Read);
        export(&read, &made.rules, Layout::Vu, &made.path("read"), false, &Control::default()).unwrap();
        assert_eq!(fs::read(made.path("read")).unwrap(), bytes);
    }
}

#[test]
fn every_entry_of_a_vu_file_is_named_when_it_differs() {
    let made = Made::made_up("awari", 7);
    made.export(Layout::Vu, "scores.7").unwrap();
    let right = fs::read(made.path("scores.7")).unwrap();
    let sorted = sorted_awari(7);
    for entry in (0..right.len()).step_by(97).chain([right.len() - 1]) {
        let mut wrong = right.clone();
        wrong[entry] ^= 0x80;
        fs::write(made.path("wrong"), &wrong).unwrap();
        let compared = made.compare(Layout::Vu, "wrong").unwrap();
        let first = compared.first.unwrap();
        let pits = &sorted[entry];
        assert_eq!((compared.different, first.entry), (1, entry as u64));
        assert_eq!(first.position, Position::of_rows(&pits[..6], &pits[6..]));
        assert_eq!(first.expected, i32::from(right[entry] as i8));
        assert_eq!(first.found, i32::from(wrong[entry] as i8));
    }
}

/// Ways to put seeds into pits.
fn ways(seeds: u16, pits: u16) -> u64 {
    match (seeds, pits) {
        (_, 0) => u64::from(seeds == 0),
        _ => (1..u64::from(pits)).fold(1, |ways, k| ways * (u64::from(seeds) + k) / k),
    }
}

/// Positions before one in colexicographic order, reachable or not.
fn colex_rank(pits: &[u16]) -> u64 {
    let mut left: u16 = pits.iter().sum();
    let mut rank = 0;
    for (pit, &here) in pits.iter().enumerate().rev() {
        rank += (0..here).map(|fewer| ways(left - fewer, pit as u16)).sum::<u64>();
        left -= here;
    }
    rank
}

/// The entry of a reachable position. The unreachable ones before it, less a seed in each of the
/// opponent's pits, are the positions before one that has as many seeds less in its last occupied pits.
fn awari_entry(pits: &[u16; 12]) -> u64 {
    let empty = (6..12).rev().find(|&pit| pits[pit] == 0).unwrap();
    let mut less = *pits;
    less[empty + 1..].iter_mut().for_each(|pit| *pit -= 1);
    let seeds: i32 = pits.iter().map(|&pit| i32::from(pit)).sum::<i32>() - 6;
    let mut left = seeds;
    let mut unreachable = 0;
    for pit in (empty + 1..12).rev() {
        for fewer in 0..i32::from(less[pit]) {
            unreachable += if left < fewer { 0 } else { ways((left - fewer) as u16, pit as u16) };
        }
        left -= i32::from(less[pit]);
    }
    colex_rank(pits) - unreachable
}

#[test]
fn a_layer_of_several_batches_is_put_in_order_too() {
    for (entry, pits) in (0..).zip(sorted_awari(8)) {
        assert_eq!(awari_entry(&pits), entry);
    }
    let made = Made::made_up("awari", 17);
    made.export(Layout::Vu, "scores.17").unwrap();
    let bytes = fs::read(made.path("scores.17")).unwrap();
    assert_eq!(bytes.len(), 20_768_748);
    let mut random = fastrand::Rng::with_seed(17);
    for _ in 0..200_000 {
        let position = made.position(random.u64(0..made.values.len() as u64));
        let mut pits = [0; 12];
        pits[..6].copy_from_slice(&position.own);
        pits[6..].copy_from_slice(&position.opponent);
        if pits[6..].contains(&0) {
            assert_eq!(bytes[awari_entry(&pits) as usize] as i8, made.value(&pits), "{position}");
        }
    }
    assert_eq!(made.compare(Layout::Vu, "scores.17").unwrap().different, 0);
}

#[test]
fn layers_have_the_published_sizes() {
    for line in include_str!("fixtures/oware_sizes.csv").lines().skip(1) {
        let words: Vec<&str> = line.split(',').collect();
        let (seeds, all, reachable) =
            (words[0].parse().unwrap(), words[1].parse().ok(), words[2].parse().ok());
        assert_eq!(Layout::Vu.entries(6, seeds), reachable, "{seeds} seeds");
        for layout in PLAIN {
            assert_eq!(layout.entries(6, seeds), all, "{seeds} seeds");
        }
    }
}

#[test]
fn only_awari_on_six_pits_goes_into_vu_files() {
    for game in ["kalah", "oware", "awari:5x4"] {
        let made = Made::made_up(game, 2);
        let error = made.export(Layout::Vu, "scores.2").unwrap_err();
        assert!(matches!(error, ExchangeError::NotAwari { .. }), "{error}");
        fs::write(made.path("scores.2"), [0; 78]).unwrap();
        let error = made.compare(Layout::Vu, "scores.2").unwrap_err();
        assert!(matches!(error, ExchangeError::NotAwari { .. }), "{error}");
    }
    // Other names and starts of the same rules are the same tables, whatever a repetition is worth.
    let mut made = Made::made_up("awari", 2);
    made.rules = made.rules.with_name("house-awari").unwrap();
    made.rules.set("cycle", "own-side").unwrap();
    made.export(Layout::Vu, "scores.2").unwrap();
    // Bounds are no values.
    let (file, control) = (made.path("bounds.sow"), Control::default());
    write_layer(&file, &made.rules, 2, Quantity::Lower, &made.values, &control).unwrap();
    let bounds = Layer::open(&file, MAPPED).unwrap();
    for layout in Layout::ALL {
        let error = export(&bounds, &made.rules, layout, &made.path("x"), false, &control).unwrap_err();
        assert!(matches!(error, ExchangeError::NotValues { .. }), "{error}");
        let error = compare(&bounds, &made.rules, layout, &made.path("scores.2"), &control).unwrap_err();
        assert!(matches!(error, ExchangeError::NotValues { .. }), "{error}");
    }
    // A layer of other rules is never taken for one of the rules given.
    made.rules = rules::game("kalah").unwrap();
    let error = made.export(Layout::Raw, "layer.raw").unwrap_err();
    assert!(matches!(error, ExchangeError::Table(TableError::RulesMismatch { .. })), "{error}");
    let error = made.compare(Layout::Raw, "scores.2").unwrap_err();
    assert!(matches!(error, ExchangeError::Table(TableError::RulesMismatch { .. })), "{error}");
}

#[test]
#[cfg(feature = "cli")]
fn awari_goes_into_the_files_of_the_public_data_set() {
    let program = program::Program::new();
    program.says(&["build", "awari", "--seeds-up-to", "6", "--bounds", "--out", "tables", "--quiet"]);
    fs::create_dir(program.path("out")).unwrap();
    let common = ["awari", "--layer", "6", "--format", "vu", "--tables", "tables"];
    program.says(&[&["export", "--out", "out"], &common[..]].concat());
    let bytes = fs::read(program.path("out/scores.6")).unwrap();
    assert_eq!(bytes.len(), 12375);
    let set = TableSet::open(&[program.path("tables")], &rules::game("awari").unwrap()).unwrap();
    for (pits, value) in sorted_awari(6).iter().zip(bytes) {
        let position = Position::of_rows(&pits[..6], &pits[6..]);
        assert_eq!(set.probe(&position).unwrap(), i32::from(value as i8), "{position}");
    }
    let said = program.says(&[&["import", "--check", "out/scores.6"], &common[..]].concat());
    assert!(said.contains("all 12375 values"), "{said}");
}
