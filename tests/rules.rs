//! The named games, rule sets as text, and the identity of a rule set.

use std::collections::HashMap;

use sowbase::rules::{self, RuleKind, Rules, RulesError, Switches};

/// What each switch takes, in the words of the command line; of numbers a few.
const VALUES: &[(&str, &[&str])] = &[
    ("own-store", &["skip", "sow"]),
    ("opponent-store", &["skip", "sow"]),
    ("quan", &["0", "2"]),
    ("origin", &["sow", "skip"]),
    ("direction", &["fixed", "free"]),
    ("lap", &["single", "same-hole", "next-hole"]),
    ("capture", &["none", "cross", "two-three", "next", "next-and-opposite"]),
    ("trigger", &["take", "leave"]),
    ("empty-capture", &["no", "yes"]),
    ("mikul", &["off", "on", "equal"]),
    ("chain", &["no", "yes"]),
    ("after-capture", &["stop", "continue"]),
    ("pasu", &["off", "4", "6"]),
    ("pasu-owner", &["row", "sower"]),
    ("pasu-last", &["no", "yes"]),
    ("grand-slam", &["free", "no-capture", "illegal"]),
    ("feed", &["none", "must-feed", "leave-a-move"]),
    ("extra-move", &["none", "store", "store-or-capture"]),
    ("no-move", &["end", "pass"]),
    ("end", &["row-empty", "stuck", "all-empty", "no-move", "cells", "pieces"]),
    ("rest", &["owner", "nobody", "emptied", "opponent"]),
    ("refill", &["none", "debt", "end"]),
    ("quan-value", &["10", "5", "0", "255"]),
    ("quan-safe", &["0", "5", "3", "255"]),
    ("empty-quan", &["pass", "stop"]),
    ("endless", &["illegal", "draw", "loss", "stop"]),
    ("cycle", &["split", "own-side"]),
];

/// The games, their standard boards, and the values that their rules name for each switch, the
/// default first.
const GAMES: &[(&str, u8, u8, &str)] = &[
    (
        "kalah",
        6,
        4,
        "empty-capture=no|yes capture=cross|none trigger=take|leave extra-move=store|store-or-capture|none \
         end=row-empty|stuck rest=owner|nobody|emptied origin=sow|skip",
    ),
    ("oware", 6, 4, OWARE),
    ("awari", 6, 4, "grand-slam=free feed=leave-a-move cycle=split origin=skip"),
    ("congklak", 7, 7, CONGKLAK),
    ("sungka", 7, 7, CONGKLAK),
    (
        "sadeqa-iii",
        8,
        6,
        "trigger=leave empty-capture=no|yes endless=illegal|draw|loss|stop cycle=split|own-side",
    ),
    (
        "sadeqa-91",
        8,
        4,
        "trigger=leave empty-capture=no|yes endless=illegal|draw|loss|stop cycle=split|own-side",
    ),
    (
        "en-dodoi",
        8,
        4,
        "trigger=take empty-capture=no|yes endless=illegal|draw|loss|stop cycle=split|own-side",
    ),
    (
        "en-gehe",
        40,
        4,
        "trigger=take empty-capture=no|yes endless=illegal|draw|loss|stop cycle=split|own-side",
    ),
    (
        "pallanguzhi",
        7,
        6,
        "lap=next-hole|same-hole pasu=4|6|off pasu-owner=row|sower pasu-last=yes|no \
         capture=next|next-and-opposite chain=no|yes after-capture=stop|continue no-move=end|pass \
         endless=illegal|draw|loss|stop cycle=split|own-side",
    ),
    (
        "o-an-quan",
        5,
        5,
        "quan-value=10|5|7 quan-safe=0|5|10 empty-quan=pass|stop end=cells|pieces refill=debt|end \
         direction=free|fixed cycle=split",
    ),
];
const OWARE: &str = "grand-slam=no-capture|free|illegal feed=must-feed|leave-a-move|none cycle=split|own-side \
                     origin=skip|sow";
const CONGKLAK: &str = "trigger=take|leave empty-capture=no|yes extra-move=store|none opponent-store=skip|sow \
                        end=all-empty|row-empty|stuck mikul=off|on|equal";

