//! Tables agree with the plain engine, entry by entry.

use sowbase::control::Control;
use sowbase::rules;
use sowbase::tables::{BuildPlan, build, verify};

#[test]
fn every_entry_up_to_14_seeds_is_the_best_of_its_successors() {
    let folder = tempfile::tempdir().unwrap();
    let control = Control::default();
    let rules = rules::game("kalah").unwrap();
    let plan = BuildPlan { rules, up_to: 14, out: folder.path().into(), memory: None };
    let report = build(&plan, &control, |_| {}).unwrap();
    // C(26, 12) positions.
    assert_eq!(report.positions, 9_657_700);
    let report = verify(folder.path(), true, &control).unwrap();
    assert_eq!(report.files, 15);
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}
