//! The program as scripts see it: answers, JSON, exit codes, and one sentence for every error.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
mod program;

use std::fs;
#[cfg(unix)]
use std::io::Read;
use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use program::{Program, keys, text};
use serde_json::Value;

#[test]
fn solve_gives_value_moves_and_line() {
    let program = Program::new();
    let said = program.says(&["solve", "kalah:3x4", "--quiet"]);
    assert!(said.contains("The player to move wins by 2."), "{said}");
    assert!(said.contains("Best line: "), "{said}");
    let answer = program.json(&["solve", "kalah:2x4", "--json"]);
    assert_eq!(
        keys(&answer),
        [
            "game", "rules", "position", "value", "lower", "upper", "source", "moves", "line", "nodes",
            "seconds"
        ]
    );
    assert_eq!(
        (&answer["value"], &answer["lower"], &answer["upper"]),
        (&(-10).into(), &(-10).into(), &(-10).into())
    );
    assert_eq!(answer["game"], "kalah:2x4");
    assert_eq!(answer["rules"].as_str().unwrap().len(), 32);
    assert_eq!(keys(&answer["moves"][0]), ["move", "value", "gain", "opponent_gain", "again", "next"]);
    assert_eq!(answer["moves"][0]["value"], -10);
    let only = program.json(&["solve", "kalah:2x4", "--json", "--value-only"]);
    assert_eq!(
        keys(&only),
        ["game", "rules", "position", "value", "lower", "upper", "source", "nodes", "seconds"]
    );
    let other = program.json(&["solve", "kalah:2x4", "--rule", "empty-capture=yes", "--json"]);
    assert_eq!(other["value"], -12);
    assert_ne!(other["rules"], answer["rules"]);
}

#[test]
fn stores_count_and_equal_moves_go_by_pit() {
    let program = Program::new();
    let position = "0 0 0 0 1 2 / 0 0 0 3 1 0 ; stores 20 21";
    assert_eq!(program.json(&["query", "kalah", position, "--json"])["value"], -6);
    assert_eq!(program.json(&["solve", "kalah", "--position", position, "--json"])["value"], -6);
    let answer = program.json(&["query", "kalah:3x3", "start", "--json"]);
    let moves: Vec<(i64, u64)> = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (-entry["value"].as_i64().unwrap(), entry["move"].as_str().unwrap().parse().unwrap()))
        .collect();
    assert!(moves.is_sorted(), "{moves:?}");
    assert_eq!(-moves[0].0, answer["value"].as_i64().unwrap());
}

#[test]
fn the_value_does_not_depend_on_where_it_comes_from() {
    let program = Program::new();
    program.run(&["build", "kalah:3x2", "--seeds-up-to", "12", "--quiet"]);
    let with = program.json(&["solve", "kalah:3x2", "--json"]);
    let without = program.json(&["solve", "kalah:3x2", "--json", "--no-tables"]);
    assert_eq!((&with["source"], &without["source"]), (&"table".into(), &"search".into()));
    assert_eq!(with["value"], without["value"]);
    assert_eq!(with["moves"], without["moves"]);
}

#[test]
fn a_position_that_is_over_is_terminal() {
    let program = Program::new();
    let position = "0 0 0 0 0 0 / 0 0 3 0 0 1 ; stores 21 23";
    let answer = program.json(&["query", "kalah", position, "--json"]);
    assert_eq!((&answer["value"], &answer["source"]), (&(-6).into(), &"terminal".into()));
    assert_eq!((&answer["moves"], &answer["line"]), (&Value::Array(vec![]), &Value::Array(vec![])));
    let moves = program.json(&["moves", "kalah", position, "--json"]);
    assert_eq!(keys(&moves), ["game", "rules", "position", "value", "moves"]);
    assert_eq!(moves["value"], -6);
    // No table is needed for it.
    assert_eq!(program.json(&["query", "kalah", position, "--json", "--no-search"])["value"], -6);
}

#[test]
fn moves_tell_gain_and_next_position() {
    let program = Program::new();
    let answer = program.json(&["moves", "kalah", "start", "--json"]);
    assert_eq!(keys(&answer), ["game", "rules", "position", "moves"]);
    let third = &answer["moves"][2];
    assert_eq!(keys(third), ["move", "gain", "opponent_gain", "again", "next"]);
    assert_eq!((&third["move"], &third["gain"], &third["again"]), (&"3".into(), &1.into(), &true.into()));
    assert_eq!(third["next"], "4 4 0 5 5 5 / 4 4 4 4 4 4 ; stores 1 0");
    assert_eq!(answer["moves"][0]["next"], "4 4 4 4 4 4 / 0 5 5 5 5 4");
    let said = program.says(&["moves", "kalah", "1 0 0 4 0 1 / 0 0 0 0 6 2 ; stores 10 24"]);
    assert!(said.contains("0 0 0 0 0 2 / 0 0 0 4 0 1 ; stores 24 17"), "{said}");
    // The stores of a longer board, which the plain engine plays.
    assert_eq!(
        program.json(&["moves", "kalah:8x4", "start", "--json"])["moves"].as_array().unwrap().len(),
        8
    );
}

