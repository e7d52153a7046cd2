//! Answers about relay games, closed pits and quan cells, as scripts see them.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
mod program;

use program::{Program, keys, text};
use serde_json::{Value, json};

const GAMES: &[&str] = &[
    "congklak:3x2",
    "sungka:3x2",
    "sadeqa-iii:3x2",
    "sadeqa-91:3x2",
    "en-dodoi:3x2",
    "en-gehe:3x2",
    "pallanguzhi:3x2",
    "o-an-quan:3x2",
];

fn lines(output: &std::process::Output) -> Vec<Value> {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn small_boards_are_solved_with_every_first_move() {
    let program = Program::new();
    for (game, value) in [
        ("congklak:3x3", 8),
        ("sadeqa-iii:3x2", 6),
        ("sadeqa-iii:2x3", 8),
        ("en-dodoi:3x2", -2),
        ("en-gehe:3x2", -2),
        ("pallanguzhi:3x2", 10),
        ("pallanguzhi:2x3", -4),
    ] {
        let answer = program.json(&["solve", game, "--json", "--quiet"]);
        assert_eq!(answer["value"], value, "{game}");
        assert_eq!(answer["moves"][0]["value"], value, "{game}");
    }
    let bounds = program.json(&["solve", "sadeqa-iii:2x3", "--json", "--quiet", "--rule", "cycle=own-side"]);
    assert_eq!((&bounds["lower"], &bounds["upper"], bounds.get("value")), (&json!(6), &json!(10), None));
}

#[test]
fn tables_of_whole_small_boards_are_true() {
    let program = Program::new();
    for game in GAMES.iter().filter(|game| !game.starts_with("o-an-quan")) {
        program.says(&["build", game, "--seeds-up-to", "12", "--quiet"]);
        let answer = program.json(&["query", game, "start", "--json", "--quiet", "--no-search"]);
        assert!(answer["value"].is_i64(), "{game}");
    }
    assert!(program.says(&["verify", "databases", "--deep", "--quiet"]).contains("follows from the rules"));
}

#[test]
fn positions_without_layers_are_answered_from_what_can_follow() {
    let program = Program::new();
    let answer = program.json(&["solve", "o-an-quan:3x1", "--json", "--quiet", "--time", "4"]);
    assert_eq!(
        keys(&answer),
        ["game", "rules", "position", "value", "lower", "upper", "source", "moves", "nodes", "seconds"]
    );
    assert_eq!((&answer["value"], &answer["source"]), (&json!(26), &json!("search")));
    assert_eq!(answer["position"], "1 1 1 / 1 1 1 ; quan 1 1");
    let moves: Vec<&str> =
        answer["moves"].as_array().unwrap().iter().map(|played| played["move"].as_str().unwrap()).collect();
    assert_eq!(moves[..4], ["1+", "1-", "3+", "3-"]);
    // Both players can avoid an end for ever, so there is no bound.
    let open =
        program.json(&["solve", "o-an-quan:2x1", "--json", "--quiet", "--time", "0.2", "--value-only"]);
    assert_eq!(keys(&open), ["game", "rules", "position", "source", "nodes", "seconds"]);
    let said = program.says(&["solve", "o-an-quan:2x1", "--quiet", "--time", "0.2"]);
    assert!(said.contains("no bound of the value is proven"), "{said}");
    let over = program.json(&["query", "o-an-quan", "0 2 0 0 0 / 0 0 1 0 0 ; stores 30 37", "--json"]);
    assert_eq!((&over["value"], &over["source"]), (&json!(-6), &json!("terminal")));
    // Stores shift the value, unless a refill hangs on them.
    let shifted = [
        "query",
        "o-an-quan:3x1",
        "1 1 1 / 1 1 1 ; stores 5 1 ; quan 1 1",
        "--json",
        "--quiet",
        "--time",
        "4",
    ];
    assert_eq!(program.json(&shifted)["value"], 30);
    program.fails(&["build", "o-an-quan", "--seeds-up-to", "3"], 2);
    program.fails(&["query", "o-an-quan", "start", "--no-search"], 1);
}

#[test]
fn closed_pits_are_searched_among_open_boards() {
    let program = Program::new();
    for game in ["congklak:3x3", "pallanguzhi:3x3"] {
        program.says(&["build", game, "--seeds-up-to", "6", "--quiet"]);
        let position = "x 0 2 / 1 x 1";
        let alone = program.json(&["query", game, position, "--json", "--quiet"]);
        assert_eq!((&alone["value"], &alone["source"]), (&json!(-2), &json!("search")), "{game}");
        // The same seeds on the open board are another position, and so are the rows turned round.
        let input = format!("0 0 2 / 1 0 1\n{position}\n1 x 1 / x 0 2\nx x x / x x x\n0 0 2 / 1 0 1\n");
        let answers = lines(&program.with_input(&["query", game, "-", "--quiet"], input.as_bytes()));
        let sources: Vec<&Value> = answers.iter().map(|answer| &answer["source"]).collect();
        assert_eq!(sources, ["table", "search", "search", "terminal", "table"], "{game}");
        assert_eq!((&answers[1]["value"], &answers[0]["value"]), (&alone["value"], &answers[4]["value"]));
        assert_eq!(answers[3]["value"], 0);
        assert_eq!(program.run(&["query", game, position, "--no-search"]).status.code(), Some(1));
    }
    let moves = program.json(&["moves", "congklak", "x 0 2 0 0 0 1 / 3 x x 0 1 0 0", "--json"]);
    assert_eq!(moves["moves"][0]["next"], "3 x x 0 1 0 0 / x 0 0 1 1 0 1");
}

#[test]
fn positions_that_are_none_are_refused_in_every_game() {
    let program = Program::new();
    for game in GAMES {
        for position in [
            "",
            "1 2 / 3 4",
            "1 2 3 4 / 1 2 3",
            "1 2 3 / 1 2 -3",
            "1 2 3 / 1 2 70000",
            "60000 0 0 / 60000 0 0",
            "a b c / d e f",
            "1 2 3 / 1 2 3 ; stores 1",
            "1 2 3 / 1 2 3 ; stores 1 2 ; stores 1 2",
            "1 2 3 / 1 2 3 ; hand 1 2",
            "1 2 3 / 1 2 3 ; quan 2 0",
            "1 2 3 / 1 2 3 ; quan 1",
            "1 2 3",
            "1 2 3 / 1 2 3 / 1 2 3",
            "y 2 3 / 1 2 3",
            "1 2 3 / 1 2 3 ; quan-dan 1 x",
        ] {
            for command in ["query", "moves"] {
                let said = program.fails(&[command, game, position], 2);
                assert!(said.contains("is no position"), "{game} {position}: {said}");
            }
        }
        let answers = lines(&program.with_input(&["moves", game, "-"], b"\n1 1 1 / 1 1 1\nx\n"));
        assert!(answers[0]["error"].is_string() && answers[2]["error"].is_string(), "{game}");
        assert!(answers[1]["moves"].is_array(), "{game}");
        program.fails(&["solve", game, "--rule", "endless=never"], 2);
        program.fails(&["solve", game, "--rule", "lap=backward"], 2);
    }
    // Closed pits and debts belong to some games only.
    program.fails(&["moves", "o-an-quan:3x2", "x 1 1 / 1 1 1 ; quan 1 1"], 2);
    program.fails(&["moves", "oware:3x2", "x 1 1 / 1 1 1"], 2);
    program.fails(&["moves", "congklak:3x2", "1 1 1 / 1 1 1 ; stores -3 4"], 2);
    program.says(&["moves", "o-an-quan:3x2", "1 1 1 / 1 1 1 ; stores -3 4"]);
}

#[test]
fn tables_of_other_rules_are_refused() {
    let program = Program::new();
    program.says(&["build", "sadeqa-iii:3x2", "--seeds-up-to", "4", "--quiet"]);
    let at = "databases/sadeqa-iii-3";
    for arguments in [
        &["query", "sadeqa-iii:3x2", "1 0 0 / 0 1 0", "--rule", "endless=draw", "--tables", at][..],
        &["query", "en-dodoi:3x2", "1 0 0 / 0 1 0", "--tables", at],
        &["query", "pallanguzhi:3x2", "1 0 0 / 0 1 0", "--tables", at],
    ] {
        program.fails(arguments, 2);
    }
    // One rule set by two names shares its tables.
    let answer =
        program.json(&["query", "sadeqa-91:3x2", "1 0 0 / 0 1 0", "--tables", at, "--json", "--no-search"]);
    assert_eq!(answer["source"], "table");
}

#[test]
fn a_move_that_is_given_up_spoils_no_other_answer() {
    let program = Program::new();
    // The circle of pit 7 has 8,224,203,200 laps.
    let overlong = "0 3 13 1 9 6 3 5 / 10 7 0 9 0 1 2 16";
    let small = "0 0 1 0 0 0 0 0 / 0 0 0 0 0 2 0 0";
    let arguments = ["query", "sadeqa-iii", "-", "--quiet", "--no-tables", "--time", "0.5"];
    let answers =
        lines(&program.with_input(&arguments, format!("{small}\n{overlong}\n{small}\n").as_bytes()));
    // What is proven of it does not rest on that move, and its moves are not all known.
    let bounds = ["lower", "upper"].map(|key| answers[1][key].as_i64().unwrap());
    assert!((-85..=85).contains(&bounds[0]) && (bounds[0]..=85).contains(&bounds[1]), "{}", answers[1]);
    assert!(answers[1].get("moves").is_none() && answers[1].get("error").is_none(), "{}", answers[1]);
    for key in ["lower", "upper", "moves"] {
        assert!(answers[0].get(key).is_some());
        assert_eq!(answers[0][key], answers[2][key]);
    }
}
