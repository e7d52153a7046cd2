//! A game that the program does not know, added by a rule file alone.
//!
//! Ayoayo of the Yoruba in Nigeria, as L. Russ (1984) has it after the page "Ayoayo" of Mancala World: 2x6 pits
//! with four seeds each; relays that end in an empty pit; a sowing passes over the pit it was lifted from; a last
//! seed in an own empty pit is captured with the seeds of the opposite pit; an opponent without seeds must get
//! some if possible, otherwise the game is over and the player who moved last takes what is left. Elsewhere the
//! last seed stays (J. Pratt). The pages say nothing of moves that never end: here they may not be played.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
mod program;

use program::Program;
use serde_json::{Value, json};

const FILE: &str = include_str!("fixtures/ayoayo.toml");

struct Ayoayo(Program);

impl Ayoayo {
    fn new() -> Ayoayo {
        let program = Program::new();
        std::fs::write(program.path("ayoayo.toml"), FILE).unwrap();
        Ayoayo(program)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        self.0.json(&[arguments, &["--rules", "ayoayo.toml", "--json"]].concat())
    }

    /// The only move of that pit: what it brings, and where it leads.
    fn plays(&self, position: &str, pit: &str) -> (i64, String) {
        let moves = self.moves(position);
        let played = moves.iter().find(|played| played["move"] == pit).unwrap();
        assert_eq!((&played["opponent_gain"], &played["again"]), (&json!(0), &json!(false)));
        (played["gain"].as_i64().unwrap(), played["next"].as_str().unwrap().into())
    }

    fn moves(&self, position: &str) -> Vec<Value> {
        self.json(&["moves", "ayoayo", position])["moves"].as_array().unwrap().clone()
    }

    fn legal(&self, position: &str) -> Vec<String> {
        let moves = self.moves(position);
        moves.iter().map(|played| played["move"].as_str().unwrap().into()).collect()
    }
}

#[test]
fn the_first_move_is_a_relay_of_five_laps() {
    // 4 end in pit 5, 5 in the opponent's pit 4, 5 in pit 3, 6 in the opponent's pit 3, 6 in pit 3 again, now
    // empty; opposite to it lies one seed.
    let next = "6 6 0 0 6 6 / 2 7 0 6 1 6 ; stores 0 2";
    assert_eq!(Ayoayo::new().plays("start", "1"), (2, next.into()));
}

#[test]
fn a_sowing_passes_over_the_pit_it_was_lifted_from() {
    // The twelfth seed would fall into pit 1 and falls into pit 2, which has one. Then laps of two seeds, always
    // into pits with one, the last of them into pit 2; opposite to it lie two.
    let next = "3 0 2 0 0 0 / 1 0 2 0 2 0 ; stores 20 18";
    assert_eq!(Ayoayo::new().plays("12 0 0 0 0 0 / 1 0 0 0 0 0 ; stores 15 20", "1"), (3, next.into()));
}

#[test]
fn captures_are_made_from_own_empty_pits_if_there_is_something_opposite() {
    let ayoayo = Ayoayo::new();
    // Opposite to pit 4 lies the opponent's pit 3.
    let empty = "0 0 0 0 0 0 / 0 0 0 0 0 0 ; stores 20 28";
    assert_eq!(ayoayo.plays("0 0 1 0 0 0 / 0 0 5 0 0 0 ; stores 22 20", "3"), (6, empty.into()));
    let quiet = "0 0 0 5 0 0 / 0 0 0 1 0 0 ; stores 20 22";
    assert_eq!(ayoayo.plays("0 0 1 0 0 0 / 0 0 0 5 0 0 ; stores 22 20", "3"), (0, quiet.into()));
    // Nothing is captured where the last seed falls on the opponent's side.
    let quiet = "1 0 0 0 0 4 / 0 0 0 0 0 0 ; stores 20 23";
    assert_eq!(ayoayo.plays("0 0 0 0 0 1 / 0 0 0 0 0 4 ; stores 23 20", "6"), (0, quiet.into()));
}

