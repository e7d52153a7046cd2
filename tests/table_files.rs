//! Tables read from files give the values that were built, whatever the way they are read, and a
//! wrong value is found even under a right checksum.

#[path = "common/access.rs"]
mod access;

use std::path::Path;
use std::process::Command;

use access::MAPPED;
use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::retrograde::Layers;
use sowbase::rules::{self, Rules};
use sowbase::tables::*;

fn built(rules: &Rules, up_to: u32) -> Vec<Vec<i8>> {
    let mut layers = Layers::new(rules, up_to).unwrap();
    for _ in 0..=up_to {
        layers.build_next(&Control::default()).unwrap();
    }
    layers.into_layers()
}

fn build_in(dir: &Path, rules: &Rules, up_to: u32) -> BuildReport {
    let plan = BuildPlan::new(rules, up_to, dir);
    build(&plan, &Control::default(), |_| ()).unwrap()
}

fn faults(dir: &Path, deep: bool) -> Vec<String> {
    let report = verify(dir, deep, &Control::default()).unwrap();
    let mapped = verify_within(dir, deep, None, MAPPED, &Control::default()).unwrap();
    assert_eq!(format!("{report:?}"), format!("{mapped:?}"));
    let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
    report.faults.iter().map(|found| format!("{}: {}", name(&found.file), found.fault)).collect()
}

#[test]
fn files_give_the_values_that_were_built() {
    let rules = rules::game("kalah:3x3").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let report = build_in(dir.path(), &rules, 7);
    assert_eq!((report.kept, report.built, report.folder), (0, 8, dir.path().join("kalah-3")));
    let layers = built(&rules, 7);
    let numbering = Numbering::new(3, 7).unwrap();
    let memory = TableSet::from_layers(&rules, layers.clone()).unwrap();
    let dirs = [dir.path().to_path_buf()];
    let mapped = TableSet::open_with(&dirs, &rules, MAPPED).unwrap();
    let read = TableSet::open(&dirs, &rules).unwrap();
    let mut loaded = TableSet::open(&dirs, &rules).unwrap();
    assert!(loaded.values().is_empty());
    // As far as memory allows, and from the lowest on.
    let bytes: u64 = layers.iter().take(5).map(|layer| layer.len() as u64).sum();
    assert!(!loaded.load_values(7, bytes + 1, &Control::default()).unwrap());
    assert!(loaded.values().layer(4).is_some() && loaded.values().layer(5).is_none());
    assert_eq!((loaded.bytes_in_memory(), loaded.complete_below()), (bytes, 8));
    assert!(loaded.load_values(4, 0, &Control::default()).unwrap());
    assert!(loaded.load_values(7, u64::MAX, &Control::default()).unwrap());
    for (seeds, layer) in (0..).zip(&layers) {
        for (index, value) in (0..).zip(layer) {
            let position = numbering.position(seeds, index);
            for set in [&memory, &mapped, &read, &loaded] {
                assert_eq!(set.probe(&position).unwrap(), i32::from(*value), "{position}");
            }
            for set in [&memory, &mapped, &loaded] {
                assert_eq!(set.values().value(seeds, index), Some(i32::from(*value)));
            }
        }
        assert_eq!(&mapped.load(seeds, &Control::default()).unwrap(), layer);
    }
    assert_eq!(mapped.layers().collect::<Vec<_>>(), (0..=7).collect::<Vec<_>>());
    assert_eq!((mapped.complete_below(), read.complete_below()), (8, 8));
    assert!(faults(dir.path(), true).is_empty());
    assert!(faults(&dir.path().join("kalah-3"), true).is_empty());
}