#[test]
fn the_board_is_drawn_where_it_is_asked_for() {
    let program = Program::new();
    let position = "0 0 0 2 / 1 0 0 0 ; stores 12 9";
    for command in [
        &["query", "kalah:4x3", position, "--value-only", "--quiet"][..],
        &["solve", "kalah:4x3", "--position", position, "--value-only", "--quiet"],
        &["moves", "kalah:4x3", position],
    ] {
        let untimed = |said: String| {
            said.lines()
                .filter(|line| !line.starts_with("Searched"))
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        };
        let plain = untimed(program.says(command));
        let drawn = untimed(program.says(&[command, &["--board"]].concat()));
        let (head, rest) = drawn.split_once("\n\n").unwrap();
        let (board, rest) = rest.split_once("\n\n").unwrap();
        assert_eq!(plain.strip_prefix(head).unwrap().trim_start(), rest);
        assert_eq!(
            (board.lines().count(), board.lines().nth(3)),
            (7, Some("│  9 ├────┼────┼────┼────┤ 12 │"))
        );
        assert!(!drawn.contains('\u{1b}'), "no colours where there is no terminal");
        let said = program.fails(&[command, &["--board", "--json"]].concat(), 2);
        assert!(said.contains("--board draws into the text"), "{said}");
    }
    program.fails(&["moves", "kalah", "-", "--board"], 2);
    program.fails(&["query", "kalah", "-", "--board"], 2);
}

#[test]
fn games_of_relays_are_played_solved_and_built() {
    let program = Program::new();
    let perft = program.says(&["perft", "dakon", "4"]);
    assert_eq!(perft, "1 7\n2 36\n3 230\n4 1406\n");
    for (game, value) in [("congklak:3x2", 6), ("sungka:2x3", 12), ("congklak:3x3", 8)] {
        let answer = program.json(&["solve", game, "--json"]);
        assert_eq!(answer["value"], value, "{game}");
        let searched = program.json(&["solve", game, "--json", "--no-tables", "--value-only"]);
        assert_eq!((&searched["value"], &searched["source"]), (&value.into(), &"search".into()), "{game}");
    }
    assert_eq!(program.json(&["moves", "dakon", "start", "--json"])["game"], "congklak:7x7");
    assert_eq!(program.json(&["moves", "dakon:3x3", "0 0 0 / 1 0 2", "--json"])["moves"][0]["move"], "pass");
    program.says(&["build", "congklak:3x2", "--seeds-up-to", "6", "--quiet"]);
    program.says(&["verify", "databases", "--deep", "--quiet"]);
    let answer = program.json(&["query", "sungka:3x1", "1 0 2 / 0 1 1", "--json", "--no-search"]);
    assert_eq!(answer["source"], "table");
    // Switches to whose combination no game gives a meaning are refused by everything.
    for arguments in [
        &["solve", "en-dodoi"][..],
        &["query", "en-dodoi", "start"],
        &["query", "en-dodoi", "-"],
        &["moves", "en-dodoi", "start"],
        &["moves", "en-dodoi", "-"],
        &["perft", "en-dodoi", "2"],
        &["build", "en-dodoi", "--seeds-up-to", "3"],
    ] {
        let said = program.fails(&[arguments, &["--rule", "capture=two-three"]].concat(), 2);
        assert!(said.contains("capture=two-three together with lap=same-hole"), "{said}");
        assert!(said.trim_end().ends_with("so change one of the two with --rule"), "{said}");
    }
    // More seeds than a kernel counts, among fewer.
    let query = ["query", "congklak:1x2", "-", "--memory", "64MiB"];
    let output = program.with_input(&query, b"1 / 1\n200 / 200\n0 / 2\n");
    let answers = text(&output.stdout);
    assert_eq!(answers.lines().filter(|line| line.contains("\"value\"")).count(), 3, "{answers}");
    assert_eq!(program.says(&["perft", "congklak:8x17", "1"]), "1 8\n");
    // A board whose positions have numbers beyond 64 bits.
    program.fails(&["build", "kalah:40x1", "--seeds-up-to", "40"], 2);
    program.says(&["moves", "congklak:40x4", "start"]);
}

