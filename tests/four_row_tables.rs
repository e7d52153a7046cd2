//! Tables of whole boards of the games that are won by blocking: built, read, checked, and found damaged.

#[path = "common/access.rs"]
mod access;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use access::MAPPED;
use sowbase::board::{Game, PlainRings, Position, Verdict};
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::retrograde::WholeBoard;
use sowbase::rules::{self, Rules};
use sowbase::tables::*;

#[cfg(feature = "cli")]
#[path = "common/program.rs"]
mod program;

/// Switches with their values.
type Choices = &'static [(&'static str, &'static str)];

/// The rules of a game with some switches.
fn game(text: &str, switches: Choices) -> Rules {
    let mut rules = rules::game(text).unwrap();
    switches.iter().for_each(|(key, value)| rules.set(key, value).unwrap());
    rules
}

fn plan(dir: &Path, rules: &Rules) -> BuildPlan {
    let up_to = rules.start_seeds();
    BuildPlan::new(rules, up_to, dir)
}

fn build_in(dir: &Path, rules: &Rules) -> BuildReport {
    build(&plan(dir, rules), &Control::default(), |_| ()).unwrap()
}

#[test]
fn files_give_the_verdicts_that_were_built() {
    let rules = game("omweso:2x1", &[]);
    let codes = WholeBoard::new(&rules).unwrap().build(&Control::default()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let report = build_in(dir.path(), &rules);
    assert_eq!((report.kept, report.built, report.positions), (0, 1, 6435));
    assert!(report.folder.join("8.sow").exists());
    let dirs = [dir.path().to_path_buf()];
    let mut memory = TableSet::empty(&rules).unwrap();
    memory.insert(8, codes.clone()).unwrap();
    let mut built = TableSet::empty(&rules).unwrap();
    assert_eq!(built.build(8, &Control::default()).unwrap(), 0);
    assert_eq!(built.build(9, &Control::default()).unwrap(), 6435);
    assert_eq!(built.build(9, &Control::default()).unwrap(), 0);
    let mapped = TableSet::open_with(&dirs, &rules, MAPPED).unwrap();
    let read = TableSet::open(&dirs, &rules).unwrap();
    let numbering = Numbering::new(4, 8).unwrap();
    for (index, &code) in (0..).zip(&codes) {
        let position = numbering.position(8, index);
        for set in [&memory, &built, &mapped, &read] {
            assert_eq!(set.probe(&position).unwrap(), i32::from(code), "{position}");
            assert_eq!(set.verdict(&position).unwrap(), Verdict::of_code(code.into()), "{position}");
        }
    }
    let start = Position { stage: Default::default(), ..Position::start(&rules) };
    assert_eq!(mapped.verdict(&start).unwrap().to_string(), "loss 6");
}

#[test]
fn what_is_not_covered_is_an_error_and_no_verdict() {
    let rules = game("omweso:2x1", &[]);
    let dir = tempfile::tempdir().unwrap();
    let dirs = [dir.path().to_path_buf()];
    build_in(dir.path(), &rules);
    let set = TableSet::open(&dirs, &rules).unwrap();
    // Captures are off.
    assert!(matches!(set.probe(&Position::start(&rules)), Err(TableError::OtherStage { .. })));
    // Two boards of one rule set share a folder.
    let larger = Position { stage: Default::default(), ..Position::start(&game("omweso:2x2", &[])) };
    let missing = set.probe(&larger).unwrap_err();
    assert!(matches!(missing, TableError::MissingBoard { seeds: 16, .. }), "{missing}");
    let report = build_in(dir.path(), &game("omweso:2x2", &[]));
    assert_eq!((report.kept, report.built, report.positions), (0, 1, 245_157));
    TableSet::open(&dirs, &rules).unwrap().probe(&larger).unwrap();
    // Other switches have tables of their own.
    let inner = game("omweso:2x1", &[("capture-needs", "inner")]);
    let none = TableSet::open(&dirs, &inner).unwrap().probe(&larger).unwrap_err();
    assert_eq!(none.to_string(), "no tables of omweso:2x1 with capture-needs=inner were found");
    // A game with seeds in hand has none, whatever is asked for.
    let kiswahili = game("bao-kiswahili", &[]);
    let set = TableSet::open(&dirs, &kiswahili).unwrap();
    assert!(matches!(set.probe(&Position::start(&kiswahili)), Err(TableError::Unbuildable(_))));
    let built = build(&plan(dir.path(), &kiswahili), &Control::default(), |_| ());
    assert!(built.unwrap_err().to_string().contains("bao-kiswahili:8x2 has no tables"));
}

/// Rule sets of small boards in which every switch that tables depend on has every value.
fn all_switches() -> Vec<Rules> {
    let omweso: [Choices; 12] = [
        &[],
        &[("reverse", "off")],
        &[("reverse-pits", "2")],
        &[("capture-needs", "inner")],
        &[("re-entry", "capturing-pit")],
        &[("emitwe", "on")],
        &[("endless", "draw")],
        &[("endless", "loss")],
        &[("endless", "stop")],
        &[("emitwe", "on"), ("capture-needs", "inner"), ("endless", "loss")],
        &[("re-entry", "capturing-pit"), ("reverse", "off"), ("endless", "stop")],
        &[("re-entry", "capturing-pit"), ("emitwe", "on"), ("endless", "draw")],
    ];
    omweso.into_iter().map(|switches| game("omweso:2x1", switches)).collect()
}

fn faults(dir: &Path, deep: bool) -> Vec<String> {
    let report = verify(dir, deep, &Control::default()).unwrap();
    let mapped = verify_within(dir, deep, None, MAPPED, &Control::default()).unwrap();
    assert_eq!(format!("{report:?}"), format!("{mapped:?}"));
    let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
    report.faults.iter().map(|found| format!("{}: {}", name(&found.file), found.fault)).collect()
}

#[test]
fn the_fast_engine_and_the_plain_one_build_the_same_under_every_switch() {
    let mut seen = std::collections::BTreeMap::new();
    for rules in all_switches() {
        let layer = WholeBoard::new(&rules).unwrap();
        let codes = layer.build(&Control::default()).unwrap();
        let layer = layer.within(1 << 30);
        assert_eq!(codes, layer.build(&Control::default()).unwrap(), "{}", rules.full_title());
        assert_eq!(codes, layer.build_plain(&Control::default()).unwrap(), "{}", rules.full_title());
        seen.entry(codes).or_insert_with(Vec::new).push(rules.full_title());
        let dir = tempfile::tempdir().unwrap();
        build_in(dir.path(), &rules);
        assert_eq!(faults(dir.path(), true), Vec::<String>::new(), "{}", rules.full_title());
    }
    // No switch is passed over in silence. On so small a board `emitwe` changes nothing by itself.
    let same: Vec<_> = seen.into_values().filter(|group| group.len() > 1).collect();
    assert_eq!(same, [["omweso:2x1", "omweso:2x1 with emitwe=on"]]);
}

/// A folder with the file of a layer.
fn with_file(rules: &Rules, seeds: u32, codes: &[i8]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(folder_name(rules));
    fs::create_dir(&folder).unwrap();
    let file = folder.join(file_name(seeds, Quantity::Value));
    write_layer(&file, rules, seeds, Quantity::Value, codes, &Control::default()).unwrap();
    (dir, folder)
}

#[test]
fn layers_of_larger_boards_with_few_seeds_are_built_alike() {
    let bao: [Choices; 8] = [
        &[],
        &[("endless", "draw")],
        &[("endless", "loss")],
        &[("endless", "stop")],
        &[("hus", "yes")],
        &[("hus", "yes"), ("endless", "draw")],
        &[("hus", "yes"), ("endless", "loss")],
        &[("hus", "yes"), ("endless", "stop")],
    ];
    let bao = bao.into_iter().flat_map(|switches| {
        [("bao-kujifunza:4x1", 5), ("bao-kujifunza:5x1", 4)]
            .map(|(text, seeds)| (game(text, switches), seeds))
    });
    let omweso = [("omweso:4x1", 5), ("omweso:5x1", 4)].map(|(text, seeds)| (game(text, &[]), seeds));
    for (rules, seeds) in bao.chain(omweso) {
        let layer = WholeBoard::with_seeds(&rules, seeds).unwrap();
        let codes = layer.build(&Control::default()).unwrap();
        // With any memory: moves are kept at once, later, or never.
        for memory in [layer.memory() + 50_000, layer.memory() + 200_000, 1 << 30] {
            let layer = WholeBoard::with_seeds(&rules, seeds).unwrap().within(memory);
            assert_eq!(codes, layer.build(&Control::default()).unwrap(), "{}", rules.full_title());
            assert_eq!(codes, layer.build_plain(&Control::default()).unwrap(), "{}", rules.full_title());
        }
        let (dir, _) = with_file(&rules, seeds, &codes);
        assert_eq!(faults(dir.path(), true), Vec::<String>::new(), "{}", rules.full_title());
    }
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    for text in ["omweso:2x1", "omweso:2x2", "omweso:3x1"] {
        let rules = game(text, &[]);
        let files: Vec<Vec<u8>> = [1, 2, 3]
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let dir = tempfile::tempdir().unwrap();
                let folder = pool.install(|| build_in(dir.path(), &rules)).folder;
                fs::read(folder.join(file_name(rules.start_seeds(), Quantity::Value))).unwrap()
            })
            .into();
        assert!(files.iter().all(|file| *file == files[0]), "{text}");
    }
}

