//! Bounds on disk: built beside the values, read back as they were built, counted and listed; refused
//! where they would say nothing.

#[path = "common/access.rs"]
mod access;
#[path = "common/layers.rs"]
mod layers;

use std::collections::BTreeSet;
use std::path::Path;

use access::MAPPED;
use layers::game;
use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::retrograde::{BoundLayers, Unbuildable};
use sowbase::rules::{self, Rules};
use sowbase::tables::*;

/// Highest layer of the builds.
const UP_TO: u32 = 6;

fn plan(dir: &Path, rules: &Rules, bounds: bool) -> BuildPlan {
    BuildPlan::new(rules, UP_TO, dir).bounds(bounds)
}

fn build_in(dir: &Path, rules: &Rules, bounds: bool) -> BuildReport {
    build(&plan(dir, rules, bounds), &Control::default(), |_| ()).unwrap()
}

/// The bounds of each layer: lower, upper.
fn built(rules: &Rules) -> Vec<[Vec<i8>; 2]> {
    let mut layers = BoundLayers::new(rules, UP_TO).unwrap();
    while layers.next() <= UP_TO {
        layers.build_next(&Control::default()).unwrap();
    }
    layers.into_layers()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn files_give_the_bounds_that_were_built() {
    let rules = game("awari");
    let dir = tempfile::tempdir().unwrap();
    let report = build_in(dir.path(), &rules, true);
    assert_eq!((report.kept, report.built), (0, 3 * (UP_TO + 1)));
    // C(18, 12) positions, three entries each.
    assert_eq!(report.positions, 3 * 18_564);
    let dirs = [dir.path().to_path_buf()];
    let mapped = TableSet::open_with(&dirs, &rules, MAPPED).unwrap();
    let read = TableSet::open(&dirs, &rules).unwrap();
    let mut memory = TableSet::empty(&rules).unwrap();
    assert!(!memory.has_bounds(0));
    let numbering = Numbering::new(6, UP_TO).unwrap();
    for (seeds, [lower, upper]) in (0..).zip(built(&rules)) {
        memory.insert_bounds(seeds, lower.clone(), upper.clone()).unwrap();
        for index in 0..lower.len() {
            let position = numbering.position(seeds, index as u64);
            let expected = Bounds { lower: lower[index].into(), upper: upper[index].into() };
            for set in [&memory, &mapped, &read] {
                assert_eq!(set.probe_bounds(&position).unwrap(), expected, "{position}");
            }
            let value = mapped.probe(&position).unwrap();
            assert!((expected.lower..=expected.upper).contains(&value), "{position}");
        }
    }
    for set in [&memory, &mapped, &read] {
        assert_eq!(set.bounds().collect::<Vec<_>>(), (0..=UP_TO).collect::<Vec<_>>());
        assert!(set.has_bounds(UP_TO) && !set.has_bounds(UP_TO + 1));
    }
    // The layers for a search are the values.
    assert_eq!((memory.complete_below(), mapped.complete_below()), (0, UP_TO + 1));
    assert!(memory.values().layer(3).is_none());
    mapped.check(&Control::default()).unwrap();
}

#[test]
fn bounds_that_are_not_there_are_an_error() {
    let rules = game("awari");
    let dir = tempfile::tempdir().unwrap();
    let folder = build_in(dir.path(), &rules, false).folder;
    let set = TableSet::open(&[dir.path().into()], &rules).unwrap();
    let position = Position::parse(&rules, "1 0 0 0 0 1 / 0 0 0 0 0 0").unwrap();
    assert_eq!(set.probe(&position).unwrap(), 0);
    let error = set.probe_bounds(&position).unwrap_err();
    assert!(matches!(error, TableError::MissingBounds { seeds: 2, .. }), "{error}");
    assert_eq!(error.to_string(), "the tables of awari:6x4 have no bounds for 2 seeds");
    // One of the two is not enough.
    build_in(dir.path(), &rules, true);
    std::fs::remove_file(folder.join(file_name(2, Quantity::Upper))).unwrap();
    let set = TableSet::open(&[dir.path().into()], &rules).unwrap();
    assert!(!set.has_bounds(2));
    let error = set.probe_bounds(&position).unwrap_err();
    assert!(matches!(&error, TableError::MissingBounds { present, .. } if present == "0-1, 3-6"), "{error}");
    assert_eq!(stats(dir.path(), Some(2), &Control::default()).unwrap()[0].layers[0].cycle_free, None);
}

#[test]
fn values_stay_as_they_are_without_bounds() {
    let rules = game("oware");
    let (plain, with_bounds) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let plain_folder = build_in(plain.path(), &rules, false).folder;
    let folder = build_in(with_bounds.path(), &rules, true).folder;
    for seeds in 0..=UP_TO {
        let read = |folder: &Path| std::fs::read(folder.join(file_name(seeds, Quantity::Value))).unwrap();
        assert!(read(&plain_folder) == read(&folder), "layer {seeds}");
    }
    // What an unfinished build of bounds has left goes with the next build of any kind.
    let part = plain_folder.join("3.lower.sow.part");
    std::fs::write(&part, "unfinished").unwrap();
    assert_eq!(build_in(plain.path(), &rules, false).kept, UP_TO + 1);
    assert!(!part.exists());
    // Bounds are added to values that are there, and values alone are content with that.
    let done = build_in(plain.path(), &rules, true);
    assert_eq!((done.kept, done.built), (UP_TO + 1, 2 * (UP_TO + 1)));
    assert_eq!(names(&plain_folder), names(&folder));
    let done = build_in(plain.path(), &rules, false);
    assert_eq!((done.kept, done.built), (UP_TO + 1, 0));
    let checksums = |dir: &Path| folder_checksums(dir, &Control::default()).unwrap();
    assert_eq!(checksums(plain.path()), checksums(with_bounds.path()));
    assert!(verify(plain.path(), false, &Control::default()).unwrap().faults.is_empty());
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let bytes = |threads| {
        let dir = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let folder = pool.install(|| build_in(dir.path(), &game("oware"), true)).folder;
        let read = |name| std::fs::read(folder.join(name)).unwrap();
        names(&folder).into_iter().filter(|name| name.ends_with(".sow")).map(read).collect::<Vec<_>>()
    };
    assert!(bytes(1) == bytes(3));
}

#[test]
fn damaged_bounds_are_built_again_file_by_file() {
    let rules = game("awari");
    let dir = tempfile::tempdir().unwrap();
    let folder = build_in(dir.path(), &rules, true).folder;
    let expected = folder_checksums(dir.path(), &Control::default()).unwrap();
    let remove = |seeds, quantity| std::fs::remove_file(folder.join(file_name(seeds, quantity))).unwrap();
    let damage = |seeds, quantity| {
        let file = folder.join(file_name(seeds, quantity));
        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        remove(seeds, quantity);
        std::fs::write(&file, bytes).unwrap();
    };
    damage(2, Quantity::Upper);
    damage(4, Quantity::Lower);
    remove(5, Quantity::Value);
    remove(3, Quantity::Lower);
    let (mut damaged, mut built) = (Vec::new(), Vec::new());
    let done = build(&plan(dir.path(), &rules, true), &Control::default(), |event| match event {
        BuildEvent::Damaged { name, .. } => damaged.push(name.to_string()),
        BuildEvent::Built { name, .. } => built.push(name.to_string()),
        _ => (),
    })
    .unwrap();
    assert_eq!(damaged, ["2.upper", "4.lower"]);
    assert_eq!(built, ["2.upper", "3.lower", "4.lower", "5"]);
    assert_eq!((done.kept, done.built, done.repaired), (3 * (UP_TO + 1) - 4, 4, 2));
    assert_eq!(folder_checksums(dir.path(), &Control::default()).unwrap(), expected);
    assert!(verify(dir.path(), true, &Control::default()).unwrap().faults.is_empty());
}

#[test]
fn cycle_free_positions_are_counted() {
    let rules = game("oware");
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules, true);
    let found = stats(dir.path(), None, &Control::default()).unwrap();
    let free: Vec<u64> = found[0].layers.iter().filter_map(|layer| layer.cycle_free).collect();
    assert_eq!(free, [1, 12, 65, 300, 994, 4_090, 10_168]);
    // Of damaged bounds nothing is counted.
    let file = found[0].folder.join(file_name(4, Quantity::Upper));
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, bytes).unwrap();
    let error = stats(dir.path(), None, &Control::default()).unwrap_err();
    assert!(error.to_string().contains("4.upper.sow"), "{error}");
    // A folder may hold nothing but bounds.
    for seeds in 0..=UP_TO {
        std::fs::remove_file(found[0].folder.join(file_name(seeds, Quantity::Value))).unwrap();
    }
    assert!(matches!(stats(dir.path(), None, &Control::default()), Err(TableError::MissingLayer { .. })));
}