/// The games of two rows; those of four have records of their own, in tests/rules_four_rows.rs.
fn presets() -> impl Iterator<Item = Rules> {
    rules::names().map(|name| rules::preset(name).unwrap()).filter(|rules| rules.four_rows().is_none())
}

fn with(rules: &Rules, key: &str, value: &str) -> Rules {
    let mut changed = rules.clone();
    changed.set(key, value).unwrap();
    changed
}

/// The error of a rule file, as a line and the whole message.
fn fault(text: &str) -> (usize, String) {
    let error = rules::from_toml(text).unwrap_err();
    let RulesError::BadFile { line, .. } = error else { panic!("{error}") };
    (line, error.to_string())
}

/// The line, from 1, that starts with a text.
fn line_of(text: &str, start: &str) -> usize {
    1 + text.lines().position(|line| line.starts_with(start)).unwrap()
}

#[test]
fn the_games_are_those_of_the_family_on_their_standard_boards() {
    assert!(presets().map(|rules| rules.name().to_owned()).eq(GAMES.iter().map(|game| game.0)));
    for &(name, pits, seeds, switches) in GAMES {
        let rules = rules::game(name).unwrap();
        assert_eq!((rules.name(), rules.pits(), rules.seeds()), (name, pits, seeds));
        for switch in switches.split_whitespace() {
            let (key, values) = switch.split_once('=').unwrap();
            let default = values.split('|').next().unwrap();
            assert_eq!(rules.get(key).as_deref(), Some(default), "{name} {key}");
            for value in values.split('|') {
                assert_eq!(with(&rules, key, value).get(key).as_deref(), Some(value));
            }
        }
    }
}

#[test]
fn every_game_is_told_in_one_sentence() {
    for rules in presets() {
        let about = rules.about();
        assert!(about.len() > 20 && about.ends_with('.') && !about.contains('\n'), "{about}");
        assert_eq!(about.matches(". ").count(), 0, "more than one sentence: {about}");
    }
}

#[test]
fn rule_sets_survive_being_written_and_read() {
    for rules in presets() {
        assert_eq!(rules::from_toml(&rules.to_toml()).as_ref(), Ok(&rules));
        for (key, values) in VALUES {
            for value in *values {
                let changed = with(&rules, key, value);
                assert_eq!(rules::from_toml(&changed.to_toml()).as_ref(), Ok(&changed), "{key}={value}");
            }
        }
    }
}

#[test]
fn every_game_lists_every_switch() {
    let keys = Switches::keys();
    assert!(keys.iter().eq(VALUES.iter().map(|(key, _)| key)), "{keys:?}");
    for rules in presets() {
        let text = rules.to_toml();
        let (_, switches) = text.split_once("[switches]\n").unwrap();
        let listed: Vec<&str> = switches.lines().map(|line| line.split_once(" = ").unwrap().0).collect();
        assert_eq!(listed, keys, "{}", rules.name());
        // A file without one of them is refused, so no game can rely on a value unsaid.
        for key in &keys {
            let line = line_of(&text, &format!("{key} = "));
            let without: Vec<&str> =
                text.lines().enumerate().filter(|(at, _)| at + 1 != line).map(|(_, line)| line).collect();
            let (at, message) = fault(&without.join("\n"));
            assert_eq!(at, line_of(&text, "[switches]"), "{message}");
            assert!(message.contains(&format!("`{key}`")), "{message}");
        }
    }
}

/// The cells of each row of the table of switches in docs/RULES.md.
fn documented() -> Vec<Vec<&'static str>> {
    let (_, section) = include_str!("../docs/RULES.md").split_once("## The switches\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.split('|').map(str::trim).collect()).collect()
}

/// The words in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_switch_is_documented_with_its_values_and_games() {
    let rows = documented();
    assert!(Switches::keys().iter().eq(rows.iter().flat_map(|row| quoted(row[1]))));
    let plain = Switches::default();
    for (row, (key, values)) in rows.iter().zip(VALUES) {
        let default = plain.get(key).unwrap();
        assert!(row[2].starts_with(&format!("**`{default}`**")), "{key}: {}", row[2]);
        if !["quan-value", "quan-safe"].contains(key) {
            let mut listed = quoted(row[2]);
            let mut values = values.to_vec();
            listed.sort_unstable();
            values.sort_unstable();
            assert_eq!(listed, values, "{key}");
        }
        // Games by value, both in the order in which the games are listed.
        let mut others: Vec<(String, Vec<String>)> = Vec::new();
        for rules in presets() {
            let value = rules.get(key).unwrap();
            match others.iter_mut().find(|(other, _)| *other == value) {
                _ if value == default => {}
                Some((_, games)) => games.push(rules.name().into()),
                None => others.push((value, vec![rules.name().into()])),
            }
        }
        let others: Vec<String> =
            others.iter().map(|(value, games)| format!("`{value}`: {}", games.join(", "))).collect();
        assert_eq!(row[4], others.join("; "), "{key}");
    }
}