#[test]
fn stops_and_damage_cost_no_more_than_the_layer() {
    let rules = game("omweso:2x1", &[]);
    let dir = tempfile::tempdir().unwrap();
    let stopped = Control::default();
    stopped.stop();
    let result = build(&plan(dir.path(), &rules), &stopped, |_| ());
    assert!(result.unwrap_err().is_stop());
    let refused = build(&plan(dir.path(), &rules).memory(Some(5000)), &Control::default(), |_| ());
    assert!(matches!(refused.unwrap_err(), BuildError::Memory { up_to: 8, .. }));
    let refused = build(&BuildPlan::new(&rules, 9, dir.path()), &Control::default(), |_| ());
    assert!(matches!(refused.unwrap_err(), BuildError::OtherSeeds { seeds: 8, up_to: 9, .. }));
    let refused = build(&plan(dir.path(), &rules).bounds(true), &Control::default(), |_| ());
    assert!(matches!(refused.unwrap_err(), BuildError::OnlyDraws { .. }));

    let report = build_in(dir.path(), &rules);
    assert_eq!((report.kept, report.built, report.repaired), (0, 1, 0));
    let file = report.folder.join("8.sow");
    let intact = fs::read(&file).unwrap();
    let report = build_in(dir.path(), &rules);
    assert_eq!((report.kept, report.built, report.repaired), (1, 0, 0));
    for at in (0..intact.len()).step_by(97) {
        let mut damaged = intact.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::remove_file(&file).unwrap();
        fs::write(&file, &damaged).unwrap();
        assert_eq!(faults(dir.path(), false).len(), 1, "byte {at}");
    }
    let report = build_in(dir.path(), &rules);
    assert_eq!((report.kept, report.built, report.repaired), (0, 1, 1));
    assert_eq!(fs::read(&file).unwrap(), intact);
}

