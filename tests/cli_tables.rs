//! Tables through the program: building, describing, verifying, answering, and damage.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::{Program, keys};
use serde_json::Value;

#[test]
fn tables_are_built_described_and_verified() {
    let program = Program::new();
    let said = program.says(&["build", "kalah:3x2", "--seeds-up-to", "8", "--quiet"]);
    assert!(said.contains("9 layers built"), "{said}");
    let again = program.json(&["build", "kalah:3x2", "--seeds-up-to", "9", "--json"]);
    assert_eq!((&again["kept"], &again["built"]), (&9.into(), &1.into()));
    assert_eq!(
        program.json(&["verify", "databases", "--json"]),
        serde_json::json!({"ok": true, "files": 10, "faults": []})
    );
    program.says(&["verify", "databases", "--deep", "--quiet"]);
    let info = program.json(&["info", "databases", "--json"]);
    assert_eq!((&info["game"], info["layers"].as_array().unwrap().len()), (&"kalah:3x2".into(), 10));
    assert!(program.says(&["info", "databases"]).contains("tables of kalah:3x2"));
    let stats = program.json(&["stats", "databases", "--json", "--layer", "3"]);
    assert_eq!(keys(&stats), ["game", "rules", "layers"]);
    let layer = &stats["layers"][0];
    assert_eq!(
        keys(layer),
        ["seeds", "positions", "wins", "draws", "losses", "distribution", "max", "min", "mean"]
    );
    assert_eq!((&layer["seeds"], &layer["positions"]), (&3.into(), &56.into()));
    let sum: u64 =
        layer["distribution"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(sum, 56);
    assert!(program.says(&["stats", "databases", "--layer", "3"]).contains("value"));
    program.says(&["stats", "databases"]);
    program.fails(&["stats", "databases", "--layer", "77"], 2);
}

/// A search that had no time before leaves the tables as they are.
#[test]
fn tables_answer_after_a_search_without_time() {
    let program = Program::new();
    program.says(&["build", "kalah:3x2", "--seeds-up-to", "8", "--quiet"]);
    let held = "0 3 2 / 1 0 1";
    let query = ["query", "kalah:3x2", "-", "--time", "0", "--value-only", "--quiet"];
    let output = program.with_input(&query, format!("start\n{held}\n").as_bytes());
    let said = program::text(&output.stdout);
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["source"], answers[0].get("value")), (&"search".into(), None));
    let alone = program.json(&["query", "kalah:3x2", held, "--no-search", "--value-only", "--json"]);
    for key in ["value", "lower", "upper", "source"] {
        assert_eq!(answers[1][key], alone[key], "{said}");
    }
}

#[test]
fn bounds_are_built_described_and_verified() {
    let program = Program::new();
    let said = program.says(&["build", "awari", "--seeds-up-to", "4", "--bounds", "--quiet"]);
    assert!(said.contains("15 files built"), "{said}");
    assert_eq!(
        program.json(&["verify", "databases", "--deep", "--json"]),
        serde_json::json!({"ok": true, "files": 15, "faults": []})
    );
    let info = program.json(&["info", "databases", "--json"]);
    assert_eq!(keys(&info), ["game", "rules", "folder", "rule_text", "layers", "bounds", "faults"]);
    for files in [&info["layers"], &info["bounds"]["lower"], &info["bounds"]["upper"]] {
        assert_eq!(files.as_array().unwrap().len(), 5);
    }
    assert!(program.says(&["info", "databases"]).contains("  4.upper  "));
    let stats = program.json(&["stats", "databases", "--json", "--layer", "3"]);
    let layer = &stats["layers"][0];
    let expected = [
        "seeds",
        "positions",
        "wins",
        "draws",
        "losses",
        "cycle_free",
        "distribution",
        "max",
        "min",
        "mean",
        "longest",
    ];
    assert_eq!(keys(layer), expected);
    assert_eq!(layer["cycle_free"], 301);
    assert_eq!(layer["longest"]["distance"], 29);
    let longest = layer["longest"]["position"].as_str().unwrap();
    assert_eq!(program.json(&["query", "awari", longest, "--json", "--no-search"])["distance"], 29);
    assert!(program.says(&["stats", "databases"]).contains("cycle-free"));
    let said = program.says(&["stats", "databases", "--layer", "3"]);
    assert!(said.contains("takes 29 plies: "), "{said}");
    // Where bounds say nothing, and where a value says too much.
    let said = program.fails(&["build", "kalah", "--seeds-up-to", "4", "--bounds"], 2);
    assert!(said.contains("leave out --bounds"), "{said}");
    let own_side = ["build", "awari", "--rule", "cycle=own-side", "--seeds-up-to", "4"];
    let said = program.fails(&own_side, 2);
    assert!(said.contains("--bounds"), "{said}");
    let said = program.says(&[&own_side[..], &["--bounds"]].concat());
    assert!(said.contains("0 files built") && said.contains("15 kept"), "{said}");
}