#[test]
fn an_opponent_without_seeds_is_fed_or_the_player_who_moved_last_takes_the_rest() {
    let ayoayo = Ayoayo::new();
    assert_eq!(ayoayo.legal("1 0 0 0 0 1 / 0 0 0 0 0 0"), ["6"]);
    assert_eq!(ayoayo.legal("1 0 0 0 0 1 / 0 0 0 0 1 0"), ["1", "6"]);
    for (position, value) in
        [("0 1 0 2 0 0 / 0 0 0 0 0 0 ; stores 23 22", -2), ("0 0 0 0 0 0 / 0 0 3 0 0 1 ; stores 24 20", 0)]
    {
        let answer = ayoayo.json(&["moves", "ayoayo", position]);
        assert_eq!((&answer["moves"], &answer["value"]), (&json!([]), &json!(value)), "{position}");
    }
}

#[test]
fn perft_counts_what_moves_lists() {
    let ayoayo = Ayoayo::new();
    let replies = |played: &Value| ayoayo.legal(played["next"].as_str().unwrap()).len();
    let first = ayoayo.moves("start");
    let sequences: usize = first.iter().map(replies).sum();
    let counts = ayoayo.json(&["perft", "ayoayo", "4"])["counts"].clone();
    assert_eq!((&counts[0], &counts[1]), (&json!(first.len()), &json!(sequences)));
    assert_eq!(counts, json!([6, 28, 132, 624]));
}

#[test]
fn small_boards_are_solved_with_and_without_tables_and_tables_are_verified() {
    let ayoayo = Ayoayo::new();
    // On 2x2 pits with two seeds each, the first player's pit 1 makes eleven laps, captures six seeds and leaves
    // two in his row, which are his.
    let answer = ayoayo.json(&["solve", "ayoayo:2x2"]);
    assert_eq!((&answer["game"], &answer["value"]), (&json!("ayoayo:2x2"), &json!(8)));
    let best = &answer["moves"][0];
    assert_eq!((&best["move"], &best["value"], &best["gain"]), (&json!("1"), &json!(8), &json!(6)));
    assert_eq!(best["next"], "0 0 / 0 2 ; stores 0 6");

    let built = ayoayo.json(&["build", "ayoayo:3x2", "--seeds-up-to", "12", "--bounds"]);
    assert_eq!(built["built"], 39);
    let verified = ayoayo.0.json(&["verify", "databases", "--deep", "--json"]);
    assert_eq!(verified, json!({"ok": true, "files": 39, "faults": []}));
    let queried = ayoayo.json(&["query", "ayoayo:3x2", "start", "--no-search"]);
    assert_eq!((&queried["source"], &queried["value"]), (&json!("table"), &json!(0)));

    // A single seed: only in the mover's last pit can it feed, and then it comes back to him at the end.
    let stats = ayoayo.0.json(&["stats", "databases", "--json"]);
    assert_eq!(stats["game"], "ayoayo:3x2");
    let counts = |seeds: usize| {
        let layer = &stats["layers"][seeds];
        [&layer["wins"], &layer["draws"], &layer["losses"]].map(|count| count.as_u64().unwrap())
    };
    assert_eq!(counts(1), [1, 0, 5]);
    // Counted by repeated sweeps over all positions, apart from this program.
    assert_eq!(counts(8), [814, 101, 372]);
    assert_eq!(counts(12), [4070, 603, 1515]);
}

#[test]
fn tables_of_the_new_game_are_not_those_of_its_neighbour() {
    let ayoayo = Ayoayo::new();
    ayoayo.json(&["build", "ayoayo:3x2", "--seeds-up-to", "4"]);
    let query = ["query", "en-dodoi:3x2", "1 0 0 / 0 1 0", "--no-search"];
    ayoayo.0.fails(&query, 1);
    let said = ayoayo.0.fails(&["moves", "ayoayo", "start"], 2);
    assert!(said.contains("unknown game ayoayo"), "{said}");
}
