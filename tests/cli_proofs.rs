//! `solve` and `query` of four-row games, and proofs from end to end.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
mod program;

use std::fs;

use program::{Program, keys, text};
use serde_json::{Value, json};

/// A draw of omweso:2x1.
const DRAWN: &str = "1 0 0 3 / 0 0 2 2";

#[test]
fn a_small_board_is_solved_with_distances() {
    let program = Program::new();
    let answer = program.json(&["solve", "omweso:2x1", "--json", "--quiet"]);
    assert_eq!(
        keys(&answer),
        [
            "game", "rules", "position", "value", "lower", "upper", "source", "distance", "moves", "line",
            "nodes", "seconds"
        ]
    );
    assert_eq!([&answer["value"], &answer["lower"], &answer["upper"]], [&json!("loss"); 3]);
    assert_eq!((&answer["distance"], &answer["source"]), (&json!(6), &json!("table")));
    assert_eq!(answer["line"].as_array().unwrap().len(), 6);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(keys(&moves[0]), ["move", "value", "distance", "gain", "opponent_gain", "again", "next"]);
    let worths: Vec<_> = moves.iter().map(|played| (&played["move"], &played["distance"])).collect();
    assert_eq!(worths, [(&json!("3"), &json!(6)), (&json!("4"), &json!(4))]);
    let said = program.says(&["solve", "omweso:2x1", "--quiet"]);
    assert!(said.contains("The player to move loses in 6 plies."), "{said}");
    assert!(said.contains("loss 4"), "{said}");
}

/// A line of best play ends in a position that is over, and every position on it has the value of the line.
#[test]
fn best_lines_are_played_to_the_end() {
    let program = Program::new();
    let mut position = String::from("start");
    for left in (0..=6).rev() {
        let answer = program.json(&["query", "omweso:2x1", &position, "--json", "--quiet"]);
        assert_eq!(answer["distance"], json!(left));
        assert_eq!(answer["value"], if left % 2 == 0 { json!("loss") } else { json!("win") });
        match answer["moves"].as_array().unwrap().first() {
            Some(best) => position = best["next"].as_str().unwrap().into(),
            None => assert_eq!((left, &answer["source"]), (0, &json!("terminal"))),
        }
    }
}

#[test]
fn a_draw_has_no_distance() {
    let program = Program::new();
    let all = format!("{DRAWN}\n1 1 1 0 / 2 1 1 1\n0 0 8 0 / 0 0 0 0\n");
    let output = program.with_input(&["query", "omweso:2x1", "-", "--quiet"], all.as_bytes());
    let answers = text(&output.stdout);
    let answers = answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = answers.map(|answer| (answer["value"] == "draw", answer.get("distance").is_some()));
    assert!(told.eq([(true, false), (false, true), (false, true)]), "{output:?}");
}

#[test]
fn without_tables_the_same_outcomes_are_proven() {
    let program = Program::new();
    for position in ["start", "1 2 0 1 / 0 1 2 1", "0 3 0 1 / 2 0 1 1", "2 0 0 2 / 1 1 1 1"] {
        let of_table = program.json(&["query", "omweso:2x1", position, "--json", "--quiet"]);
        let proven = program.json(&["query", "omweso:2x1", position, "--json", "--quiet", "--no-tables"]);
        assert_eq!(proven["source"], json!("search"));
        if of_table["value"] != json!("draw") {
            assert_eq!(proven["value"], of_table["value"], "{position}");
            assert!(proven["within"].as_u64() >= of_table["distance"].as_u64(), "{position}");
        }
    }
}

#[test]
fn what_no_table_on_disk_holds_is_built_or_searched() {
    let program = Program::new();
    program.says(&["build", "omweso:2x1", "--quiet"]);
    let full = "0 0 2 0 1 0 0 0 2 0 0 0 0 0 0 0 / 0 0 0 4 0 0 0 0 58 0 0 0 0 0 0 0";
    let blocked = format!("{full} ; blocked 5");
    for (game, position, source) in [
        ("bao-kiswahili", full, "search"),
        ("bao-kiswahili", blocked.as_str(), "search"),
        // All positions of five seeds on this small board are built in memory.
        ("omweso:2x1", "0 2 0 2 / 1 0 0 0", "table"),
        ("omweso:2x1", "0 2 0 2 / 1 0 0 0 ; opening 1", "table"),
    ] {
        let arguments = ["query", game, position, "--time", "5", "--value-only", "--json", "--quiet"];
        let answer = program.json(&arguments);
        assert_eq!((&answer["value"], &answer["source"]), (&json!("win"), &json!(source)), "{position}");
        program.fails(&[&arguments[..], &["--no-search"]].concat(), 1);
    }
}

/// A game that is over has a proof without steps.
#[test]
fn an_end_is_proven_too() {
    let program = Program::new();
    for (position, value) in [("start", "loss"), ("2 0 0 0 0 0 0 0 / 0 0 0 0 2 2 2 0", "win")] {
        let asked = ["--position", position, "--proof", "end.proof", "--quiet"];
        program.says(&[&["solve", "bao-kujifunza:4x1"][..], &asked].concat());
        let checked = program.json(&["verify", "--proof", "end.proof", "--json", "--quiet"]);
        let told = (&checked["value"], &checked["within"], &checked["steps"]);
        assert_eq!(told, (&json!(value), &json!(0), &json!(0)));
    }
}