#[test]
fn tables_on_disk_answer() {
    let program = Program::new();
    program.says(&["build", "kalah:3x2", "--seeds-up-to", "8", "--out", "tables", "--quiet"]);
    let covered = "1 2 1 / 0 3 1";
    let arguments = ["query", "kalah:3x2", covered, "--no-search", "--json", "--tables", "tables"];
    let answer = program.json(&arguments);
    assert_eq!((&answer["source"], &answer["nodes"]), (&"table".into(), &0.into()));
    let searched = program.json(&["query", "kalah:3x2", covered, "--no-tables", "--json"]);
    assert_eq!((&answer["value"], &answer["moves"]), (&searched["value"], &searched["moves"]));
    // Beyond the tables, without them, and with those of other rules.
    let said = program.fails(&["query", "kalah:3x2", "start", "--no-search", "--tables", "tables"], 1);
    assert!(said.contains("12"), "{said}");
    program.fails(&["query", "kalah:3x2", covered, "--no-search"], 1);
    let other =
        ["query", "kalah:3x2", covered, "--no-search", "--tables", "tables", "--rule", "trigger=leave"];
    program.fails(&other, 1);
    program.says(&["query", "kalah:3x2", "start", "--tables", "tables", "--quiet"]);
}

#[test]
fn a_damaged_file_is_a_negative_answer_of_verify_and_never_a_value() {
    let program = Program::new();
    program.says(&["build", "kalah:3x2", "--seeds-up-to", "8", "--quiet"]);
    let file = file_of_layer(&program.path("databases"), 8);
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes.iter_mut().skip(last - 700).for_each(|byte| *byte ^= 1);
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    #[allow(clippy::permissions_set_readonly_false)]
    permissions.set_readonly(false);
    fs::set_permissions(&file, permissions).unwrap();
    fs::write(&file, bytes).unwrap();
    let output = program.run(&["verify", "databases", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ok"], false);
    assert_eq!(keys(&report["faults"][0]), ["file", "fault"]);
    let said = program.fails(&["query", "kalah:3x2", "0 0 2 / 0 4 2", "--no-search"], 2);
    assert!(said.contains("damaged"), "{said}");
    let said = program.says(&["build", "kalah:3x2", "--seeds-up-to", "8"]);
    assert!(said.contains("in place of damaged ones"), "{said}");
    program.says(&["verify", "databases"]);
}

fn file_of_layer(databases: &Path, seeds: u32) -> PathBuf {
    let mut folders = fs::read_dir(databases).unwrap().map(|entry| entry.unwrap().path());
    let folder = folders.find(|path| path.is_dir()).unwrap();
    let mut files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = seeds.to_string();
    files
        .find(|path| {
            path.extension().is_some_and(|ext| ext == "sow") && {
                path.file_stem().unwrap().to_str().unwrap().trim_start_matches('0') == name
            }
        })
        .unwrap()
}

#[cfg(unix)]
#[test]
fn a_stopped_build_says_what_is_kept() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let program = Program::new();
    let mut child = program
        .command(&["build", "congklak", "--seeds-up-to", "20"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(said.contains("stopped: ") && said.contains("kept in databases"), "{said}");
}