#[test]
fn games_with_the_same_rules_share_their_tables() {
    let switches = |name| rules::game(name).unwrap().switches().cloned().unwrap();
    assert_eq!(switches("congklak"), switches("sungka"));
    assert_eq!(switches("en-dodoi"), switches("en-gehe"));
    assert_eq!(switches("sadeqa-iii"), switches("sadeqa-91"));
    let id = |name: &str| rules::game(name).unwrap().id();
    assert_eq!(id("congklak"), id("sungka"));
    assert_eq!(id("en-dodoi:9x4"), id("en-gehe:9x5"));
    assert_eq!(id("sadeqa-iii"), id("sadeqa-91"));
    let mut different = HashMap::new();
    for name in ["kalah:6x4", "oware:6x4", "awari:6x4", "congklak:6x4", "sadeqa-91:6x4"] {
        assert_eq!(different.insert(id(name), name), None);
    }
    for name in ["en-dodoi:6x4", "pallanguzhi:6x4", "o-an-quan:6x4"] {
        assert_eq!(different.insert(id(name), name), None);
    }
}

#[test]
fn awari_is_oware_with_two_other_switches() {
    let mut oware = rules::game("oware").unwrap();
    oware.set("grand-slam", "free").unwrap();
    oware.set("feed", "leave-a-move").unwrap();
    assert_eq!(oware.kind(), rules::game("awari").unwrap().kind());
}

#[test]
fn the_fingerprint_ignores_name_seeds_and_repetition() {
    for rules in presets() {
        let same = with(&rules, "cycle", "own-side").with_name("another").unwrap();
        let same = same.with_seeds(rules.seeds() + 1).unwrap();
        assert_ne!(same, rules);
        assert_eq!(same.fingerprint(), rules.fingerprint());
        assert_eq!(same.canonical(), rules.canonical());
    }
}

#[test]
fn the_fingerprint_tells_every_switch_and_the_pits() {
    for rules in presets() {
        let mut seen = HashMap::from([(rules.fingerprint(), String::new())]);
        for (key, values) in VALUES.iter().filter(|(key, _)| *key != "cycle") {
            let given = rules.get(key).unwrap();
            for value in values.iter().filter(|value| **value != given) {
                let print = with(&rules, key, value).fingerprint();
                assert_eq!(seen.insert(print, format!("{key}={value}")), None, "{key}={value}");
            }
        }
        for pits in (1..=40).filter(|&pits| pits != rules.pits()) {
            let print = rules.clone().with_pits(pits).unwrap().fingerprint();
            assert_eq!(seen.insert(print, format!("{pits} pits")), None, "{pits} pits");
        }
    }
}

/// Files carry the fingerprint, so it must never change for the same rules.
#[test]
fn the_canonical_text_is_stable() {
    let kalah = rules::game("kalah:6x4").unwrap();
    let text = "two rows\npits=6\nown-store=sow\ncapture=cross\nextra-move=store\nend=row-empty\n";
    assert_eq!(kalah.canonical(), text);
    assert_eq!(kalah.id(), format!("{:032x}", kalah.fingerprint()));
    let plain = Rules::new("plain", 6, 4, RuleKind::TwoRows(Switches::default())).unwrap();
    assert_eq!(plain.canonical(), "two rows\npits=6\n");
}