#[test]
fn entries_that_agree_with_each_other_and_are_wrong_are_found() {
    let rules = game("omweso:2x1", &[]);
    let codes = WholeBoard::new(&rules).unwrap().build(&Control::default()).unwrap();
    let numbering = Numbering::new(4, 8).unwrap();
    let engine = PlainRings::new(&rules).unwrap();
    // From drawn position to drawn position, until play comes back.
    let mut path = vec![codes.iter().position(|code| *code == 0).unwrap()];
    let begin = loop {
        let last = engine.pack(&numbering.position(8, *path.last().unwrap() as u64));
        let mut next = None;
        engine.for_each_move(&last, |played| {
            let (_, index) = numbering.number(&engine.unpack(&played.next)).unwrap();
            next = next.or((codes[index as usize] == 0).then_some(index as usize));
        });
        let next = next.expect("a draw is kept by some move");
        if let Some(begin) = path.iter().position(|at| *at == next) {
            break begin;
        }
        path.push(next);
    };
    let circle = &path[begin..];
    assert!(circle.len() >= 2);
    // Won and lost in turn, with falling plies: only where the circle closes they do not fall.
    let mut wrong = codes.clone();
    for (step, &at) in circle.iter().enumerate() {
        let code = 60 - step as i8;
        wrong[at] = if step % 2 == 0 { code } else { -code };
    }
    let (dir, _) = with_file(&rules, 8, &wrong);
    assert_eq!(faults(dir.path(), false), Vec::<String>::new());
    let found = faults(dir.path(), true);
    assert!(found.len() == 1 && found[0].contains("and should have"), "{found:?}");
    // One wrong entry, of a drawn, a won and a lost position, with another outcome or other plies.
    for sign in [0, 1, -1] {
        let at = codes.iter().rposition(|code| code.signum() == sign && code.abs() != 1).unwrap();
        for other in [0, 2, -3, codes[at] + 2, codes[at] - 2, -codes[at]] {
            let mut wrong = codes.clone();
            wrong[at] = other;
            let (dir, _) = with_file(&rules, 8, &wrong);
            let found = faults(dir.path(), true);
            if other == codes[at] {
                assert_eq!(found, Vec::<String>::new());
                continue;
            }
            assert!(found.len() == 1 && found[0].contains("verdicts of the layer are wrong"), "{found:?}");
        }
    }
    // The first position by index is named, with what it should have.
    let first = codes.iter().position(|code| *code == -1).unwrap();
    let mut wrong = codes.clone();
    wrong[first..].iter_mut().for_each(|code| *code = if *code == -1 { -3 } else { *code });
    let (dir, _) = with_file(&rules, 8, &wrong);
    let named = format!(
        "8.sow: position {} (number {first}) has the verdict loss 2 and should have loss 0; ",
        numbering.position(8, first as u64)
    );
    let found = faults(dir.path(), true);
    assert!(found[0].starts_with(&named), "{found:?}");
    // What no verdict can be is refused before it is asked about.
    let mut wrong = codes.clone();
    wrong[7] = -128;
    let (dir, folder) = with_file(&rules, 8, &wrong);
    assert!(faults(dir.path(), false)[0].contains("position 7 has the value -128"));
    let set = TableSet::open(&[folder], &rules).unwrap();
    assert!(matches!(set.probe(&numbering.position(8, 7)), Err(TableError::Corrupt { .. })));
}

