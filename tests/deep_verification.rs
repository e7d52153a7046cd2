//! Tables agree with the plain engine, entry by entry, also where wrong ones could agree with each
//! other.

#[path = "common/access.rs"]
mod access;
#[path = "common/layers.rs"]
mod layers;

use std::path::{Path, PathBuf};

use access::MAPPED;
use layers::game;
use sowbase::board::{Game, Position, Ring};
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::rules::{self, Rules};
use sowbase::tables::*;
use tempfile::TempDir;

#[test]
fn every_entry_up_to_14_seeds_is_the_best_of_its_successors() {
    let folder = tempfile::tempdir().unwrap();
    let control = Control::default();
    let rules = rules::game("kalah").unwrap();
    let plan = BuildPlan::new(&rules, 14, folder.path());
    let report = build(&plan, &control, |_| {}).unwrap();
    // C(26, 12) positions.
    assert_eq!(report.positions, 9_657_700);
    let report = verify(folder.path(), true, &control).unwrap();
    assert_eq!(report.files, 15);
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}

/// A folder with the values and the bounds of a game.
fn with_bounds(rules: &Rules, up_to: u32) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let plan = BuildPlan::new(rules, up_to, dir.path()).bounds(true);
    let folder = build(&plan, &Control::default(), |_| ()).unwrap().folder;
    (dir, folder)
}

/// The faults of a folder, with the names of the files.
fn faults(dir: &Path, deep: bool) -> Vec<String> {
    let report = verify(dir, deep, &Control::default()).unwrap();
    let mapped = verify_within(dir, deep, None, MAPPED, &Control::default()).unwrap();
    assert_eq!(format!("{report:?}"), format!("{mapped:?}"));
    let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
    report.faults.iter().map(|found| format!("{}: {}", name(&found.file), found.fault)).collect()
}

/// Replaces a layer file by one with right checksums.
fn replace(folder: &Path, rules: &Rules, name: LayerName, entries: &[i8]) {
    let file = folder.join(file_name(name.seeds, name.quantity));
    write_layer(&file, rules, name.seeds, name.quantity, entries, &Control::default()).unwrap();
    let _ = std::fs::remove_file(folder.join(MANIFEST));
}

fn load(folder: &Path, name: LayerName) -> Vec<i8> {
    let layer = Layer::open(&folder.join(file_name(name.seeds, name.quantity)), Access::Read).unwrap();
    layer.load(&Control::default()).unwrap()
}

#[test]
fn layers_with_repetitions_are_settled_again() {
    for (text, up_to) in
        [("oware", 12), ("awari", 12), ("oware:4x3 grand-slam=free", 8), ("oware:3x3 feed=none", 8)]
    {
        let (dir, _folder) = with_bounds(&game(text), up_to);
        let report = verify(dir.path(), true, &Control::default()).unwrap();
        assert_eq!(report.files, 3 * (u64::from(up_to) + 1));
        assert!(report.faults.is_empty(), "{text}: {:?}", report.faults);
    }
}

#[test]
fn wrong_values_that_agree_in_a_loop_are_found() {
    let rules = game("oware");
    let (dir, folder) = with_bounds(&rules, 3);
    let numbering = Numbering::new(6, 2).unwrap();
    let ring = Ring::new(&rules).unwrap();
    let layers = [0, 1, 2].map(|seeds| load(&folder, LayerName::values(seeds)));
    let best = |values: &[i8], index: u64| {
        let position = numbering.position(2, index);
        ring.end_value(&position).unwrap_or_else(|| {
            let mut best = i32::MIN;
            ring.for_each_move(&position, |played| {
                let (seeds, index) = numbering.number(&played.next).unwrap();
                let layer = if seeds == 2 { values } else { &layers[seeds as usize] };
                best = best.max(played.gain - i32::from(layer[index as usize]));
            });
            best
        })
    };
    // Twelve forced moves lead round the board and back: each side may claim any value by turns.
    let mut values = layers[2].clone();
    let start = Position::parse(&rules, "1 0 0 0 0 1 / 0 0 0 0 0 0").unwrap();
    let mut position = start;
    let mut planted = Vec::new();
    for ply in 0..12 {
        let (_, index) = numbering.number(&position).unwrap();
        values[index as usize] = if ply % 2 == 0 { 1 } else { -1 };
        planted.push(index);
        let mut moves = Vec::new();
        ring.for_each_move(&position, |played| moves.push(played));
        assert_eq!((moves.len(), moves[0].gain), (1, 0), "{position}");
        position = moves[0].next;
    }
    assert_eq!(position, start);
    // What leads into the loop follows.
    loop {
        let next: Vec<i8> = (0..values.len() as u64).map(|index| best(&values, index) as i8).collect();
        let same = next == values;
        values = next;
        if same {
            break;
        }
    }
    assert!(planted.iter().all(|&index| values[index as usize].abs() == 1));
    let wrong = values.iter().zip(&layers[2]).filter(|(one, other)| one != other).count();
    assert!(wrong >= 12);
    replace(&folder, &rules, LayerName::values(2), &values);
    assert!(faults(dir.path(), false).is_empty());
    let found = faults(dir.path(), true);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("2.sow: position"), "{found:?}");
    assert!(found[0].contains(&format!("{wrong} values of the layer are wrong")), "{found:?}");
}