#[test]
fn unknown_switches_are_refused_with_the_nearest_ones() {
    let mut switches = Switches::default();
    let refused = |switches: &mut Switches, key| match switches.set(key, "yes").unwrap_err() {
        RulesError::UnknownSwitch { key: named, near } => {
            assert_eq!(named, key);
            near
        }
        error => panic!("{error}"),
    };
    assert_eq!(refused(&mut switches, "captrue"), ["capture"]);
    assert!(refused(&mut switches, "pasu-").contains(&"pasu-owner".into()));
    assert_eq!(refused(&mut switches, "empty_capture"), ["empty-capture"]);
    assert_eq!(refused(&mut switches, "Lap"), ["lap"]);
    assert_eq!(refused(&mut switches, "refills"), ["refill"]);
    assert!(refused(&mut switches, "no such key").is_empty());
    assert!(refused(&mut switches, "").is_empty());
    assert_eq!(switches, Switches::default());
    let message = switches.set("captrue", "none").unwrap_err().to_string();
    let told = "unknown switch captrue (did you mean capture?)";
    assert_eq!(message, told);
}

#[test]
fn bad_values_are_refused_with_all_that_the_switch_takes() {
    for (key, values) in VALUES {
        for bad in ["", "maybe", "-1", "256", "1.5", "YES"] {
            let mut switches = Switches::default();
            let message = switches.set(key, bad).unwrap_err().to_string();
            assert_eq!(switches, Switches::default());
            assert!(message.starts_with(&format!("switch {key} does not take {bad:?}: ")), "{message}");
            assert!(!message.contains('\n'), "{message}");
            match *key {
                "quan-value" | "quan-safe" => assert!(message.contains("from 0 to 255"), "{message}"),
                "quan" => {
                    assert!(message.contains("0 or 2") || message.contains("from 0 to 255"), "{message}")
                }
                _ => {
                    // The message lists the values of the record, so this list is complete as well.
                    let takes = message.split('`').skip(1).step_by(2).collect::<Vec<_>>();
                    assert_eq!(takes, *values, "{message}");
                }
            }
        }
    }
    let message = Switches::default().set("quan", "1").unwrap_err().to_string();
    assert!(message.contains("0 or 2"), "{message}");
}

#[test]
fn faults_of_a_rule_file_are_found_at_their_line() {
    let text = rules::game("kalah").unwrap().to_toml();
    let replaced = |start: &str, line: &str| {
        let lines: Vec<&str> =
            text.lines().map(|old| if old.starts_with(start) { line } else { old }).collect();
        fault(&lines.join("\n"))
    };
    for (start, line, told) in [
        ("lap = ", "lap = \"double\"", "`single`, `same-hole`, `next-hole`"),
        ("lap = ", "lapp = \"single\"", "`lapp`"),
        ("quan = ", "quan = 1", "0 or 2"),
        ("quan-value = ", "quan-value = 256", "a number from 0 to 255"),
        ("quan-safe = ", "quan-safe = \"5\"", "a number from 0 to 255"),
        ("pits = ", "pits = 0", "a number from 1 to 40"),
        ("pits = ", "pits = 41", "a number from 1 to 40"),
        ("pits = ", "pits = 300", "a number from 1 to 40"),
        ("pits = ", "pits = 1.5", "a number from 1 to 40"),
        ("seeds = ", "seeds = 0", "a number from 1 to 255"),
        ("seeds = ", "seeds = -4", "a number from 1 to 255"),
        ("name = ", "name = \"My game\"", "a-z, 0-9 and hyphens"),
        ("name = ", "name = \"\"", "a-z, 0-9 and hyphens"),
        ("trigger = ", "trigger = take", ""),
        ("trigger = ", "trigger \"take\"", ""),
        ("trigger = ", "lap = \"single\"", "duplicate"),
    ] {
        let (at, message) = replaced(start, line);
        assert_eq!(at, line_of(&text, start), "{line}: {message}");
        assert!(message.starts_with(&format!("rule file, line {at}: ")), "{message}");
        assert!(message.contains(told) && !message.contains('\n'), "{line}: {message}");
    }
    for key in ["name", "pits", "seeds"] {
        let (at, message) = replaced(&format!("{key} = "), "");
        assert_eq!(at, 1, "{message}");
        assert!(message.contains(&format!("`{key}`")), "{message}");
    }
    assert_eq!(fault("").0, 1);
    let (at, message) = fault(&format!("{text}\nspeed = 1\n"));
    assert_eq!(at, line_of(&text, "cycle = ") + 2, "{message}");
}