#[test]
fn what_is_not_covered_is_an_error_and_no_value() {
    let rules = rules::game("kalah:3x3").unwrap();
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules, 4);
    let dirs = [dir.path().to_path_buf()];
    let set = TableSet::open(&dirs, &rules).unwrap();
    let start = Position::start(&rules);
    assert!(matches!(set.probe(&start), Err(TableError::MissingLayer { seeds: 18, .. })));
    let other = rules::game("kalah:4x1").unwrap();
    let set = TableSet::open(&dirs, &other).unwrap();
    assert!(set.is_empty());
    assert!(matches!(set.probe(&Position::start(&other)), Err(TableError::NotCovered { .. })));
    assert!(matches!(set.probe(&start), Err(TableError::OtherBoard { found: 3, pits: 4 })));
    // A folder that the user names must be there and hold tables; the one by default need not.
    let nothing = dir.path().join("nothing");
    assert!(matches!(TableSet::open(std::slice::from_ref(&nothing), &rules), Err(TableError::Io { .. })));
    assert!(TableSet::open_default(&nothing, &rules).unwrap().is_empty());
    std::fs::create_dir(&nothing).unwrap();
    assert!(matches!(
        TableSet::open(std::slice::from_ref(&nothing), &rules),
        Err(TableError::NoTables { .. })
    ));
    assert!(TableSet::open_default(&nothing, &rules).unwrap().is_empty());
    assert!(matches!(verify(&nothing, false, &Control::default()), Err(TableError::NoTables { .. })));
}

#[test]
fn equal_switches_share_tables_and_others_are_refused() {
    let rules = rules::game("kalah:3x3").unwrap();
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules, 4);
    let dirs = [dir.path().to_path_buf()];
    let start = rules.clone().with_name("mine").and_then(|rules| rules.with_seeds(1)).unwrap();
    assert_eq!(TableSet::open(&dirs, &start).unwrap().complete_below(), 5);
    let mut other = rules.clone();
    other.set("empty-capture", "yes").unwrap();
    assert_ne!(folder_name(&other), folder_name(&rules));
    // Side by side they do not disturb each other.
    build_in(dir.path(), &other, 3);
    assert_eq!(TableSet::open(&dirs, &rules).unwrap().complete_below(), 5);
    assert_eq!(TableSet::open(&dirs, &other).unwrap().complete_below(), 4);
    assert!(faults(dir.path(), false).is_empty());
    // Beside a folder that has what was asked for, one of other rules does no harm.
    let both = [dir.path().join(folder_name(&other)), dir.path().join(folder_name(&rules))];
    assert_eq!(TableSet::open(&both, &rules).unwrap().complete_below(), 5);
    // In the place of the other ones they are refused, by the prober and by the builder.
    let (ours, theirs) = (dir.path().join(folder_name(&rules)), dir.path().join(folder_name(&other)));
    let error = TableSet::open(std::slice::from_ref(&ours), &other).unwrap_err();
    assert!(matches!(error, TableError::RulesMismatch { .. }), "{error}");
    std::fs::remove_dir_all(&ours).unwrap();
    std::fs::rename(&theirs, &ours).unwrap();
    assert!(matches!(TableSet::open(&dirs, &rules), Err(TableError::RulesMismatch { .. })));
    assert!(!faults(dir.path(), false).is_empty());
    let plan = BuildPlan::new(&rules, 4, dir.path());
    let error = build(&plan, &Control::default(), |_| ()).unwrap_err();
    assert!(matches!(error, BuildError::Table(TableError::RulesMismatch { .. })), "{error}");
}

#[test]
fn deep_verification_finds_a_wrong_value_under_a_right_checksum() {
    let rules = rules::game("kalah:3x3").unwrap();
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules, 6);
    let folder = dir.path().join("kalah-3");
    let mut values = built(&rules, 6).pop().unwrap();
    values[40] += 2;
    write_layer(
        &folder.join(file_name(6, Quantity::Value)),
        &rules,
        6,
        Quantity::Value,
        &values,
        &Control::default(),
    )
    .unwrap();
    std::fs::remove_file(folder.join(MANIFEST)).unwrap();
    assert!(faults(dir.path(), false).is_empty());
    let found = faults(dir.path(), true);
    assert!(found.iter().all(|fault| fault.starts_with("6.sow: position")), "{found:?}");
    assert_eq!(found.len(), 1);
    // A missing lower layer is named.
    std::fs::remove_file(folder.join(file_name(3, Quantity::Value))).unwrap();
    let found = faults(dir.path(), true);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("4.sow") && found[0].contains("layer 3 is missing"), "{found:?}");
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let rules = rules::game("kalah:4x3").unwrap();
    let bytes = |threads| {
        let dir = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build_in(dir.path(), &rules, 9));
        let read = |seeds| {
            std::fs::read(dir.path().join("kalah-4").join(file_name(seeds, Quantity::Value))).unwrap()
        };
        (0..=9).map(read).collect::<Vec<_>>()
    };
    assert!(bytes(1) == bytes(2));
}