#[test]
fn bounds_are_listed_by_name() {
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &game("awari"), true);
    let found = folder_checksums(dir.path(), &Control::default()).unwrap();
    let text: String = found.iter().map(|line| format!("{line}\n")).collect();
    for name in ["awari-6 ", " 5 ", " 5.lower ", " 5.upper "] {
        assert!(text.contains(name), "{text}");
    }
    let list = dir.path().join("CHECKSUMS");
    std::fs::write(&list, text).unwrap();
    assert_eq!(read_checksums(&list).unwrap(), found);
    assert_eq!(compare_checksums(&found, &found).equal, 3 * u64::from(UP_TO + 1));
    let mut other = found.clone();
    let at = other.iter().position(|line| line.layer.quantity == Quantity::Upper).unwrap();
    other[at].checksum ^= 1;
    assert_eq!(compare_checksums(&found, &other).different.len(), 1);
    let listed = contents(dir.path()).unwrap().remove(0);
    assert_eq!((listed.layers.len() as u32, listed.faults.len()), (3 * (UP_TO + 1), 0));
}

#[test]
fn tables_are_shared_by_all_rules_about_repetitions() {
    let split = game("awari");
    let own_side = game("awari cycle=own-side");
    let dir = tempfile::tempdir().unwrap();
    let error = build(&plan(dir.path(), &own_side, false), &Control::default(), |_| ()).unwrap_err();
    assert!(matches!(error, BuildError::Unbuildable(Unbuildable::PathDependent { .. })), "{error}");
    let report = build_in(dir.path(), &own_side, true);
    assert_eq!(build_in(dir.path(), &split, true).kept, report.built);
    let dirs = [dir.path().to_path_buf()];
    let position = Position::parse(&split, "1 0 0 0 0 1 / 0 0 0 0 0 0").unwrap();
    let set = TableSet::open(&dirs, &split).unwrap();
    assert_eq!(set.probe(&position).unwrap(), 0);
    assert_eq!(set.probe_bounds(&position).unwrap(), Bounds { lower: -2, upper: 2 });
    // The values are not those of the other rules, and are not given for them.
    let mut set = TableSet::open(&dirs, &own_side).unwrap();
    assert!(set.probe(&position).is_err());
    assert!(set.load_values(UP_TO, u64::MAX, &Control::default()).unwrap());
    assert!(set.values().is_empty() && set.bound_values().iter().all(|side| side.layer(2).is_some()));
    assert_eq!(set.probe_bounds(&position).unwrap(), Bounds { lower: -2, upper: 2 });
}