#[test]
fn statistics_count_outcomes_and_plies() {
    // Won, drawn, lost and the longest distance, from the rules of the game.
    let known: [(Choices, [u64; 3], u32); 5] = [
        (&[], [3042, 214, 3179], 14),
        (&[("reverse", "off")], [3011, 261, 3163], 14),
        (&[("reverse-pits", "2")], [3029, 236, 3170], 14),
        (&[("capture-needs", "inner")], [3233, 19, 3183], 12),
        (&[("re-entry", "capturing-pit")], [3054, 214, 3167], 14),
    ];
    for (switches, counts, longest) in known {
        let rules = game("omweso:2x1", switches);
        let dir = tempfile::tempdir().unwrap();
        build_in(dir.path(), &rules);
        let set = &stats(dir.path(), Some(8), &Control::default()).unwrap()[0];
        let layer = &set.layers[0];
        assert_eq!([layer.wins, layer.draws, layer.losses], counts);
        let found = layer.longest.as_ref().unwrap();
        assert_eq!(found.distance, longest);
        let table = TableSet::open(&[dir.path().into()], &rules).unwrap();
        assert_eq!(table.verdict(&found.position).unwrap().plies(), Some(longest));
        let Entries::Verdicts(decided) = &layer.entries else { panic!("the entries are verdicts") };
        assert_eq!(decided.len() as u32, longest + 1);
        let total = |of: fn(&Decided) -> u64| decided.iter().map(of).sum::<u64>();
        let [won, lost] = [total(|decided| decided.won), total(|decided| decided.lost)];
        assert_eq!([won, lost], [counts[0], counts[2]]);
        assert_eq!(decided[0].won, 0);
        let missing = stats(dir.path(), Some(9), &Control::default());
        assert!(matches!(missing, Err(TableError::MissingBoard { seeds: 9, .. })));
    }
}

#[test]
fn values_are_sent_out_and_compared() {
    let rules = game("omweso:2x1", &[]);
    let dir = tempfile::tempdir().unwrap();
    build_in(dir.path(), &rules);
    let set = TableSet::open(&[dir.path().into()], &rules).unwrap();
    let layer = set.file(8).unwrap();
    for layout in [Layout::Raw, Layout::Npy, Layout::Csv] {
        let file = dir.path().join(layout.file_name(&rules, 8));
        let exported = export(layer, &rules, layout, &file, false, &Control::default()).unwrap();
        assert_eq!(exported.entries, 6435);
        let compared = compare(layer, &rules, layout, &file, &Control::default()).unwrap();
        assert_eq!((compared.entries, compared.different), (6435, 0));
    }
}

