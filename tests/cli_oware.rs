//! Answers about games whose positions can repeat, as scripts see them.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
mod program;

use program::{Program, keys, text};
use serde_json::{Value, json};

/// Two seeds that walk round the board.
const CIRCLE: &str = "1 0 0 0 0 1 / 0 0 0 0 0 0";

/// A program with tables of oware and awari, the first with bounds.
fn with_tables() -> Program {
    let program = Program::new();
    program.says(&["build", "oware", "--seeds-up-to", "6", "--bounds", "--quiet"]);
    program.says(&["build", "awari", "--seeds-up-to", "6", "--quiet"]);
    program
}

fn bounds(object: &Value) -> [Option<i64>; 3] {
    ["value", "lower", "upper"].map(|key| object[key].as_i64())
}

#[test]
fn tables_give_the_value_and_its_bounds_for_every_cycle_rule() {
    let program = with_tables();
    let position = "1 0 0 0 0 1 / 0 0 0 0 0 0 ; stores 10 4";
    let answer = program.json(&["query", "oware", position, "--json", "--no-search"]);
    assert_eq!(
        keys(&answer),
        [
            "game",
            "rules",
            "position",
            "value",
            "lower",
            "upper",
            "source",
            "cycle_lower",
            "cycle_upper",
            "cycle_free",
            "moves",
            "line",
            "nodes",
            "seconds"
        ]
    );
    assert_eq!(bounds(&answer), [Some(6), Some(6), Some(6)]);
    assert_eq!(
        (&answer["source"], &answer["cycle_lower"], &answer["cycle_upper"], &answer["cycle_free"]),
        (&json!("table"), &json!(4), &json!(8), &json!(false))
    );
    assert_eq!(answer["moves"][0]["value"], 6);
    let said = program.says(&["query", "oware", CIRCLE]);
    assert!(said.contains("Under cycle=split, the game is a draw"), "{said}");
    assert!(said.contains("whatever a repetition is worth, the value lies from -2 to 2."), "{said}");
    assert!(said.contains("nobody gains anything further: play can be kept in a circle."), "{said}");
    assert_eq!(answer["line"], json!([]));
    // Without bounds there is a value only.
    let answer = program.json(&["query", "awari", CIRCLE, "--json"]);
    assert_eq!((bounds(&answer)[0], answer.get("cycle_free")), (Some(0), None));
}

#[test]
fn own_side_has_a_value_where_the_bounds_meet() {
    let program = with_tables();
    let own_side = ["--rule", "cycle=own-side", "--json", "--quiet"];
    for extra in [&["--no-search"][..], &[]] {
        let ask = |position| program.json(&[&["query", "oware", position], &own_side[..], extra].concat());
        let answer = ask(CIRCLE);
        assert_eq!((bounds(&answer), &answer["source"]), ([None, Some(-2), Some(2)], &json!("table")));
        let answer = ask("0 0 0 0 2 1 / 1 2 0 0 0 0");
        assert_eq!(answer["cycle_free"], true);
        assert_eq!(answer["value"], answer["cycle_lower"]);
    }
    // Without tables the layers are built, and without these it is searched.
    let program = Program::new();
    for extra in [&["--no-tables"][..], &[]] {
        let ask = |position| program.json(&[&["query", "oware", position], &own_side[..], extra].concat());
        assert_eq!(bounds(&ask(CIRCLE)), [None, Some(-2), Some(2)]);
        let answer = ask("0 0 0 0 2 1 / 1 2 0 0 0 0");
        assert!(answer["value"].is_i64(), "{answer}");
    }
}

#[test]
fn the_next_capture_is_told_and_the_line_gets_there() {
    let program = with_tables();
    for game in ["awari", "oware"] {
        let folder = format!("databases/{game}-6");
        let stats = program.json(&["stats", &folder, "--layer", "5", "--json"]);
        let longest = &stats["layers"][0]["longest"];
        let position = longest["position"].as_str().unwrap();
        let query = ["query", game, position, "--no-search"];
        let answer = program.json(&[&query[..], &["--json"]].concat());
        let mut plies = answer["distance"].as_u64().unwrap();
        assert_eq!(longest["distance"], plies);
        let at = keys(&answer).iter().position(|key| *key == "distance").unwrap();
        assert_eq!(keys(&answer)[at + 1], "moves");
        assert!(program.says(&query).contains(&format!("comes after {plies} plies.")), "{answer}");
        let mut here = position.to_string();
        let line = answer["line"].as_array().unwrap();
        assert!(line.len() as u64 >= plies, "{answer}");
        for choice in line {
            let answer = program.json(&["query", game, &here, "--json", "--no-search"]);
            let played = answer["moves"].as_array().unwrap().iter().find(|m| m["move"] == *choice).unwrap();
            assert_eq!((&played["value"], &answer["line"][0]), (&answer["value"], choice), "{answer}");
            here = played["next"].as_str().unwrap().to_string();
            if played["gain"] == 0 {
                plies -= 1;
                let next = program.json(&["query", game, &here, "--json", "--no-search"]);
                assert_eq!(next["distance"], plies, "{next}");
            } else {
                assert_eq!(plies, 1, "a capture at {here}");
                let next = program.json(&["query", game, &here, "--json", "--no-search"]);
                plies = next["distance"].as_u64().unwrap_or(0);
            }
        }
        assert_eq!(plies, 0, "{here}");
    }
    let only = program.json(&["query", "awari", "0 0 1 0 0 1 / 1 0 0 0 0 1", "--json", "--value-only"]);
    assert!(only.get("distance").is_none() && only.get("line").is_none(), "{only}");
    let over = program.json(&["query", "awari", "0 0 0 0 0 0 / 1 0 0 0 0 0", "--json"]);
    assert_eq!((&over["distance"], &over["line"]), (&json!(0), &json!([])));
}