#[test]
fn games_whose_positions_repeat_are_played_and_built() {
    let program = Program::new();
    assert_eq!(program.says(&["perft", "oware", "4"]), "1 6\n2 36\n3 190\n4 1014\n");
    let build = ["build", "awari", "--seeds-up-to", "5", "--quiet"];
    assert!(program.says(&build).contains("6 layers built with 6188 positions"));
    let said = program.fails(&[&build[..], &["--rule", "cycle=own-side"]].concat(), 2);
    assert!(said.contains("awari:6x4") && said.contains("--bounds"), "{said}");
    assert!(program.says(&["verify", "databases", "--deep", "--quiet"]).contains("follows from the rules"));
}

#[test]
fn perft_counts_sequences() {
    let program = Program::new();
    assert_eq!(program.says(&["perft", "kalah", "4"]), "1 6\n2 35\n3 185\n4 942\n");
    let answer = program.json(&["perft", "kalah", "5", "--json", "--threads", "1"]);
    assert_eq!(keys(&answer), ["game", "rules", "position", "counts"]);
    assert_eq!(answer["counts"], serde_json::json!([6, 35, 185, 942, 4690]));
    let over = "0 0 / 1 0";
    assert_eq!(program.says(&["perft", "kalah:2x2", "2", "--position", over]), "1 0\n2 0\n");
    program.fails(&["perft", "kalah", "0"], 2);
    program.fails(&["perft", "kalah", "many"], 2);
}

#[test]
fn rules_are_listed_shown_and_read_again() {
    let program = Program::new();
    assert!(program.says(&["rules", "list"]).lines().any(|line| line.starts_with("kalah")));
    assert!(program.says(&["rules", "list", "--json"]).starts_with("{\"game\":\"kalah:6x4\""));
    let shown = program.says(&["rules", "show", "kalah:2x4", "--rule", "empty-capture=yes"]);
    assert!(shown.contains("pits = 2\n") && shown.contains("empty-capture = \"yes\"\n"), "{shown}");
    fs::write(program.path("mine.toml"), &shown).unwrap();
    for game in ["kalah", "kalah:2x4"] {
        let answer = program.json(&["solve", game, "--rules", "mine.toml", "--json"]);
        assert_eq!((&answer["game"], &answer["value"]), (&"kalah:2x4".into(), &(-12).into()));
    }
    // The size of GAME wins over that of the file.
    assert_eq!(program.json(&["solve", "kalah:2x3", "--rules", "mine.toml", "--json"])["value"], -2);

    let said = program.fails(&["solve", "oware", "--rules", "mine.toml"], 2);
    assert!(said.contains("holds the rules of kalah"), "{said}");
    program.fails(&["solve", "kalah", "--rules", "absent.toml"], 2);
    program.fails(&["solve", "kalah", "--rules", "."], 2);
    fs::write(program.path("bad.toml"), shown.replace("lap = \"single\"", "lap = \"double\"")).unwrap();
    let line = 1 + shown.lines().position(|line| line.starts_with("lap")).unwrap();
    let said = program.fails(&["solve", "kalah", "--rules", "bad.toml"], 2);
    assert!(said.contains(&format!("line {line}:")) && said.contains("bad.toml"), "{said}");
    fs::write(program.path("binary.toml"), [0xff, 0xfe, 0]).unwrap();
    program.fails(&["solve", "kalah", "--rules", "binary.toml"], 2);
}

#[test]
fn bad_games_and_positions_are_refused_in_one_sentence() {
    let program = Program::new();
    let said = program.fails(&["solve", "kala"], 2);
    assert!(said.starts_with("error: unknown game kala") && said.contains("kalah"), "{said}");
    program.fails(&["solve", "two\nlines"], 2);
    for size in ["kalah:", "kalah:6", "kalah:0x4", "kalah:6x0", "kalah:41x1", "kalah:6x4x2", "kalah:-1x4"] {
        program.fails(&["solve", size], 2);
    }
    for rule in ["empty-capture", "empty-capture=maybe", "empty-captur=yes", "=", "quan=-1"] {
        program.fails(&["moves", "kalah", "start", "--rule", rule], 2);
    }
    let too_many = "300 0 0 0 0 0 / 0 0 0 0 0 1";
    for position in ["", "foo", "1 2 3 / 4 5 6", "1 2 3 4 5 6", "-1 0 0 0 0 0 / 1 1 1 1 1 1", too_many] {
        for command in ["query", "moves"] {
            program.fails(&[command, "kalah", &format!(" {position}")], 2);
        }
        program.fails(&["solve", "kalah", &format!("--position={position}")], 2);
        program.fails(&["perft", "kalah", "2", &format!("--position={position}")], 2);
    }
    let said = program.fails(&["solve", "kalah:6x30"], 2);
    assert!(said.contains("255"), "{said}");
    program.fails(&["perft", "kalah:40x255", "1"], 2);
}