#[test]
fn a_proof_is_written_and_replayed() {
    let program = Program::new();
    let arguments = ["solve", "bao-kujifunza", "--proof", "start.proof", "--value-only", "--json", "--quiet"];
    let answer = program.json(&arguments);
    assert_eq!(answer["value"], json!("win"));
    assert!(answer.get("distance").is_none() && answer["within"].as_u64().unwrap() % 2 == 1);
    let checked = program.json(&["verify", "--proof", "start.proof", "--json", "--quiet"]);
    assert_eq!(
        keys(&checked),
        ["ok", "file", "game", "rules", "position", "value", "within", "steps", "faults"]
    );
    assert_eq!((&checked["ok"], &checked["value"]), (&json!(true), &json!("win")));
    assert_eq!(checked["within"], answer["within"]);
    assert_eq!(checked["rules"], answer["rules"]);
    let said = program.says(&["verify", "--proof", "start.proof", "--quiet"]);
    assert!(said.contains(" steps: a win within "), "{said}");

    let proof = fs::read_to_string(program.path("start.proof")).unwrap();
    let cut = &proof[..proof.len() - 40];
    fs::write(program.path("cut.proof"), cut).unwrap();
    let output = program.run(&["verify", "--proof", "cut.proof", "--json", "--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    let fault: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(fault["ok"], json!(false));
    assert!(fault["faults"][0]["fault"].as_str().unwrap().starts_with("line "), "{fault}");
    let output = program.run(&["verify", "--proof", "cut.proof", "--quiet"]);
    assert!(text(&output.stdout).starts_with("cut.proof: line "));
}

#[test]
fn what_proofs_cannot_do_is_refused() {
    let program = Program::new();
    let said = program.fails(&["solve", "kalah:3x2", "--proof", "a.proof"], 2);
    assert!(said.contains("games of four rows"), "{said}");
    program.fails(&["solve", "omweso", "--proof", "a.proof", "--no-search"], 2);
    let said = program.fails(&["verify", "--proof", "none.proof"], 2);
    assert!(said.contains("none.proof"), "{said}");
    program.fails(&["verify", "--proof", "a", "b"], 2);
    program.fails(&["verify"], 2);
    // What is not proven has no proof, and nothing is left behind.
    let drawn = ["solve", "omweso:2x1", "--position", DRAWN, "--proof", "b.proof", "--quiet"];
    assert!(program.fails(&drawn, 1).contains("more time would find none either"));
    let said = program.says(&["solve", "omweso:2x1", "--position", DRAWN, "--no-tables", "--quiet"]);
    assert!(said.contains("More time would find none either: perhaps it is a draw."), "{said}");
    let start = program.run(&["solve", "bao-kiswahili", "--proof", "b.proof", "--time", "0.2", "--quiet"]);
    assert_eq!(start.status.code(), Some(1), "{}", text(&start.stderr));
    assert!(!program.path("b.proof").exists() && !program.path("b.proof.part").exists());
    assert!(text(&start.stderr).contains("allow more --time and --memory"), "{start:?}");
    let open = program.json(&["solve", "bao-kiswahili", "--time", "0.2", "--json", "--quiet"]);
    assert_eq!((&open["lower"], &open["upper"]), (&json!("loss"), &json!("win")));
    assert!(open.get("value").is_none());
}

/// The moves are searched after their position, which then ends no later than they say.
#[test]
fn a_position_is_worth_its_best_move() {
    let program = Program::new();
    let mut decided = 0;
    for (rule, position) in [
        ("emitwe=on", "2 0 0 3 / 1 0 0 2"),
        ("emitwe=on", "2 2 0 1 / 0 0 2 1"),
        ("reverse=on", "3 2 0 0 / 0 2 1 0"),
        ("endless=loss", "0 3 2 2 / 0 3 0 1"),
        ("reverse=on", "0 0 2 2 / 0 0 2 2"),
    ] {
        let arguments = ["query", "omweso:2x1", position, "--rule", rule, "--json", "--quiet", "--no-tables"];
        let answer = program.json(&arguments);
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves[0]["value"], answer["value"], "{position}");
        assert_eq!(moves[0]["within"], answer["within"], "{position}");
        assert!(answer["line"].as_array().unwrap().len() as u64 <= answer["within"].as_u64().unwrap());
        decided += u32::from(answer.get("value").is_some());
    }
    assert_eq!(decided, 5);
}

#[cfg(unix)]
/// Where it is not known whether one of the moves ends, another can win all the same.
#[test]
fn a_move_that_cannot_be_known_hides_no_win() {
    let program = Program::new();
    let position = "2 2 3 2 2 3 3 2 5 1 2 5 0 1 0 2 / 2 2 1 2 0 2 2 4 2 3 1 0 3 0 3 2";
    let output = program.run(&[
        "solve",
        "omweso",
        "--position",
        position,
        "--proof",
        "a.proof",
        "--json",
        "--quiet",
        "--time",
        "60",
    ]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["value"], &answer["within"]), (&json!("win"), &json!(1)));
    assert_eq!((answer.get("moves"), answer.get("line")), (None, None));
    assert!(text(&output.stderr).contains("moves are not listed"), "{output:?}");
    let said = program.says(&["verify", "--proof", "a.proof", "--quiet"]);
    assert!(said.contains("Proven in 1 step: a win within 1 ply."), "{said}");
    // Who counts moves needs them all, and gets those of fewer plies.
    let counted = program.run(&["perft", "omweso", "2", "--position", position, "--json"]);
    assert_eq!(counted.status.code(), Some(2));
    let counts: Value = serde_json::from_slice(&counted.stdout).unwrap();
    assert_eq!(counts["counts"], json!([]));
    assert!(text(&counted.stderr).contains("the sequences of 1 ply are not counted"), "{counted:?}");
}