#[test]
fn a_search_gives_bounds_and_never_a_guess() {
    let program = Program::new();
    let answer = program.json(&["solve", "oware", "--no-tables", "--time", "0.3", "--json", "--quiet"]);
    assert_eq!((answer.get("value"), &answer["source"], answer.get("line")), (None, &json!("search"), None));
    let [_, lower, upper] = bounds(&answer);
    assert!(lower < upper, "{answer}");
    for played in answer["moves"].as_array().unwrap() {
        assert!(played["upper"].as_i64() <= upper && played["lower"].as_i64() <= lower, "{answer}");
    }
    let said = program.says(&["solve", "oware", "--no-tables", "--time", "0.1", "--value-only"]);
    assert!(said.contains("Literature: a draw (48stones 2023, known at second hand). This program has not"));
    assert!(said.contains("By tables it takes"), "{said}");
    assert!(said.contains("Not solved: under cycle=split, the value"), "{said}");
    let output = program.run(&["solve", "oware", "--no-tables", "--time", "0.1"]);
    assert!(text(&output.stderr).contains("the search ends after 0.1 s"), "{}", text(&output.stderr));
}

#[test]
fn small_boards_are_solved() {
    let program = Program::new();
    for (game, value) in [
        ("oware:4x1", 0),
        ("awari:4x1", 0),
        ("oware:1x1", 0),
        ("awari:1x1", 2),
        ("oware:2x2", 6),
        ("awari:2x5", 3),
    ] {
        let answer = program.json(&["solve", game, "--json", "--quiet"]);
        assert_eq!((bounds(&answer)[0], &answer["source"]), (Some(value), &json!("table")), "{game}");
        assert_eq!(answer["moves"][0]["value"], value);
        let only = program.json(&["solve", game, "--json", "--quiet", "--value-only"]);
        assert_eq!((bounds(&only)[0], only.get("moves")), (Some(value), None));
    }
}

#[test]
fn what_no_table_holds_is_refused_on_demand() {
    let program = with_tables();
    let position = "4 1 0 0 0 1 / 1 1 0 0 0 2";
    for rule in ["cycle=split", "cycle=own-side"] {
        let said = program.fails(&["query", "oware", position, "--no-search", "--rule", rule], 1);
        assert!(said.contains("10 seeds"), "{said}");
    }
    let said = program.fails(&["query", "awari", CIRCLE, "--no-search", "--rule", "cycle=own-side"], 1);
    assert!(said.contains("--bounds"), "{said}");
}

#[test]
fn a_batch_answers_line_by_line() {
    let program = with_tables();
    let input =
        format!("{CIRCLE}\nnonsense\n0 0 0 0 0 0 / 1 0 0 2 0 0 ; stores 20 25\n4 1 0 0 0 1 / 1 1 0 0 0 2\n");
    for rule in ["cycle=split", "cycle=own-side"] {
        let output =
            program.with_input(&["query", "oware", "-", "--no-search", "--rule", rule], input.as_bytes());
        assert_eq!(output.status.code(), Some(0));
        let said = text(&output.stdout);
        let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), 4, "{said}");
        assert_eq!(answers[0]["cycle_free"], false);
        assert!(answers[1]["error"].is_string() && answers[3]["error"].is_string(), "{said}");
        assert_eq!((bounds(&answers[2])[0], &answers[2]["source"]), (Some(-8), &json!("terminal")));
    }
}

#[test]
fn remedies_are_such_that_they_help() {
    let program = with_tables();
    for switches in [&[][..], &["--rule", "cycle=own-side"]] {
        let query = ["query", "oware", "128 0 0 0 0 0 / 0 0 0 0 0 1", "--no-search"];
        let error = program.fails(&[&query, switches].concat(), 1);
        assert!(error.contains("tables end at 127 seeds") && !error.contains("build"), "{error}");
    }
    let export = ["export", "oware", "--layer", "5", "--format", "raw", "--rule", "cycle=own-side"];
    let error = program.fails(&export, 2);
    assert!(error.contains("ask for the values of cycle=split"), "{error}");
    // A folder may hold nothing but bounds.
    let folder = program.path("databases").join("oware-6");
    for seeds in 0..=6 {
        std::fs::remove_file(folder.join(format!("{seeds}.sow"))).unwrap();
    }
    let error = program.fails(&["stats", folder.to_str().unwrap()], 2);
    assert!(error.contains("have no layer of 0 seeds; `sowbase build"), "{error}");
}

#[test]
fn a_layer_without_those_below_does_not_count_for_them() {
    let program = Program::new();
    program.says(&["build", "oware", "--seeds-up-to", "4", "--bounds", "--quiet", "--out", "tables"]);
    for seeds in 0..4 {
        for end in ["sow", "lower.sow", "upper.sow"] {
            std::fs::remove_file(program.path(&format!("tables/oware-6/{seeds}.{end}"))).unwrap();
        }
    }
    for rule in ["cycle=split", "cycle=own-side"] {
        let position = "1 0 1 0 0 0 / 0 1 0 0 1 0";
        let asked = ["query", "oware", position, "--tables", "tables", "--rule", rule, "--json"];
        let output = program.run(&asked);
        assert!(
            text(&output.stderr).contains("layers 0 to 4 are built in memory"),
            "{}",
            text(&output.stderr)
        );
        let answer: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        let whole = program.json(&["query", "oware", position, "--rule", rule, "--json", "--quiet"]);
        for key in ["value", "lower", "upper", "moves"] {
            assert_eq!(answer[key], whole[key], "{rule} {key}");
        }
        let alone = program.run(&[&asked[..], &["--value-only"]].concat());
        assert_eq!(text(&alone.stderr), "");
    }
}