#[test]
fn wrong_usage_is_refused_in_one_sentence() {
    let program = Program::new();
    for arguments in [
        &[][..],
        &["foo"],
        &["solve"],
        &["query", "kalah"],
        &["solve", "kalah", "--no-such-option"],
        &["solve", "kalah", "--threads", "0"],
        &["solve", "kalah", "--memory", "lots"],
        &["solve", "kalah", "--memory", "1KiB"],
        &["solve", "kalah", "--memory", "900TiB"],
        &["build", "kalah", "--seeds-up-to", "3", "--memory", "900TiB"],
        &["solve", "kalah", "--time", "-1"],
        &["solve", "kalah", "--time", "nan"],
        &["solve", "kalah", "--no-search", "--no-tables"],
        &["solve", "kalah", "--no-tables", "--tables", "."],
        &["query", "kalah", "start", "--tables", "absent"],
        &["moves", "kalah", "start", "--tables", "."],
        &["build", "kalah"],
        &["build", "kalah", "--seeds-up-to", "x"],
        &["build", "kalah", "--seeds-up-to", "3", "--tables", "."],
        &["build", "kalah", "--seeds-up-to", "128"],
        &["verify"],
        &["verify", "absent"],
        &["verify", "."],
        &["info", "."],
        &["stats", "absent"],
        &["completions", "dosbox"],
    ] {
        program.fails(arguments, 2);
    }
}

#[test]
fn a_batch_answers_line_by_line_whatever_the_lines_say() {
    let program = Program::new();
    let input = b"start\n\nfoo\n0 0 0 0 0 0 / 0 0 3 0 0 1 ; stores 21 23\r\n\xff\xfe\n300 0 0 0 0 0 / 0 0 0 0 0 0\n0 0 0 0 1 2 / 0 0 0 3 1 0";
    for command in ["moves", "query"] {
        let input = if command == "query" { &input[6..] } else { &input[..] };
        let output = program.with_input(&[command, "kalah", "-", "--quiet"], input);
        assert_eq!(output.status.code(), Some(0));
        let answers: Vec<Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let errors: Vec<bool> = answers.iter().map(|answer| keys(answer) == ["error"]).collect();
        let expected = [false, true, true, false, true, true, false];
        assert_eq!(errors, expected[7 - errors.len()..], "{command}");
    }
    let long = [b"1 ".repeat(50_000), b"\nstart\n".to_vec()].concat();
    let output = program.with_input(&["moves", "kalah", "-"], &long);
    assert_eq!(text(&output.stdout).lines().count(), 2);
    // A name that is none is an error all the same.
    program.fails(&["moves", "nogame", "-"], 2);
    let output = program.with_input(&["query", "kalah", "-", "--no-search"], b"start\n");
    assert_eq!((output.status.code(), text(&output.stdout).starts_with("{\"error\"")), (Some(0), true));
}