#[test]
fn the_script_tells_the_same_verdicts() {
    let Some(python) =
        ["python3", "python"].into_iter().find(|name| Command::new(name).arg("--version").output().is_ok())
    else {
        eprintln!("there is no Python here, so scripts/probe.py was not compared");
        return;
    };
    let rules = game("omweso:2x1", &[]);
    let dir = tempfile::tempdir().unwrap();
    let folder = build_in(dir.path(), &rules).folder;
    let set = TableSet::open(&[dir.path().into()], &rules).unwrap();
    let numbering = Numbering::new(4, 8).unwrap();
    let positions: Vec<Position> = (0..6435).step_by(13).map(|index| numbering.position(8, index)).collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/probe.py");
    let output = Command::new(python)
        .arg(script)
        .arg(folder)
        .args(positions.iter().map(Position::to_string))
        .output()
        .unwrap();
    let expected: String =
        positions.iter().map(|position| format!("{}\n", set.verdict(position).unwrap())).collect();
    assert_eq!(String::from_utf8_lossy(&output.stdout).replace('\r', ""), expected);
}

#[cfg(feature = "cli")]
#[test]
fn the_program_builds_describes_and_verifies_whole_boards() {
    let program = program::Program::new();
    let said = program.fails(&["build", "omweso:2x1", "--seeds-up-to", "7"], 2);
    assert!(
        said.contains("so its one layer is that of 8 seeds, not of 7; leave out --seeds-up-to"),
        "{said}"
    );
    let said = program.fails(&["build", "omweso:2x1", "--bounds"], 2);
    assert!(said.contains("leave out --bounds"), "{said}");
    for arguments in [&["build", "bao-kiswahili"][..], &["build", "bao-kiswahili", "--seeds-up-to", "20"]] {
        let said = program.fails(arguments, 2);
        assert!(said.contains("bao-kiswahili:8x2 has no tables: "), "{said}");
    }
    assert!(program.fails(&["build", "omweso"], 2).contains("take a smaller board"));
    let said = program.fails(&["build", "bao-kujifunza:8x1"], 2);
    assert!(said.contains("building the tables up to 32 seeds takes 8"), "{said}");
    assert!(program.fails(&["build", "kalah:3x2"], 2).contains("--seeds-up-to is missing"));
    let built = program.json(&["build", "omweso:2x1", "--json", "--quiet"]);
    assert_eq!((&built["built"], &built["positions"]), (&1.into(), &6435.into()));
    let again = program.json(&["build", "omweso:2x1", "--seeds-up-to", "8", "--json", "--quiet"]);
    assert_eq!((&again["built"], &again["kept"]), (&0.into(), &1.into()));
    let verified = program.json(&["verify", "databases", "--deep", "--json", "--quiet"]);
    assert_eq!(verified, serde_json::json!({"ok": true, "files": 1, "faults": []}));
    let info = program.json(&["info", "databases", "--json"]);
    assert_eq!(info["rule_text"], "four rows\npits=4\ngame=omweso\n");

    let stats = program.json(&["stats", "databases", "--json", "--quiet", "--plot", "all.svg"]);
    assert_eq!(program::keys(&stats), ["game", "rules", "layers"]);
    let layer = &stats["layers"][0];
    let keys = ["seeds", "positions", "wins", "draws", "losses", "plies", "longest"];
    assert_eq!(program::keys(layer), keys);
    assert_eq!((&layer["wins"], &layer["longest"]["distance"]), (&3042.into(), &14.into()));
    let plies = layer["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 15);
    let text = program.says(&["stats", "databases", "--layer", "8"]);
    let line = format!("   14  {:>15}  {:>15}", plies[14]["won"].to_string(), plies[14]["lost"].to_string());
    assert!(text.contains(&line), "{text}");
    let picture = fs::read_to_string(program.path("all.svg")).unwrap();
    for shown in
        ["omweso:2x1: 8 seeds, positions by plies (rules ", "plies to the end", "won", "drawn", "lost"]
    {
        assert!(picture.contains(shown), "{shown}");
    }
    // The ground, the results in the legend and in the bar of shares, and a bar for each number of plies.
    let bars = plies.iter().flat_map(|plies| [&plies["won"], &plies["lost"]]).filter(|n| **n != 0).count();
    assert_eq!(picture.matches("<rect ").count(), 1 + 3 + 3 + bars);

    let arguments = ["omweso:2x1", "--layer", "8", "--format", "csv"];
    program.says(&[&["export"][..], &arguments, &["--quiet"]].concat());
    let said =
        program.says(&[&["import"][..], &arguments, &["--check", "omweso-2-8.csv", "--quiet"]].concat());
    assert!(said.contains("all 6435 values are those of layer 8 of omweso:2x1"), "{said}");
    let said = program.fails(&["export", "omweso:2x1", "--layer", "9", "--format", "raw"], 2);
    assert!(said.contains("whole boards of 8 seeds, not of 9"), "{said}");
}