#[test]
fn statistics_count_every_position() {
    let rules = rules::game("kalah:3x2").unwrap();
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules, 6);
    let sets = stats(dir.path(), None, &Control::default()).unwrap();
    assert_eq!((sets.len(), sets[0].game.as_str(), sets[0].layers.len()), (1, "kalah:3x2", 7));
    assert_eq!(sets[0].rules, rules.id());
    let set = TableSet::open(&[dir.path().into()], &rules).unwrap();
    for (layer, values) in sets[0].layers.iter().zip(built(&rules, 6)) {
        let count = |wanted: fn(i8) -> bool| values.iter().filter(|value| wanted(**value)).count() as u64;
        assert_eq!(layer.positions, values.len() as u64);
        assert_eq!(layer.wins, count(|value| value > 0));
        assert_eq!(layer.draws, count(|value| value == 0));
        assert_eq!(layer.losses, count(|value| value < 0));
        let Entries::Values(spread) = &layer.entries else { panic!("the entries are values") };
        assert_eq!(spread.distribution.values().sum::<u64>(), layer.positions);
        let extremes = [(&spread.max, values.iter().max()), (&spread.min, values.iter().min())];
        for (extreme, value) in extremes {
            assert_eq!(extreme.value, i32::from(*value.unwrap()));
            assert_eq!(set.probe(&extreme.position).unwrap(), extreme.value);
        }
    }
    assert_eq!(stats(dir.path(), Some(5), &Control::default()).unwrap()[0].layers.len(), 1);
    assert!(matches!(
        stats(dir.path(), Some(9), &Control::default()),
        Err(TableError::MissingLayer { seeds: 9, .. })
    ));
}

#[test]
fn a_list_of_checksums_tells_other_values() {
    let rules = rules::game("kalah:3x2").unwrap();
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules, 5);
    let found = folder_checksums(dir.path(), &Control::default()).unwrap();
    let list = dir.path().join("CHECKSUMS");
    let text: String = found[..5].iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&list, format!("# values\n\n{text}")).unwrap();
    let comparison = compare_checksums(&found, &read_checksums(&list).unwrap());
    assert_eq!((comparison.equal, comparison.different.len(), comparison.unknown.len()), (5, 0, 1));
    let mut other = found.clone();
    other[2].checksum ^= 1;
    assert_eq!(compare_checksums(&found, &other).different, [(found[2].clone(), other[2].clone())]);
    std::fs::write(&list, "kalah-3 12 1 12\n").unwrap();
    assert!(matches!(read_checksums(&list), Err(TableError::BadChecksums { line: 1, .. })));
}

/// The dump in docs/FORMAT.md is what is written, apart from the version of the program.
#[test]
fn the_documented_bytes_are_written() {
    let page = include_str!("../docs/FORMAT.md");
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules::game("kalah:2x1").unwrap(), 2);
    let written = std::fs::read(dir.path().join("kalah-2/2.sow")).unwrap();
    let mut compared = 0;
    for line in page.lines().filter(|line| line.len() > 10 && line.starts_with("    ")) {
        let (place, rest) = line[4..].split_at(4);
        let Some(at) = usize::from_str_radix(place, 16).ok().filter(|_| rest.starts_with("  ")) else {
            continue;
        };
        let bytes = rest.split_whitespace().take_while(|word| word.len() == 2 && *word != "..");
        let bytes: Vec<u8> = bytes.map_while(|byte| u8::from_str_radix(byte, 16).ok()).collect();
        if at != 0x88 && at != 0xf8 {
            assert_eq!(written[at..at + bytes.len()], bytes, "{line}");
            compared += bytes.len();
        }
    }
    assert_eq!(compared, 72 + 48 + 16 + 1 + 5 + 8 + 1 + 10);
    let position = Position::of_rows(&[1, 0, 2], &[0, 0, 1]);
    assert_eq!(Numbering::new(3, 4).unwrap().number(&position), Some((4, 87)));
}