#[test]
fn a_batch_answers_while_its_input_stays_open() {
    let program = Program::new();
    for command in ["query", "moves"] {
        let mut child = program
            .command(&[command, "kalah:2x2", "-", "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for position in ["start", "nonsense", "1 0 / 0 3", "9 9 / 9 9"] {
            writeln!(input, "{position}").unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert_eq!(line.starts_with("{\"error\""), position == "nonsense", "{line}");
        }
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let program = Program::new();
    for arguments in [
        &["moves", "kalah", "start"][..],
        &["solve", "kalah:2x2", "--quiet"],
        &["rules", "show", "kalah"],
        &["perft", "kalah", "3"],
        &["--help"],
        &["--version"],
        &["solve", "--help"],
        &["completions", "zsh"],
        &["man"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = program.command(arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn a_closed_error_stream_is_no_error() {
    let program = Program::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = program.command(&["solve", "kalah:3x3"]).stderr(writer).stdout(Stdio::null()).status();
    assert_eq!(status.unwrap().code(), Some(0));
}

#[test]
fn time_ends_with_bounds() {
    let program = Program::new();
    let begun = std::time::Instant::now();
    let answer = program.json(&["solve", "kalah:6x6", "--time", "0.3", "--json", "--quiet"]);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(!answer.as_object().unwrap().contains_key("value"));
    let (lower, upper) = (answer["lower"].as_i64().unwrap(), answer["upper"].as_i64().unwrap());
    assert!(-72 <= lower && lower < upper && upper <= 72, "{lower} {upper}");
    assert_eq!(answer["source"], "search");
    program.says(&["solve", "kalah:6x6", "--time", "0", "--value-only", "--no-tables"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_bounds_and_code_130() {
    let program = Program::new();
    let mut child = program
        .command(&["solve", "kalah:6x6", "--quiet", "--json", "--memory", "256MiB"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let answer: Value = serde_json::from_str(&said).unwrap();
    assert!(answer["lower"].as_i64() < answer["upper"].as_i64());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_batch_that_waits_for_input() {
    let program = Program::new();
    let mut child = program
        .command(&["query", "kalah:2x2", "-", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "start").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
}

#[test]
fn the_first_turn_is_told_with_its_moves() {
    let program = Program::new();
    let said = program.says(&["solve", "congklak:4x4", "--first-turn", "--quiet"]);
    assert!(said.contains("can bring 30 of the 32 seeds in the pits, proven most.\n\nMoves: 1 "), "{said}");
    let answer = program.json(&["solve", "congklak:4x4", "--first-turn", "--json"]);
    assert_eq!(keys(&answer), ["game", "rules", "position", "first_turn", "nodes", "seconds"]);
    let turn = &answer["first_turn"];
    assert_eq!(keys(turn), ["captured", "upper", "of", "proven", "moves"]);
    assert_eq!((&turn["captured"], &turn["upper"], &turn["of"]), (&30.into(), &30.into(), &32.into()));
    assert_eq!(turn["proven"], true);
    assert_eq!(turn["moves"][0], "1");
    // Stores are no part of it, and a pass is no move of the turn.
    let position = "0 0 1 / 0 2 0 ; stores 5 10";
    let answer = program.json(&["solve", "sungka:3x3", "--first-turn", "--position", position, "--json"]);
    assert_eq!(answer["first_turn"]["moves"], serde_json::json!(["3"]));
    assert_eq!((&answer["first_turn"]["captured"], &answer["first_turn"]["of"]), (&1.into(), &3.into()));
    let said = program.says(&["solve", "congklak", "--first-turn", "--time", "0", "--quiet"]);
    assert!(said.contains("at least 0 of the 98 seeds in the pits, and at most 98."), "{said}");
    let said = program.fails(&["solve", "oware", "--first-turn"], 2);
    assert!(said.contains("no move of oware:6x4 earns an extra move"), "{said}");
    program.fails(&["solve", "kalah", "--first-turn", "--value-only"], 2);
    program.fails(&["solve", "kalah", "--first-turn", "--tables", "."], 2);
}

#[test]
fn quiet_means_no_word_on_stderr() {
    let program = Program::new();
    let loud = program.run(&["solve", "kalah:3x3"]);
    assert!(text(&loud.stderr).starts_with("plan: "), "{}", text(&loud.stderr));
    let quiet = program.run(&["solve", "kalah:3x3", "--quiet"]);
    assert_eq!(text(&quiet.stderr), "");
}

#[test]
fn completions_and_manual_pages_are_written() {
    let program = Program::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(program.says(&["completions", shell]).contains("sowbase"));
    }
    assert!(program.says(&["man"]).contains(".TH sowbase"));
    program.says(&["man", "pages"]);
    assert!(program.path("pages/sowbase.1").exists() && program.path("pages/sowbase-solve.1").exists());
    assert!(program.says(&["--version"]).starts_with("sowbase 0."));
    fs::write(program.path("file"), "").unwrap();
    program.fails(&["man", "file"], 2);
}

#[test]
fn bench_counts_the_same_nodes_every_time() {
    let program = Program::new();
    let first = program.json(&["bench", "--json"]);
    assert_eq!(keys(&first), ["items", "nodes", "seconds", "nodes_per_second"]);
    assert!(first["nodes"].as_u64().unwrap() > 0);
    let said = program.says(&["bench"]);
    assert!(said.contains(&format!("total {} nodes", first["nodes"])), "{said}");
}

#[test]
fn a_long_search_shows_its_progress() {
    let program = Program::new();
    let solve = ["solve", "oware:6x4", "--value-only", "--no-tables", "--memory", "64MiB", "--time", "8"];
    let said = text(&program.run(&solve).stderr);
    assert!(said.contains("searching: ") && said.contains("/s"), "{said}");
}
