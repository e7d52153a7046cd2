//! A build that ends at any moment loses at most the layer in work, and the next one goes on.
//!
//! The build that is killed is one of the program.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sowbase::control::Control;
use sowbase::rules::{self, Rules};
use sowbase::tables::*;

/// Highest layer of the builds.
const UP_TO: u32 = 12;

fn rules() -> Rules {
    rules::game("kalah:4x3").unwrap()
}

fn build_here(
    dir: &Path,
    control: &Control,
    report: impl FnMut(&BuildEvent),
) -> Result<BuildReport, BuildError> {
    build(&BuildPlan::new(&rules(), UP_TO, dir), control, report)
}

/// Arguments of the program for the same build.
fn child_arguments(dir: &Path) -> Vec<std::ffi::OsString> {
    let mut arguments = ["build", "kalah:4x3", "--seeds-up-to"].map(Into::into).to_vec();
    arguments.extend([UP_TO.to_string().into(), "--quiet".into(), "--out".into(), dir.into()]);
    arguments
}

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_sowbase")
}

fn checksums(dir: &Path) -> Vec<Checksum> {
    folder_checksums(dir, &Control::default()).unwrap()
}

/// No file has a final name unless it is whole.
fn assert_sound(dir: &Path) {
    match verify(dir, false, &Control::default()) {
        Ok(report) => assert!(report.faults.is_empty(), "{:?}", report.faults),
        Err(TableError::NoTables { .. } | TableError::Io { .. }) => (),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_killed_build_is_resumed() {
    let plan = BuildPlan::new(&rules(), UP_TO, PathBuf::new());
    kill_and_resume(&plan, UP_TO + 1, 20);
}

#[test]
fn a_killed_build_of_bounds_is_resumed() {
    let rules = rules::game("awari").unwrap();
    let plan = BuildPlan::new(&rules, 7, PathBuf::new()).bounds(true);
    kill_and_resume(&plan, 3 * 8, 12);
}

/// Kills builds at many moments and lets the library end each of them.
fn kill_and_resume(plan: &BuildPlan, files: u32, rounds: u32) {
    let start_child = |dir: &Path| {
        let mut command = Command::new(program());
        command.args(["build", &plan.rules.title(), "--quiet", "--seeds-up-to", &plan.up_to.to_string()]);
        command.args(plan.bounds.then_some("--bounds")).arg("--out").arg(dir);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let whole = tempfile::tempdir().unwrap();
    assert!(start_child(whole.path()).wait().unwrap().success());
    // The second of two runs, with everything warm.
    let again = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    assert!(start_child(again.path()).wait().unwrap().success());
    let time = begin.elapsed();
    let expected = checksums(whole.path());
    assert_eq!(expected.len() as u32, files);
    let mut interrupted = 0;
    for round in 0..rounds {
        let dir = tempfile::tempdir().unwrap();
        // Moments spread over the whole build, in another order and rhythm than its layers.
        let delay = time.mul_f64(f64::from(round * 7 % rounds) / f64::from(rounds))
            + Duration::from_micros(u64::from(round) * 137);
        let mut child = start_child(dir.path());
        std::thread::sleep(delay);
        child.kill().unwrap();
        interrupted += u32::from(!child.wait().unwrap().success());
        assert_sound(dir.path());
        let mut kept = 0;
        let plan = BuildPlan::new(&plan.rules, plan.up_to, dir.path()).bounds(plan.bounds);
        let done = build(&plan, &Control::default(), |event| match event {
            BuildEvent::Kept { .. } => kept += 1,
            BuildEvent::Damaged { .. } | BuildEvent::ManifestRepaired { .. } => panic!("{event:?}"),
            _ => (),
        })
        .unwrap();
        assert_eq!((done.kept, done.kept + done.built, done.repaired), (kept, files, 0));
        assert_eq!(checksums(dir.path()), expected);
        assert_sound(dir.path());
        let parts = fs::read_dir(done.folder).unwrap();
        assert!(parts.flatten().all(|file| !file.file_name().to_string_lossy().ends_with(".part")));
    }
    assert!(interrupted >= rounds / 4, "only {interrupted} of {rounds} builds were killed before their end");
}

#[test]
fn a_stopped_build_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let control = Control::default();
    let stopped = build_here(dir.path(), &control, |event| {
        if matches!(event, BuildEvent::Built { name: LayerName { seeds: 5, .. }, .. }) {
            control.stop();
        }
    });
    assert!(stopped.unwrap_err().is_stop());
    assert_sound(dir.path());
    let done = build_here(dir.path(), &Control::default(), |_| ()).unwrap();
    assert_eq!((done.kept, done.built), (6, UP_TO - 5));
    // A third build has nothing to do.
    let done = build_here(dir.path(), &Control::default(), |_| ()).unwrap();
    assert_eq!((done.kept, done.built), (UP_TO + 1, 0));
}

#[test]
fn damaged_layers_are_built_again() {
    let dir = tempfile::tempdir().unwrap();
    let folder = build_here(dir.path(), &Control::default(), |_| ()).unwrap().folder;
    let expected = checksums(dir.path());
    let damage = |name: &str, at: usize| {
        let file = folder.join(name);
        let mut bytes = fs::read(&file).unwrap();
        bytes[at] ^= 0x10;
        fs::remove_file(&file).unwrap();
        fs::write(&file, bytes).unwrap();
    };
    damage("4.sow", 4100);
    damage("9.sow", 8);
    damage(MANIFEST, 40);
    fs::remove_file(folder.join("11.sow")).unwrap();
    let (mut damaged, mut repaired) = (Vec::new(), 0);
    let done = build_here(dir.path(), &Control::default(), |event| match event {
        BuildEvent::Damaged { name, .. } => damaged.push(name.seeds),
        BuildEvent::ManifestRepaired { .. } => repaired += 1,
        _ => (),
    })
    .unwrap();
    assert_eq!((damaged, repaired), (vec![4, 9], 1));
    assert_eq!((done.kept, done.built, done.repaired), (UP_TO - 2, 3, 2));
    assert_eq!(checksums(dir.path()), expected);
    assert_sound(dir.path());
}

#[test]
fn a_second_build_in_the_folder_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut refused = None;
    build_here(dir.path(), &Control::default(), |event| {
        if matches!(event, BuildEvent::Built { name: LayerName { seeds: 3, .. }, .. }) {
            refused = build_here(dir.path(), &Control::default(), |_| ()).err();
        }
    })
    .unwrap();
    let error = refused.expect("the second build was not refused");
    assert!(matches!(error, BuildError::Locked { .. }), "{error}");
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    build_here(dir.path(), &Control::default(), |_| ()).unwrap();
}

#[test]
fn a_build_that_needs_too_much_is_refused_before_it_starts() {
    let dir = tempfile::tempdir().unwrap();
    let plan = BuildPlan::new(&rules(), UP_TO, dir.path().join("new")).memory(1000);
    let error = build(&plan, &Control::default(), |_| ()).unwrap_err();
    assert!(matches!(error, BuildError::Memory { allowed: 1000, .. }), "{error}");
    // 10^14 positions a layer: more than any disk.
    let rules = rules::game("kalah:8x8").unwrap();
    let plan = BuildPlan::new(&rules, 70, dir.path().join("new")).memory(u64::MAX);
    let error = build(&plan, &Control::default(), |_| ()).unwrap_err();
    assert!(matches!(error, BuildError::Disk { .. } | BuildError::Unbuildable(_)), "{error}");
    assert!(!dir.path().join("new").exists());
}

/// A limit on the size of files makes writes fail as a full disk does.
#[cfg(unix)]
#[test]
fn a_failed_write_leaves_no_file_behind() {
    let dir = tempfile::tempdir().unwrap();
    let status = Command::new("sh")
        .args(["-c", r#"trap "" XFSZ; ulimit -f 32; exec "$0" "$@""#])
        .arg(program())
        .args(child_arguments(dir.path()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(!status.success());
    assert_sound(dir.path());
    let folder = dir.path().join("kalah-4");
    let names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into())
        .collect();
    assert!(
        names.contains(&"3.sow".into()) && !names.contains(&file_name(UP_TO, Quantity::Value)),
        "{names:?}"
    );
    assert!(names.iter().all(|name| !name.ends_with(".part")), "{names:?}");
    let done = build_here(dir.path(), &Control::default(), |_| ()).unwrap();
    assert!(done.kept > 3 && done.built > 0);
}