/// What is told of a position is what its proof proves, though the moves were looked at after it.
#[test]
fn an_answer_has_the_plies_of_its_proof() {
    let program = Program::new();
    for (game, position) in [("omweso:2x1", "2 1 1 2 / 0 0 2 1"), ("omweso:3x1", "2 3 0 0 0 0 / 2 1 0 1 0 0")]
    {
        let arguments = ["solve", game, "--position", position, "--proof", "a.proof", "--json", "--quiet"];
        let answer = program.json(&arguments);
        let checked = program.json(&["verify", "--proof", "a.proof", "--json", "--quiet"]);
        assert_eq!(answer["within"], checked["within"]);
        assert_eq!(answer["proof"], json!({ "file": "a.proof", "steps": checked["steps"] }));
        assert!(answer["line"].as_array().unwrap().len() as u64 <= answer["within"].as_u64().unwrap());
    }
    // Nobody else's unfinished file is in the way, or lost.
    fs::write(program.path("b.proof.part"), "of another").unwrap();
    program.fails(&["solve", "omweso:2x1", "--position", DRAWN, "--proof", "b.proof", "--quiet"], 1);
    assert_eq!(fs::read_to_string(program.path("b.proof.part")).unwrap(), "of another");
}

#[test]
fn a_plan_is_told_once_for_many_positions() {
    let program = Program::new();
    for (game, arguments) in [("bao-kujifunza", &["--time", "5"][..]), ("kalah:3x2", &["--no-tables"])] {
        let arguments = [&["query", game, "-", "--value-only"][..], arguments].concat();
        let output = program.with_input(&arguments, b"start\nstart\nstart\n");
        assert_eq!(text(&output.stdout).lines().count(), 3);
        assert_eq!(text(&output.stderr).matches("plan: ").count(), 1, "{output:?}");
    }
}

/// No time is enough to see the moves, and that there are none.
#[test]
fn moves_of_usual_length_are_listed_without_time() {
    let program = Program::new();
    for (game, position, moves) in [
        ("omweso", "start", 8),
        ("bao-kujifunza", "start", 16),
        ("sadeqa-iii", "start", 8),
        ("bao-kujifunza:4x1", "start", 0),
    ] {
        let answer =
            program.json(&["query", game, position, "--time", "0", "--no-tables", "--json", "--quiet"]);
        assert_eq!(answer["moves"].as_array().unwrap().len(), moves, "{game}");
        assert_eq!(answer["source"] == "terminal", moves == 0, "{game}");
    }
}

#[test]
fn no_search_is_made_for_a_proof_that_cannot_be_written() {
    let program = Program::new();
    fs::create_dir(program.path("folder")).unwrap();
    for (file, remedy) in [("nowhere/a.proof", "create its folder first"), ("folder", "name a file in it")] {
        let said = program.fails(&["solve", "bao-kiswahili", "--proof", file, "--quiet"], 2);
        assert!(said.contains(remedy), "{said}");
    }
}

#[test]
fn proofs_go_through_links_and_pipes() {
    let program = Program::new();
    std::os::unix::fs::symlink("real.proof", program.path("link.proof")).unwrap();
    fs::write(program.path("real.proof"), "").unwrap();
    let solve = ["solve", "omweso:2x1", "--value-only", "--quiet", "--proof"];
    program.says(&[&solve[..], &["link.proof"]].concat());
    assert!(fs::symlink_metadata(program.path("link.proof")).unwrap().is_symlink());
    program.says(&["verify", "--proof", "real.proof", "--quiet"]);
    let said = program.says(&[&solve[..], &["/dev/stdout"]].concat());
    assert!(said.starts_with("sowbase proof 1\n"), "{said}");
    // Into a file the proof would take the place of the answer.
    let answers = fs::File::create(program.path("answers")).unwrap();
    let mut command = program.command(&[&solve[..], &["/dev/stdout"]].concat());
    let refused = command.stdout(answers).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("name a file that is not open already"), "{refused:?}");
}
