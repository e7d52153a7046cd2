//! The games of four rows as scripts see them: moves, drawings, rule files, and one sentence for every error.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
mod program;

use std::fs;

use program::{Program, keys, text};
use serde_json::{Value, json};
use sowbase::board::Move;

const GAMES: [&str; 3] = ["omweso", "bao-kujifunza", "bao-kiswahili"];

/// Twice the pits of a player, with what follows.
fn both(pits: &str, fields: &str) -> String {
    format!("{pits} / {pits}{fields}")
}

#[test]
fn moves_are_told_and_counted() {
    let program = Program::new();
    assert_eq!(program.says(&["perft", "omweso", "3"]), "1 8\n2 64\n3 420\n");
    assert_eq!(program.json(&["perft", "bao-kujifunza", "2", "--json"])["counts"], json!([16, 108]));
    assert_eq!(program.says(&["perft", "bao-kiswahili", "1"]), "1 4\n");
    for (game, position, moves) in [
        ("omweso", "0 0 0 0 0 1 0 0 3 0 0 0 0 0 0 0 / 0 2 1 0 0 0 0 0 0 0 0 0 0 1 1 0", "9+ 9-+ 9--"),
        ("bao-kujifunza:4x2", "2 2 2 2 2 2 2 2 / 2 2 2 2 2 2 2 2", "1+ 2+ 3- 4- 5- 6- 7+ 8+"),
        (
            "bao-kiswahili",
            "0 0 2 0 5 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 5 0 1 0 0 0 0 0 0 0 49 ; hand 1 1 ; house own",
            "3+ 3+s 3-",
        ),
    ] {
        let answer = program.json(&["moves", game, position, "--json"]);
        assert_eq!(keys(&answer), ["game", "rules", "position", "moves"]);
        assert_eq!(answer["position"], position);
        let listed = answer["moves"].as_array().unwrap();
        let texts: Vec<&str> = listed.iter().map(|entry| entry["move"].as_str().unwrap()).collect();
        assert_eq!(texts.join(" "), moves);
        for entry in listed {
            assert_eq!(keys(entry), ["move", "gain", "opponent_gain", "again", "next"]);
            assert_eq!((&entry["opponent_gain"], &entry["again"]), (&json!(0), &json!(false)));
            // What follows is a position too, and a move is read as it is written.
            program.json(&["moves", game, entry["next"].as_str().unwrap(), "--json"]);
            let text = entry["move"].as_str().unwrap();
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        let said = program.says(&["moves", game, position]);
        assert!(said.contains("gain         next position"), "{said}");
    }
}

#[test]
fn a_position_comes_back_as_it_was_written() {
    let program = Program::new();
    let omweso = both("0 0 0 0 4 4 4 4", " ; opening 1");
    let kiswahili = both("0 0 0 0 6 2 2 0 0 0 0 0 0 0 0 0", " ; hand 21 22 ; house own opp");
    let blocked = both("0 0 0 4 6 2 2 0 0 0 0 0 0 0 0 0", " ; house opp ; blocked 4 ; result draw");
    for (game, position) in [("omweso:4x2", omweso), ("bao-kiswahili", kiswahili), ("bao-kiswahili", blocked)]
    {
        assert_eq!(program.json(&["moves", game, &position, "--json"])["position"], position);
    }
    // In any order, with fields that say nothing.
    let position = both("0 0 0 0 6 2 2 0 0 0 0 0 0 0 0 0", " ;house opp own;hand 0 0");
    let position = &program.json(&["moves", "bao-kiswahili", &position, "--json"])["position"];
    assert_eq!(*position, both("0 0 0 0 6 2 2 0 0 0 0 0 0 0 0 0", " ; house own opp"));
    let position = &program.json(&["moves", "omweso:2x1", "0 0 2 2/0 0 2 2;opening 0", "--json"])["position"];
    assert_eq!(position, "0 0 2 2 / 0 0 2 2");
}

#[test]
fn an_end_is_told_in_words() {
    let program = Program::new();
    let empty_front = "0 0 0 0 2 2 2 2 / 1 0 0 0 0 0 0 0";
    for (game, position, value, told) in [
        ("omweso:2x1", "1 1 1 1 / 2 2 0 0", "loss", "has lost."),
        ("bao-kujifunza:4x2", empty_front, "loss", "has lost."),
        ("bao-kujifunza:4x2", "1 0 0 0 0 0 0 0 / 0 0 0 0 2 2 2 2", "win", "has won."),
        ("bao-kujifunza:4x2", &format!("{empty_front} ; result draw"), "draw", "a draw."),
        ("bao-kiswahili", &both("0 0 0 0 6 2 2 0 0 0 0 0 0 0 0 0", " ; result win"), "win", "has won."),
    ] {
        let answer = program.json(&["moves", game, position, "--json"]);
        assert_eq!(keys(&answer), ["game", "rules", "position", "value", "moves"]);
        assert_eq!((&answer["value"], &answer["moves"]), (&json!(value), &json!([])), "{position}");
        let said = program.says(&["moves", game, position]);
        assert!(said.contains("The game is over: ") && said.trim_end().ends_with(told), "{said}");
        let answer = program.json(&["query", game, position, "--json", "--no-search"]);
        assert_eq!((&answer["value"], &answer["source"]), (&json!(value), &json!("terminal")));
        assert_eq!((&answer["lower"], &answer["upper"]), (&json!(value), &json!(value)));
    }
}

#[test]
fn what_tables_cannot_hold_is_refused_in_one_sentence() {
    let program = Program::new();
    for (arguments, told) in [
        (&["build", "omweso"][..], "positions of 16 pits a player and 64 seeds have numbers beyond 64 bits"),
        (&["build", "bao-kujifunza:8x255"], "layers end at 127 seeds, not 8160"),
        (&["build", "bao-kiswahili"], "bao-kiswahili:8x2 has no tables"),
        (&["build", "omweso:2x1", "--seeds-up-to", "4"], "its one layer is that of 8 seeds, not of 4"),
        (&["build", "omweso:2x1", "--bounds"], "leave out --bounds"),
        (
            &["export", "omweso:2x1", "--layer", "8", "--format", "csv"],
            "`sowbase build omweso:2x1` makes them",
        ),
        (&["export", "bao-kiswahili", "--layer", "8", "--format", "csv"], "bao-kiswahili:8x2 has no tables"),
    ] {
        let said = program.fails(arguments, 2);
        assert!(said.contains(told), "{said}");
    }
    for (game, told) in
        [("omweso:2x1", "`sowbase build omweso:2x1` makes them"), ("bao-kiswahili", "no tables")]
    {
        let said = program.fails(&["query", game, "start", "--no-search"], 1);
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn boards_are_drawn_with_four_rows() {
    let program = Program::new();
    for game in GAMES {
        let said = program.says(&["moves", game, "start", "--board"]);
        let board = said.split("\n\n").nth(1).unwrap();
        assert_eq!((board.lines().count(), board.matches('│').count()), (14, 4 * 9 + 2 * 2), "{said}");
        assert!(!said.contains('\u{1b}'), "no colours where there is no terminal");
    }
}

#[test]
fn rule_files_are_shown_and_read_again() {
    let program = Program::new();
    let listed = program.says(&["rules", "list"]);
    for (game, rule, size) in [
        ("omweso", "re-entry=capturing-pit", "3x1"),
        ("bao-kujifunza", "hus=yes", "5x1"),
        ("bao-kiswahili", "setup=malawi", "8x2"),
    ] {
        assert!(listed.lines().any(|line| line.starts_with(game)), "{listed}");
        let shown = program.says(&["rules", "show", &format!("{game}:{size}"), "--rule", rule]);
        let (key, value) = rule.split_once('=').unwrap();
        assert!(shown.contains(&format!("\n[{game}]\n")) && !shown.contains("[switches]"), "{shown}");
        assert!(shown.contains(&format!("\n{key} = \"{value}\"\n")), "{shown}");
        fs::write(program.path("mine.toml"), &shown).unwrap();
        let from_file = program.json(&["moves", game, "start", "--rules", "mine.toml", "--json"]);
        let by_rule = program.json(&["moves", &format!("{game}:{size}"), "start", "--rule", rule, "--json"]);
        assert_eq!(from_file, by_rule);
        let said = program.fails(&["moves", &format!("{game}:9x2"), "start", "--rules", "mine.toml"], 2);
        assert!(said.contains(" pits in each of four rows") && said.contains("a board of 9x2"), "{said}");
        fs::write(program.path("two.toml"), shown.clone() + "\n[switches]\n").unwrap();
        program.fails(&["moves", game, "start", "--rules", "two.toml"], 2);
        let (none, _) = shown.split_once('[').unwrap();
        fs::write(program.path("none.toml"), none).unwrap();
        let said = program.fails(&["moves", game, "start", "--rules", "none.toml"], 2);
        assert!(said.contains("there must be one table of switches"), "{said}");
    }
}

#[test]
fn bad_positions_are_refused_with_what_would_be_right() {
    let program = Program::new();
    let omweso = |fields: &str| both("2 2 2 2 2 2 2 2", fields);
    let kiswahili = |fields: &str| both("0 0 0 1 6 2 2 0 0 0 0 0 0 0 0 0", fields);
    let no_house = |fields: &str| both("0 0 0 1 0 2 2 0 0 0 0 0 0 0 0 0", fields);
    let form = "it has the form `OWN / OPPONENT`, each with the front row first, or is `start`";
    let eight = "the two rows of a player of omweso:4x2 have together 8 pits, not ";
    let of_omweso = "is none of `opening MOVES` and `result win|draw|loss`";
    let of_kiswahili =
        "is none of `hand OWN OPPONENT`, `house own opp`, `blocked PIT` and `result win|draw|loss`";
    let front = "the blocked pit is one of the front pits 1 to 8, not ";
    let owners = "the owners of houses are `own`, `opp` or both, each named once";
    let empty = "a house is lost when it is emptied, and pit 5 is empty; leave out ";
    let number = "is no number of seeds from 0 to 65535";
    let on_omweso = [
        (String::new(), form.to_string()),
        ("foo".into(), form.into()),
        ("2 2 2 2 / 2 2 2 2 / 2 2 2 2 / 2 2 2 2".into(), form.into()),
        ("2 2 2 2 / 2 2 2 2".into(), format!("{eight}4")),
        (omweso(" 2"), format!("{eight}9")),
        ("x 2 2 2 2 2 2 2 / 2 2 2 2 2 2 2 2".into(), "omweso has no closed pits".into()),
        ("-2 2 2 2 2 2 2 2 / 2 2 2 2 2 2 2 2".into(), format!("\"-2\" {number}")),
        ("70000 2 2 2 2 2 2 2 / 2 2 2 2 2 2 2 2".into(), format!("\"70000\" {number}")),
        (
            both("60000 2 2 2 2 2 2 2", ""),
            "it has 120028 seeds, and omweso is played with at most 65535".into(),
        ),
        (omweso(" ; opening 3"), "captures are off for 0, 1 or 2 moves, not \"3\"".into()),
        (omweso(" ; opening +1"), "captures are off for 0, 1 or 2 moves, not \"+1\"".into()),
        (omweso(" ; opening 1 2"), format!("the field \"opening 1 2\" {of_omweso}")),
        (omweso(" ; opening 1 ; opening 1"), "the field `opening` stands twice".into()),
        (omweso(" ; stores 0 0"), format!("the field \"stores 0 0\" {of_omweso}")),
        (omweso(" ; hand 1 1"), format!("the field \"hand 1 1\" {of_omweso}")),
        (omweso(" ; house own"), format!("the field \"house own\" {of_omweso}")),
        (omweso(" ;"), format!("the field \"\" {of_omweso}")),
        (omweso(" ; result maybe"), "a result is `win`, `draw` or `loss`, not \"maybe\"".into()),
        (omweso(" ; result win ; result win"), "the field `result` stands twice".into()),
    ];
    let on_kujifunza = [
        (omweso(" ; opening 1"), "the field \"opening 1\" is not `result win|draw|loss`".to_string()),
        (omweso(" ; house own"), "the field \"house own\" is not `result win|draw|loss`".into()),
        (omweso(" ; result Win"), "a result is `win`, `draw` or `loss`, not \"Win\"".into()),
    ];
    let on_kiswahili = [
        (kiswahili(" ; hand 22"), format!("the field \"hand 22\" {of_kiswahili}")),
        (kiswahili(" ; hand -1 2"), format!("\"-1\" {number}")),
        (
            kiswahili(" ; hand 65535 1"),
            "it has 65558 seeds, and bao-kiswahili is played with at most 65535".into(),
        ),
        (kiswahili(" ; hand 1 1 ; hand 1 1"), "the field `hand` stands twice".into()),
        (kiswahili(" ; house"), format!("the field \"house\" {of_kiswahili}")),
        (kiswahili(" ; house me"), owners.into()),
        (kiswahili(" ; house own own"), owners.into()),
        (kiswahili(" ; house own ; house opp"), "the field `house` stands twice".into()),
        (no_house(" ; house own"), format!("{empty}`own`")),
        (no_house(" ; house opp"), format!("{empty}`opp`")),
        (kiswahili(" ; blocked 9"), format!("{front}\"9\"")),
        (kiswahili(" ; blocked 0"), format!("{front}\"0\"")),
        (kiswahili(" ; blocked +4"), format!("{front}\"+4\"")),
        (kiswahili(" ; blocked 99999999999"), format!("{front}\"99999999999\"")),
        (kiswahili(" ; blocked"), format!("the field \"blocked\" {of_kiswahili}")),
        (kiswahili(" ; opening 1"), format!("the field \"opening 1\" {of_kiswahili}")),
    ];
    for (game, positions) in [
        ("omweso:4x2", &on_omweso[..]),
        ("bao-kujifunza:4x2", &on_kujifunza),
        ("bao-kiswahili", &on_kiswahili),
    ] {
        let lines = positions.iter().map(|(position, _)| format!("{position}\n")).collect::<String>();
        let output = program.with_input(&["moves", game, "-"], lines.as_bytes());
        for ((position, reason), line) in positions.iter().zip(text(&output.stdout).lines()) {
            let said = program.fails(&["moves", game, &format!(" {position}")], 2);
            assert!(said.trim_end().ends_with(&format!("is no position: {reason}")), "{said}");
            let answer: Value = serde_json::from_str(line).unwrap();
            assert_eq!(keys(&answer), ["error"], "{line}");
            assert!(answer["error"].as_str().unwrap().ends_with(reason), "{line}");
            program.fails(&["perft", game, "1", &format!("--position= {position}")], 2);
        }
    }
}

#[test]
fn bad_sizes_and_switches_of_other_games_are_refused() {
    let program = Program::new();
    let four = |name: &str, played: &str, size: &str| {
        let expected = format!("error: {name} is played with {played}, not on a board of {size}\n");
        assert_eq!(program.fails(&["moves", &format!("{name}:{size}"), "start"], 2), expected);
    };
    for size in ["1x1", "9x2", "40x255"] {
        four("omweso", "2 to 8 pits in each of four rows", size);
        four("bao-kujifunza", "4 to 8 pits in each of four rows", size);
    }
    four("bao-kujifunza", "4 to 8 pits in each of four rows", "3x2");
    for size in ["7x2", "8x3", "8x1"] {
        four("bao-kiswahili", "8 pits in each of four rows and 64 seeds: 8x2", size);
    }
    for size in ["omweso:", "omweso:8", "omweso:8x0", "omweso:8x256", "omweso:41x1", "bao-kiswahili:8x2x2"] {
        assert!(program.fails(&["moves", size, "start"], 2).contains("is not PITSxSEEDS"), "{size}");
    }
    let said = program.fails(&["moves", "bao", "start"], 2);
    assert!(said.contains("did you mean bao-kujifunza or bao-kiswahili?"), "{said}");
    let said = program.fails(&["moves", "hus", "start"], 2);
    assert!(said.contains("did you mean bao-kujifunza --rule hus=yes?"), "{said}");
    for (game, rule) in [
        ("omweso", "hus=yes"),
        ("omweso", "lap=single"),
        ("omweso", "cycle=split"),
        ("bao-kujifunza", "takasia=off"),
        ("bao-kujifunza", "setup=even"),
        ("bao-kiswahili", "emitwe=on"),
        ("kalah", "reverse=off"),
    ] {
        let (key, _) = rule.split_once('=').unwrap();
        let said = program.fails(&["moves", game, "start", "--rule", rule], 2);
        assert!(said.starts_with(&format!("error: unknown switch {key}")), "{said}");
    }
    for (game, rule, takes) in [
        ("omweso", "reverse-pits=3", "`4` or `2`"),
        ("omweso", "setup=zanzibar", "`outer` or `even`"),
        ("bao-kujifunza", "hus=on", "`no` or `yes`"),
        ("bao-kiswahili", "setup=outer", "`zanzibar` or `malawi`"),
        ("bao-kiswahili", "endless=", "`illegal`, `draw`, `loss`, `stop`"),
    ] {
        let said = program.fails(&["moves", game, "start", "--rule", rule], 2);
        assert!(said.trim_end().ends_with(takes), "{said}");
    }
    for game in GAMES {
        let said = program.fails(&["solve", game, "--first-turn"], 2);
        assert!(said.contains("earns an extra move"), "{said}");
    }
}

#[test]
fn all_that_a_pit_can_hold_is_sown() {
    let program = Program::new();
    let position = "0 65533 0 0 0 0 0 1 / 1 0 0 0 0 0 0 0";
    for (game, moves) in [("omweso:4x2", 1), ("bao-kujifunza:4x2", 2)] {
        let answer = program.json(&["moves", game, position, "--json"]);
        assert_eq!(answer["moves"].as_array().unwrap().len(), moves, "{game}: {answer}");
    }
    // Boards whose starts hold more than the packed rings do.
    assert_eq!(program.says(&["perft", "omweso:8x255", "1"]), "1 8\n");
    assert_eq!(program.says(&["perft", "bao-kujifunza:8x255", "1"]), "1 16\n");
}

#[test]
fn texts_that_are_no_moves_are_refused_in_one_sentence() {
    for text in ["9", "9+", "9-+", "9--+-", "3+s", "16-s", "pass"] {
        assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
    }
    let many = format!("9{}", "+".repeat(129));
    for text in ["", "0", "+", "s", "9s", "9+s+", "9+-s", "9ss", "256", "-9", "9*", "9 +", "٩", &many] {
        let said = text.parse::<Move>().unwrap_err().to_string();
        assert!(said.contains("is no move: a move is the number of a pit") && !said.contains('\n'), "{said}");
        assert!(said.len() < 400, "{said}");
    }
}