#[test]
fn a_single_wrong_value_or_bound_is_found() {
    let rules = game("awari");
    let (dir, folder) = with_bounds(&rules, 4);
    for quantity in Quantity::ALL {
        let name = LayerName { seeds: 4, quantity };
        let sound = load(&folder, name);
        for at in [0, sound.len() / 2, sound.len() - 1] {
            let mut entries = sound.clone();
            entries[at] += if entries[at] < 4 { 1 } else { -1 };
            replace(&folder, &rules, name, &entries);
            assert!(faults(dir.path(), false).is_empty());
            let found = faults(dir.path(), true);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with(&format!("{name}.sow: position")), "{found:?}");
            assert!(found[0].contains(&format!("number {at})")), "{found:?}");
        }
        replace(&folder, &rules, name, &sound);
    }
    assert!(faults(dir.path(), true).is_empty());
    // Layers are settled from nothing, so those whose lower ones are gone are checked too.
    std::fs::remove_file(folder.join(file_name(1, Quantity::Value))).unwrap();
    std::fs::remove_file(folder.join(file_name(2, Quantity::Lower))).unwrap();
    let _ = std::fs::remove_file(folder.join(MANIFEST));
    assert!(faults(dir.path(), true).is_empty());
}

#[test]
fn what_memory_does_not_allow_is_not_called_true() {
    let (dir, _folder) = with_bounds(&game("awari"), 4);
    let report = verify_within(dir.path(), true, Some(4096), Access::default(), &Control::default()).unwrap();
    let said: Vec<String> = report.faults.iter().map(|found| found.fault.to_string()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().all(|said| said.contains("4.0 KiB may be used")), "{said:?}");
    // Layers that are read are loaded to be compared, and mapped ones need not be.
    let dir = tempfile::tempdir().unwrap();
    build(&BuildPlan::new(&game("kalah:3x2"), 6, dir.path()), &Control::default(), |_| ()).unwrap();
    let found = |access| {
        let report = verify_within(dir.path(), true, Some(300), access, &Control::default()).unwrap();
        report.faults.iter().map(|found| found.fault.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found(MAPPED), Vec::<String>::new());
    let said = found(Access::Read);
    // 1, 6, 21, 56 and 126 positions have up to 4 seeds.
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("loading the layers up to 5 takes 252 bytes of memory and 90 bytes may be used"),
        "{said:?}"
    );
}

#[test]
fn bounds_of_a_game_without_repetitions_are_not_called_true() {
    let rules = game("kalah:3x2");
    let dir = tempfile::tempdir().unwrap();
    let plan = BuildPlan::new(&rules, 2, dir.path());
    let folder = build(&plan, &Control::default(), |_| ()).unwrap().folder;
    assert!(faults(dir.path(), true).is_empty());
    let values = load(&folder, LayerName::values(2));
    replace(&folder, &rules, LayerName { seeds: 2, quantity: Quantity::Lower }, &values);
    let found = faults(dir.path(), true);
    assert!(found.len() == 1 && found[0].starts_with("2.lower.sow: "), "{found:?}");
}
