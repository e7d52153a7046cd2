//! Tables of whole boards of the games that are won by stalemate: built, read, checked, and found damaged.

use std::path::Path;

use sowbase::board::{Position, Verdict};
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::retrograde::StalemateLayer;
use sowbase::rules::{self, Rules};
use sowbase::tables::*;

/// The rules of a game with some switches.
fn game(text: &str, switches: &[(&str, &str)]) -> Rules {
    let mut rules = rules::game(text).unwrap();
    switches.iter().for_each(|(key, value)| rules.set(key, value).unwrap());
    rules
}

fn plan(dir: &Path, rules: &Rules) -> BuildPlan {
    let up_to = rules.start_seeds();
    BuildPlan { rules: rules.clone(), up_to, out: dir.into(), memory: None, bounds: false }
}

fn build_in(dir: &Path, rules: &Rules) -> BuildReport {
    build(&plan(dir, rules), &Control::default(), |_| ()).unwrap()
}

#[test]
fn files_give_the_verdicts_that_were_built() {
    let rules = game("omweso:2x1", &[]);
    let codes = StalemateLayer::new(&rules).unwrap().build(&Control::default()).unwrap();
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
    let mapped = TableSet::open(&dirs, &rules).unwrap();
    let read = TableSet::open_with(&dirs, &rules, Access::Read).unwrap();
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
    assert!(
        none.to_string().contains("`sowbase build omweso:2x1 --rule capture-needs=inner` makes"),
        "{none}"
    );
    // A game with seeds in hand has none, whatever is asked for.
    let kiswahili = game("bao-kiswahili", &[]);
    let set = TableSet::open(&dirs, &kiswahili).unwrap();
    assert!(matches!(set.probe(&Position::start(&kiswahili)), Err(TableError::Unbuildable(_))));
    let built = build(&plan(dir.path(), &kiswahili), &Control::default(), |_| ());
    assert!(built.unwrap_err().to_string().contains("bao-kiswahili:8x2 has no tables"));
}