#[test]
fn the_python_script_reads_the_same_values() {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if Command::new(python).arg("--version").output().is_err() {
        eprintln!("skipped: there is no {python}");
        return;
    }
    let rules = rules::game("kalah:4x3").unwrap();
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules, 9);
    let numbering = Numbering::new(4, 9).unwrap();
    let set = TableSet::open(&[dir.path().into()], &rules).unwrap();
    let mut positions = Vec::new();
    for seeds in 0..=9 {
        let size = numbering.layer(seeds).size();
        positions.extend(
            (0..size).step_by(size.div_ceil(50) as usize).map(|index| numbering.position(seeds, index)),
        );
    }
    // Stores count, as they do for the program.
    for (at, position) in positions.iter_mut().enumerate().filter(|(at, _)| at % 3 == 0) {
        position.stores = [at as i32 % 7, at as i32 % 11];
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/probe.py");
    let probe = |positions: &[String]| {
        Command::new(python).arg(&script).arg(dir.path().join("kalah-4")).args(positions).output().unwrap()
    };
    let output = probe(&positions.iter().map(Position::to_string).collect::<Vec<_>>());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected: String = positions
        .iter()
        .map(|position| format!("{}\n", set.probe(position).unwrap() + position.lead()))
        .collect();
    assert!(positions.len() > 300);
    assert_eq!(String::from_utf8_lossy(&output.stdout).replace('\r', ""), expected);
    for refused in [
        "9 9 9 9 / 9 9 9 9",
        "0 0 0 1 / 0 0 1",
        "0 0 0 1",
        "0 0 0 +1 / 0 0 1 0",
        "0 0 0 1_0 / 0 0 1 0",
        "0 0 0 \u{661} / 0 0 1 0",
        "0 0 0 1 / 0 0 1 0 ;",
        "0 0 0 1 / 0 0 1 0 ; store 1 2",
        "0 0 0 1 / 0 0 1 0 ; stores 1",
        "0 0 0 1 / 0 0 1 0 ; stores 1 -2",
        "0 0 0 1 / 0 0 1 0 ; stores 1 2 ; stores 1 2",
    ] {
        let output = probe(&[refused.into()]);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]), "{refused}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{refused}");
    }
}

#[test]
fn the_python_script_reads_bounds_by_the_name_of_their_file() {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if Command::new(python).arg("--version").output().is_err() {
        eprintln!("skipped: there is no {python}");
        return;
    }
    let rules = rules::game("oware:3x3").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let plan = BuildPlan::new(&rules, 4, dir.path()).bounds(true);
    let folder = build(&plan, &Control::default(), |_| ()).unwrap().folder;
    let set = TableSet::open(&[dir.path().into()], &rules).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/probe.py");
    let numbering = Numbering::new(3, 4).unwrap();
    let positions: Vec<Position> =
        (0..numbering.layer(4).size()).map(|at| numbering.position(4, at)).collect();
    let read = |file: &Path| {
        let positions = positions.iter().map(Position::to_string);
        Command::new(python).arg(&script).arg(file).args(positions).output().unwrap()
    };
    for quantity in [Quantity::Lower, Quantity::Upper] {
        let output = read(&folder.join(file_name(4, quantity)));
        let bound = |position: &Position| {
            let bounds = set.probe_bounds(position).unwrap();
            if quantity == Quantity::Lower { bounds.lower } else { bounds.upper }
        };
        let expected: String = positions.iter().map(|position| format!("{}\n", bound(position))).collect();
        assert_eq!(String::from_utf8_lossy(&output.stdout).replace('\r', ""), expected);
    }
    // A bound is not taken for a value.
    std::fs::remove_file(folder.join("4.sow")).unwrap();
    std::fs::copy(folder.join("4.lower.sow"), folder.join("4.sow")).unwrap();
    let output = read(&folder);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]));
}

#[test]
fn a_layer_of_other_rules_is_not_passed_off_as_its_folders() {
    let dir = tempfile::tempdir().unwrap();
    let rules = rules::game("kalah:3x3").unwrap();
    let mut other = rules.clone();
    other.set("empty-capture", "yes").unwrap();
    let ours = build_in(dir.path(), &rules, 4).folder;
    let theirs = build_in(dir.path(), &other, 4).folder;
    std::fs::remove_file(ours.join("3.sow")).unwrap();
    std::fs::copy(theirs.join("3.sow"), ours.join("3.sow")).unwrap();
    let error = stats(&ours, None, &Control::default()).unwrap_err();
    assert!(error.to_string().contains(&other.id()), "{error}");
    let listed = contents(&ours).unwrap().remove(0);
    assert_eq!((listed.layers.len(), listed.faults.len()), (4, 1));
}