#[test]
fn bounds_that_say_nothing_are_not_built() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("new");
    let error = build(&plan(&out, &game("kalah"), true), &Control::default(), |_| ()).unwrap_err();
    assert!(matches!(error, BuildError::NoBounds { .. }), "{error}");
    let plan = plan(&out, &game("awari"), true).memory(Some(50_000));
    let error = build(&plan, &Control::default(), |_| ()).unwrap_err();
    assert!(matches!(error, BuildError::Memory { allowed: 50_000, .. }), "{error}");
    assert!(!out.exists());
    let values = plan.clone().bounds(false);
    assert!(values.memory_needed().unwrap() < plan.memory_needed().unwrap());
}

#[test]
fn a_bound_is_no_value_by_another_name() {
    let rules = rules::game("oware:3x2").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let folder = build_in(dir.path(), &rules, true).folder;
    let [lower, value] =
        [Quantity::Lower, Quantity::Value].map(|quantity| folder.join(file_name(3, quantity)));
    std::fs::remove_file(&value).unwrap();
    std::fs::copy(&lower, &value).unwrap();
    let error = TableSet::open(&[dir.path().into()], &rules).unwrap_err();
    assert!(error.to_string().contains("3.lower"), "{error}");
    let report = verify(dir.path(), false, &Control::default()).unwrap();
    assert_eq!(report.faults.len(), 1);
    assert!(matches!(report.faults[0].fault, Fault::OtherLayer { .. }), "{:?}", report.faults);
}
