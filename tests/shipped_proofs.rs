//! The proofs that come with the program hold, by the plain engine and by one that shares no code with it.

#[path = "common/brute_bao.rs"]
mod brute_bao;

use std::collections::HashSet;

use brute_bao::{Outcome, Position, bao};
use sowbase::control::Control;
use sowbase::search::check_proof;
use sowbase::{board, rules};

const PROOF: &str = include_str!("../databases/bao-kujifunza-8x2.proof");

#[test]
fn the_plain_engine_replays_them() {
    let checked = check_proof(PROOF.as_bytes(), &Control::default()).unwrap();
    let rules = rules::game("bao-kujifunza").unwrap();
    assert_eq!(checked.rules.fingerprint(), rules.fingerprint());
    assert_eq!(checked.position, board::Position::start(&rules));
    assert!(checked.claim.wins && checked.claim.within <= 25, "{:?}", checked.claim);
}

#[test]
fn the_brute_force_replays_them() {
    let game = bao("bao-kujifunza:8x2", "");
    let (_, steps) = PROOF.split_once("\nsteps: ").unwrap();
    let mut won = HashSet::new();
    for line in steps.lines().skip(1) {
        let (text, choice) = line.split_once(" | ").unwrap();
        let position = Position::read(text);
        let played = game.moves(&position).into_iter().find(|played| played.text == choice).unwrap();
        let next = played.next;
        if game.end(&next) != Some(Outcome::Loss) {
            assert_eq!(game.end(&next), None, "{line}");
            for reply in game.moves(&next) {
                let is_over = game.end(&reply.next) == Some(Outcome::Win);
                assert!(is_over || won.contains(&reply.next), "{line}: {}", reply.text);
            }
        }
        won.insert(position);
    }
    assert!(won.contains(&game.start()));
}