#[test]
fn other_names_lead_to_the_game() {
    for (alias, name) in
        [("dakon", "congklak"), ("congkak", "congklak"), ("awale", "oware"), ("wari", "oware")]
    {
        assert_eq!(rules::game(alias), rules::game(name));
        assert_eq!(rules::game(&format!("{alias}:3x2")).unwrap().title(), format!("{name}:3x2"));
        assert!(!rules::names().any(|listed| listed == alias));
    }
    assert_eq!(rules::game("awari").unwrap().title(), "awari:6x4");
}

#[test]
fn unknown_games_are_refused_with_the_nearest_names() {
    for (name, near) in [
        ("kala", &["kalah"][..]),
        ("oaware", &["oware"]),
        ("Kalah", &["kalah"]),
        ("sadeqa", &["sadeqa-91", "sadeqa-iii"]),
        ("chess", &[]),
        ("", &[]),
    ] {
        let RulesError::UnknownGame { name: named, near: found } = rules::game(name).unwrap_err() else {
            panic!("{name}")
        };
        assert_eq!(named, name);
        assert!(near.iter().all(|near| found.contains(&String::from(*near))), "{name}: {found:?}");
        assert_eq!(near.is_empty(), found.is_empty(), "{name}: {found:?}");
    }
    let message = rules::game("kalha:6x4").unwrap_err().to_string();
    assert_eq!(message, "unknown game kalha (did you mean kalah?)");
}

#[test]
fn sizes_are_pits_by_seeds() {
    for (text, size) in [("kalah:1x1", (1, 1)), ("kalah:40x255", (40, 255)), ("oware:5x3", (5, 3))] {
        let rules = rules::game(text).unwrap();
        assert_eq!((rules.pits(), rules.seeds()), size);
        assert_eq!(rules.title(), text);
    }
    for size in [
        "0x4", "6x", "x4", "x", "", "6", "6x4x2", "+6x4", "6x+4", "-6x4", "41x1", "256x1", "6x0", "6x256",
        "6X4", "6 x 4", " 6x4", "6x4 ", "6*4", "6x4:6x4", "٦x4",
    ] {
        let error = rules::game(&format!("kalah:{size}")).unwrap_err();
        assert_eq!(error, RulesError::BadSize { text: size.into() });
        let told = format!("the size {size:?} is not PITSxSEEDS");
        assert!(error.to_string().starts_with(&told), "{error}");
    }
}

#[test]
fn the_seeds_of_the_start_are_those_of_all_pits() {
    assert_eq!(rules::game("kalah").unwrap().start_seeds(), 48);
    assert_eq!(rules::game("en-gehe").unwrap().start_seeds(), 320);
    assert_eq!(rules::game("kalah:40x255").unwrap().start_seeds(), 20_400);
}

#[test]
fn no_rule_set_has_a_board_a_name_or_a_switch_that_does_not_exist() {
    let kalah = rules::game("kalah:6x4").unwrap();
    for (pits, seeds) in [(0, 4), (41, 4), (255, 1), (6, 0)] {
        let refused = kalah.clone().with_size(pits, seeds).unwrap_err();
        assert_eq!(refused, RulesError::BadSize { text: format!("{pits}x{seeds}") });
        assert_eq!(Rules::new("mine", pits, seeds, kalah.kind().clone()).unwrap_err(), refused);
    }
    assert_eq!(kalah.clone().with_pits(40).unwrap().to_string(), "kalah:40x4");
    assert_eq!(kalah.clone().with_seeds(255).unwrap().to_string(), "kalah:6x255");
    for name in ["", "Kalah", "my kalah", "kalah:6x4"] {
        assert_eq!(kalah.clone().with_name(name), Err(RulesError::BadName { name: name.into() }));
    }
    let mut switches = Switches::default();
    switches.quan = 7;
    let refused = Rules::new("mine", 6, 4, RuleKind::TwoRows(switches)).unwrap_err();
    assert!(matches!(refused, RulesError::BadValue { key, .. } if key == "quan"));
    let omweso = rules::game("omweso").unwrap();
    assert!(matches!(omweso.clone().with_pits(9), Err(RulesError::BadBoard { .. })));
    // What is refused changes nothing.
    let mut same = omweso.clone();
    assert!(same.resize("1x1").is_err() && same.resize("41x1").is_err());
    assert_eq!(same, omweso);
    assert!(omweso.switches().is_none() && omweso.four_rows().is_some());
    assert!(kalah.four_rows().is_none() && kalah.switches().is_some());
}
