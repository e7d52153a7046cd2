//! The records of switches of the games of four rows: values, text, files, identity, and boards.

use std::collections::HashMap;

use sowbase::rules::{self, Rules, RulesError};

/// A game, and what each of its switches takes, the default first.
type Game = (&'static str, &'static [(&'static str, &'static [&'static str])]);

const ENDLESS: (&str, &[&str]) = ("endless", &["illegal", "draw", "loss", "stop"]);

const GAMES: &[Game] = &[
    (
        "omweso",
        &[
            ("reverse", &["on", "off"]),
            ("reverse-pits", &["4", "2"]),
            ("first-turn-capture", &["no", "yes"]),
            ("re-entry", &["lap-origin", "capturing-pit"]),
            ("capture-needs", &["both", "inner"]),
            ("emitwe", &["off", "on"]),
            ENDLESS,
            ("setup", &["outer", "even"]),
        ],
    ),
    ("bao-kujifunza", &[("hus", &["no", "yes"]), ENDLESS]),
    (
        "bao-kiswahili",
        &[
            ("mtaji-house", &["go-on", "choice"]),
            ("house-lost", &["first-mtaji-capture", "emptied"]),
            ("namua-singletons", &["house-owned", "house-works"]),
            ("takasia", &["on", "off"]),
            ("block-singleton", &["no", "yes"]),
            ("setup", &["zanzibar", "malawi"]),
            ENDLESS,
        ],
    ),
];

/// What tells how a game starts, and nothing about a position.
const OF_THE_START: [&str; 2] = ["first-turn-capture", "setup"];

fn with(rules: &Rules, key: &str, value: &str) -> Rules {
    let mut changed = rules.clone();
    changed.set(key, value).unwrap();
    changed
}

/// The rule sets that differ from a game in one switch, and that switch.
fn changed(rules: &Rules) -> Vec<(Rules, &'static str, &'static str)> {
    let (_, switches) = GAMES.iter().find(|game| game.0 == rules.name()).unwrap();
    let values = switches.iter().flat_map(|(key, values)| values[1..].iter().map(move |value| (key, value)));
    values.map(|(key, value)| (with(rules, key, value), *key, *value)).collect()
}

fn games() -> impl Iterator<Item = Rules> {
    GAMES.iter().map(|(name, _)| rules::game(name).unwrap())
}

#[test]
fn the_games_of_four_rows_are_listed_after_those_of_two() {
    let four_rows = |name: &&str| rules::game(name).unwrap().four_rows().is_some();
    assert!(rules::names().skip_while(|name| !four_rows(name)).eq(GAMES.iter().map(|game| game.0)));
    for rules in games() {
        assert_eq!((rules.pits(), rules.player_pits(), rules.seeds()), (8, 16, 2), "{}", rules.name());
        let about = rules.about();
        assert!(about.len() > 20 && about.ends_with('.') && !about.contains('\n'), "{about}");
        assert_eq!(about.matches(". ").count(), 0, "more than one sentence: {about}");
    }
}

#[test]
fn every_game_lists_every_switch_with_its_default_first() {
    for ((name, switches), rules) in GAMES.iter().zip(games()) {
        assert!(rules.keys().iter().eq(switches.iter().map(|(key, _)| key)), "{name}");
        let (_, table) = rules.to_toml().split_once(&format!("\n[{name}]\n")).map(owned).unwrap();
        let listed = switches.iter().map(|(key, values)| format!("{key} = \"{}\"", values[0]));
        assert!(table.lines().eq(listed), "{table}");
        for (key, values) in *switches {
            assert_eq!(rules.get(key).as_deref(), Some(values[0]), "{name} {key}");
            for value in *values {
                assert_eq!(with(&rules, key, value).get(key).as_deref(), Some(*value), "{name} {key}");
            }
        }
        assert_eq!((rules.get("lap"), rules.get("no such key")), (None, None));
    }
}

fn owned((before, after): (&str, &str)) -> (String, String) {
    (before.into(), after.into())
}

#[test]
fn every_switch_is_documented_with_its_values() {
    let page = include_str!("../docs/RULES.md");
    let titles = ["Omweso", "Bao la kujifunza and Hus", "Bao la kiswahili"];
    for ((name, switches), title) in GAMES.iter().zip(titles) {
        let (_, section) = page.split_once(&format!("\n## {title}\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        assert!(section.trim_start().starts_with(&format!("`{name}`, 8x2 ")), "{title}");
        let (_, table) = section.split_once("\n| switch | values |").unwrap();
        let rows = table.lines().filter(|line| line.starts_with("| `"));
        let documented = rows.map(|row| row.split(" | ").take(2).collect::<Vec<_>>().join(" | "));
        let known = switches.iter().map(|(key, values)| {
            let others: String = values[1..].iter().map(|value| format!(" `{value}`")).collect();
            format!("| `{key}` | **`{}`**{others}", values[0])
        });
        assert!(documented.eq(known), "{title}");
    }
}

#[test]
fn rule_sets_survive_being_written_and_read() {
    for rules in games() {
        assert_eq!(rules::from_toml(&rules.to_toml()).as_ref(), Ok(&rules));
        for (changed, key, value) in changed(&rules) {
            assert_eq!(rules::from_toml(&changed.to_toml()).as_ref(), Ok(&changed), "{key}={value}");
            assert_eq!(changed.changes(), [format!("{key}={value}")]);
            assert_eq!(changed.full_title(), format!("{} with {key}={value}", rules.title()));
        }
    }
}

#[test]
fn the_fingerprint_ignores_name_seeds_and_start() {
    for rules in games() {
        let same = rules.clone().with_name("another").unwrap();
        assert_eq!(same.fingerprint(), rules.fingerprint());
        for (changed, key, value) in changed(&rules).iter().filter(|change| OF_THE_START.contains(&change.1))
        {
            assert_eq!(changed.canonical(), rules.canonical(), "{key}={value}");
            assert_eq!(changed.id(), rules.id(), "{key}={value}");
        }
    }
}

#[test]
fn the_fingerprint_tells_the_game_every_other_switch_and_the_pits() {
    let mut seen = HashMap::new();
    for rules in games() {
        let mut told = vec![(rules.clone(), "plain".into())];
        let others = changed(&rules).into_iter().filter(|change| !OF_THE_START.contains(&change.1));
        told.extend(others.map(|(rules, key, value)| (rules, format!("{key}={value}"))));
        told.extend(
            (1..8).filter_map(|pits| Some((rules.clone().with_pits(pits).ok()?, format!("{pits} pits")))),
        );
        for (changed, words) in told {
            let words = format!("{} {words}", rules.name());
            assert_eq!(seen.insert(changed.fingerprint(), words.clone()), None, "{words}");
        }
    }
    for rules in rules::names().map(|name| rules::game(name).unwrap()) {
        assert_eq!(seen.contains_key(&rules.fingerprint()), rules.four_rows().is_some(), "{}", rules.name());
    }
}

/// Files carry the fingerprint, so it must never change for the same rules.
#[test]
fn the_canonical_text_is_stable() {
    for (rules, text) in [
        ("omweso:4x2", "four rows\npits=8\ngame=omweso\n"),
        ("bao-kujifunza", "four rows\npits=16\ngame=bao-kujifunza\n"),
        ("bao-kiswahili", "four rows\npits=16\ngame=bao-kiswahili\n"),
    ] {
        let rules = rules::game(rules).unwrap();
        assert_eq!(rules.canonical(), text);
        let draw = with(&rules, "endless", "draw");
        assert_eq!(draw.canonical(), format!("{text}endless=draw\n"));
    }
}

#[test]
fn unknown_switches_and_bad_values_are_refused_with_those_that_there_are() {
    for (&(name, switches), rules) in GAMES.iter().zip(games()) {
        for key in ["lap", "cycle", "", "no such key"] {
            let mut same = rules.clone();
            let error = same.set(key, "yes").unwrap_err();
            assert!(matches!(error, RulesError::UnknownSwitch { .. }), "{name}: {error}");
            assert_eq!(same, rules);
        }
        let near = rules.clone().set("endles", "draw").unwrap_err().to_string();
        assert!(near.starts_with("unknown switch endles (did you mean endless?)"), "{near}");
        for (key, values) in switches {
            for bad in ["", "maybe", "-1", "YES", "256"] {
                let mut same = rules.clone();
                let message = same.set(key, bad).unwrap_err().to_string();
                assert_eq!(same, rules);
                assert!(message.starts_with(&format!("switch {key} does not take {bad:?}: ")), "{message}");
                let mut takes: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
                let mut values = values.to_vec();
                takes.sort_unstable();
                values.sort_unstable();
                assert_eq!(takes, values, "{message}");
            }
        }
    }
}

#[test]
fn games_are_played_on_boards_that_suit_them() {
    let sizes = |name: &str| {
        let all = (1..=40).flat_map(|pits| [1, 2, 3, 255].map(|seeds| (pits, seeds)));
        let played = all.filter(|(pits, seeds)| rules::game(&format!("{name}:{pits}x{seeds}")).is_ok());
        played.collect::<Vec<(u8, u8)>>()
    };
    let any = |pits: std::ops::RangeInclusive<u8>| {
        pits.flat_map(|pits| [1, 2, 3, 255].map(|seeds| (pits, seeds))).collect::<Vec<_>>()
    };
    assert_eq!(sizes("omweso"), any(2..=8));
    assert_eq!(sizes("bao-kujifunza"), any(4..=8));
    assert_eq!(sizes("bao-kiswahili"), [(8, 2)]);
    for (title, played) in [
        ("omweso:9x2", "2 to 8 pits in each of four rows"),
        ("bao-kujifunza:3x2", "4 to 8 pits in each of four rows"),
        ("bao-kiswahili:7x2", "8 pits in each of four rows and 64 seeds: 8x2"),
    ] {
        let (name, size) = title.split_once(':').unwrap();
        let error = rules::game(title).unwrap_err();
        assert_eq!(error, RulesError::BadBoard { name: name.into(), size: size.into(), played });
        assert_eq!(error.to_string(), format!("{name} is played with {played}, not on a board of {size}"));
        // The board of a file is held to the same.
        let text = rules::game(name).unwrap().to_toml();
        let (pits, _) = size.split_once('x').unwrap();
        let file = rules::from_toml(&text.replace("pits = 8", &format!("pits = {pits}"))).unwrap_err();
        assert!(file.to_string().contains(&error.to_string()), "{file}");
    }
    let even = |title: &str| rules::game(title).unwrap().start_seeds();
    assert_eq!((even("omweso:2x1"), even("bao-kujifunza:4x3"), even("bao-kiswahili")), (8, 48, 20));
    assert_eq!(with(&rules::game("bao-kiswahili").unwrap(), "setup", "malawi").start_seeds(), 24);
}

#[test]
fn a_file_has_one_table_of_switches() {
    let tables: Vec<String> = ["kalah", "omweso", "bao-kujifunza", "bao-kiswahili"]
        .map(|name| rules::game(name).unwrap().to_toml())
        .iter()
        .map(|text| text[text.find("\n[").unwrap()..].into())
        .collect();
    let head = "name = \"mine\"\npits = 8\nseeds = 2\n";
    for (at, table) in tables.iter().enumerate() {
        let one = rules::from_toml(&format!("{head}{table}")).unwrap();
        assert_eq!(one.four_rows().is_some(), at > 0);
        for other in &tables[at + 1..] {
            let two = rules::from_toml(&format!("{head}{table}{other}")).unwrap_err().to_string();
            assert!(two.contains("one table of switches: `[switches]`") && !two.contains('\n'), "{two}");
        }
    }
    let none = rules::from_toml(head).unwrap_err().to_string();
    assert!(none.contains("one table of switches: `[switches]`") && !none.contains('\n'), "{none}");
}

#[test]
fn faults_of_a_rule_file_are_found_at_their_line() {
    for (&(name, switches), rules) in GAMES.iter().zip(games()) {
        let text = rules.to_toml();
        let lines: Vec<&str> = text.lines().collect();
        let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
        let fault = |text: &str| match rules::from_toml(text).unwrap_err() {
            RulesError::BadFile { line, reason } => (line, reason),
            error => panic!("{error}"),
        };
        for (key, values) in switches {
            let mut bad = lines.clone();
            let line = at(&format!("{key} = "));
            let wrong = format!("{key} = \"maybe\"");
            bad[line] = &wrong;
            let (told, reason) = fault(&bad.join("\n"));
            assert_eq!(told, line + 1, "{reason}");
            assert!(values.iter().all(|value| reason.contains(&format!("`{value}`"))), "{reason}");
            bad.remove(line);
            let (told, reason) = fault(&bad.join("\n"));
            assert_eq!(told, at(&format!("[{name}]")) + 1, "{reason}");
            assert!(reason.contains(&format!("`{key}`")), "{reason}");
        }
        let (told, reason) = fault(&format!("{text}lap = \"single\"\n"));
        assert_eq!(told, lines.len() + 1, "{reason}");
        assert!(reason.contains("`lap`"), "{reason}");
    }
}
