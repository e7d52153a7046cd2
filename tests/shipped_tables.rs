//! The tables that come with the program are true, and their values are those of the list.

use std::path::{Path, PathBuf};

use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::rules;
use sowbase::tables::*;
use tempfile::TempDir;

fn databases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("databases")
}

fn list() -> Vec<Checksum> {
    read_checksums(&databases().join("CHECKSUMS")).unwrap()
}

/// Highest layer that is shipped.
const UP_TO: u32 = 6;

/// A folder with the shipped layers alone, writable and without a record as in a fresh clone: builds
/// may have added layers to `databases/`.
fn copy_of_the_shipped() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("kalah-6");
    std::fs::create_dir(&folder).unwrap();
    for seeds in 0..=UP_TO {
        let bytes =
            std::fs::read(databases().join("kalah-6").join(file_name(seeds, Quantity::Value))).unwrap();
        std::fs::write(folder.join(file_name(seeds, Quantity::Value)), bytes).unwrap();
    }
    dir
}

#[test]
fn shipped_tables_verify_deep() {
    let dir = copy_of_the_shipped();
    let report = verify(dir.path(), true, &Control::default()).unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert_eq!(report.files, u64::from(UP_TO) + 1);
}

#[test]
fn shipped_tables_have_the_listed_checksums() {
    let dir = copy_of_the_shipped();
    let found = folder_checksums(dir.path(), &Control::default()).unwrap();
    let comparison = compare_checksums(&found, &list());
    assert_eq!((comparison.equal, comparison.different.len()), (u64::from(UP_TO) + 1, 0));
}

#[test]
fn no_layer_is_listed_twice() {
    let mut list = list();
    let lines = list.len();
    list.sort_by_key(|line| (line.rules, line.layer));
    list.dedup_by_key(|line| (line.rules, line.layer));
    assert_eq!(list.len(), lines);
}

#[test]
fn layers_built_here_have_the_listed_checksums() {
    let list = list();
    for (game, switch, up_to) in [
        ("kalah:6x4", None, 12),
        ("kalah:6x4", Some("yes"), 12),
        ("kalah:5x4", None, 14),
        ("kalah:4x4", None, 18),
    ] {
        let mut rules = rules::game(game).unwrap();
        if let Some(value) = switch {
            rules.set("empty-capture", value).unwrap();
        }
        let dir = tempfile::tempdir().unwrap();
        let plan = BuildPlan::new(&rules, up_to, dir.path());
        build(&plan, &Control::default(), |_| ()).unwrap();
        let found = folder_checksums(dir.path(), &Control::default()).unwrap();
        let comparison = compare_checksums(&found, &list);
        assert_eq!((comparison.equal, comparison.unknown.len()), (u64::from(up_to) + 1, 0), "{game}");
    }
}

#[test]
fn a_build_goes_on_from_the_shipped_tables() {
    let dir = copy_of_the_shipped();
    let rules = rules::game("kalah:6x4").unwrap();
    let plan = BuildPlan::new(&rules, 8, dir.path());
    let done = build(&plan, &Control::default(), |_| ()).unwrap();
    assert_eq!((done.kept, done.built, done.repaired), (UP_TO + 1, 8 - UP_TO, 0));
    let report = verify(dir.path(), true, &Control::default()).unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    let set = TableSet::open(&[dir.path().into()], &rules).unwrap();
    let position = Position::parse(&rules, "0 0 0 0 1 2 / 0 0 0 3 1 0").unwrap();
    assert_eq!(set.probe(&position).unwrap(), -5);
}
