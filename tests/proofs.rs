//! Forced wins of the four-row games: every claim against tables, every proof replayed by the plain engine.

use std::time::{Duration, Instant};

use sowbase::board::{Game, Outcome, PackedRings, PlainRings, PlayerRing, Position, TwoRings, Verdict};
use sowbase::control::Control;
use sowbase::retrograde::WholeBoard;
use sowbase::rules::{self, Rules};
use sowbase::search::{ProofError, ProofMeans, Prover, check_proof};

fn rules(text: &str) -> Rules {
    let mut words = text.split_whitespace();
    let mut rules = rules::game(words.next().unwrap()).unwrap();
    for word in words {
        let (key, value) = word.split_once('=').unwrap();
        rules.set(key, value).unwrap();
    }
    rules
}

fn means(parallel: bool) -> ProofMeans {
    ProofMeans::new(64 << 20).parallel(parallel)
}

/// Proves every `step`th position of a whole board and compares with its table. Returns how many won or lost
/// positions were proven, and how many there are.
fn against_table<R: PlayerRing>(game: &TwoRings<R>, step: usize, means: &ProofMeans) -> (u32, u32) {
    let layer = WholeBoard::new(game.rules()).unwrap();
    let codes = layer.build(&Control::default()).unwrap();
    let mut prover = Prover::new(game.clone(), means);
    let (mut proven, mut decided) = (0, 0);
    for (index, code) in codes.iter().enumerate().step_by(step) {
        let verdict = Verdict::of_code((*code).into());
        let position = layer.numbering().position(layer.seeds(), index as u64);
        let packed = game.pack(&position);
        let claim = prover.prove(&packed, &Control::default());
        decided += u32::from(verdict != Verdict::DRAW);
        let Some(claim) = claim else { continue };
        proven += 1;
        assert_eq!(claim.outcome(), verdict.outcome(), "{position}");
        assert!(claim.within >= verdict.plies().unwrap(), "{position}: {claim:?}, {verdict}");
        // What is claimed has a proof that stands alone, and a line that ends.
        let text = prover.proof(&packed).unwrap().to_text(game.rules());
        let checked = check_proof(text.as_bytes(), &Control::default()).unwrap();
        assert_eq!(checked.claim.outcome(), claim.outcome());
        assert!(checked.claim.within <= claim.within && checked.claim.within >= verdict.plies().unwrap());
        assert_eq!(checked.position, position);
        let line = prover.line(&packed).unwrap();
        assert!(line.len() <= claim.within as usize);
    }
    (proven, decided)
}

#[test]
fn claims_are_those_of_tables() {
    for (text, step) in [
        ("omweso:2x1", 1),
        ("omweso:2x1 reverse=off", 1),
        ("omweso:2x1 endless=draw", 3),
        ("omweso:2x1 endless=loss capture-needs=inner", 3),
        ("omweso:2x1 endless=stop re-entry=capturing-pit", 3),
        ("omweso:2x2", 211),
        ("omweso:3x1", 1511),
        ("omweso:3x1 emitwe=on", 3023),
    ] {
        let rules = rules(text);
        let (proven, decided) = against_table(&PackedRings::new(&rules).unwrap(), step, &means(false));
        println!("{text}: {proven} of {decided} proven");
        // Only repetitions keep a win from being found.
        assert!(proven <= decided && 100 * proven >= 98 * decided, "{text}: {proven} of {decided}");
    }
    let rules = rules("omweso:2x1");
    let (proven, decided) = against_table(&PlainRings::new(&rules).unwrap(), 17, &means(true));
    assert!(proven <= decided && proven > 0);
}

#[test]
fn little_memory_makes_no_claim_false() {
    let rules = rules("omweso:2x2");
    let none = ProofMeans::new(100_000);
    let (proven, decided) = against_table(&PackedRings::new(&rules).unwrap(), 997, &none);
    assert!(proven <= decided);
}

/// The proof of the start of a game as a file.
fn proof_of_start(text: &str) -> (Rules, String) {
    let rules = rules(text);
    let game = PackedRings::new(&rules).unwrap();
    let mut prover = Prover::new(game.clone(), &means(false));
    let start = game.pack(&Position::start(&rules));
    prover.prove(&start, &Control::default()).unwrap();
    let text = prover.proof(&start).unwrap().to_text(&rules);
    (rules, text)
}

#[test]
fn bao_la_kujifunza_is_won_by_the_first_player() {
    let (rules, text) = proof_of_start("bao-kujifunza");
    let checked = check_proof(text.as_bytes(), &Control::default()).unwrap();
    println!("{} steps, {:?}", checked.steps, checked.claim);
    assert_eq!(checked.rules, rules);
    assert_eq!(checked.position, Position::start(&rules));
    assert_eq!(checked.claim.outcome(), Outcome::Win);
}

fn fault(text: &str) -> String {
    match check_proof(text.as_bytes(), &Control::default()).unwrap_err() {
        error @ ProofError::Fault { .. } => error.to_string(),
        error => panic!("{error}"),
    }
}

#[test]
fn a_changed_proof_is_refused() {
    let (_, text) = proof_of_start("bao-kujifunza");
    let lines: Vec<&str> = text.lines().collect();
    let steps = lines.iter().position(|line| line.starts_with("steps: ")).unwrap();
    let count = lines.len() - steps - 1;
    let with = |changed: &[&str]| changed.join("\n") + "\n";
    let mut resting = 0;
    // Every step is needed, and after those that it rests on.
    for at in steps + 1..lines.len() {
        let mut changed = lines.clone();
        changed.remove(at);
        let fewer = format!("steps: {}", count - 1);
        changed[steps] = &fewer;
        fault(&with(&changed));
        let mut changed = lines.clone();
        let moved = changed.remove(at);
        changed.insert(steps + 1, moved);
        let stands_alone = {
            let (position, _) = moved.split_once(" | ").unwrap();
            let root = format!("position: {position}");
            let mut alone = lines[..steps].to_vec();
            alone[steps - 2] = &root;
            alone.extend(["steps: 1", moved]);
            check_proof(with(&alone).as_bytes(), &Control::default()).is_ok()
        };
        assert_eq!(
            check_proof(with(&changed).as_bytes(), &Control::default()).is_ok(),
            stands_alone,
            "{moved}"
        );
        resting += u32::from(!stands_alone);
    }
    assert!(resting > 20, "{resting}");
    // A cut file, more steps, other rules, a bolder claim, another start.
    fault(&with(&lines[..lines.len() - 1]));
    fault(&(text.clone() + lines.last().unwrap() + "\n"));
    fault(&text.replace("hus = \"no\"", "hus = \"yes\""));
    fault(&text.replace("claim: win", "claim: loss"));
    let within = lines.iter().find(|line| line.starts_with("claim: ")).unwrap();
    fault(&text.replace(within, "claim: win within 3"));
    fault(&text.replace("position: 2 2", "position: 1 3"));
    assert!(fault("sowbase proof 2\n").starts_with("line 1: "));
    assert!(fault("").contains("the file ends"));
    // However long a file goes on, little of it is kept.
    let endless_rules = format!("sowbase proof 1\n{}", "a = [[[[[[[[\n".repeat(100_000));
    assert!(fault(&endless_rules).contains("should have ended the rules"));
    // A move that is legal and not the proof's.
    let last = *lines.last().unwrap();
    let (position, _) = last.split_once(" | ").unwrap();
    let other = format!("{position} | 15+");
    assert!(!last.ends_with("15+"));
    fault(&text.replace(last, &other));
}

/// Bytes changed at random are refused or leave a proof; they never make it panic or claim something else.
#[test]
fn damaged_proofs_are_safe() {
    let (_, text) = proof_of_start("omweso:2x1 endless=stop");
    let whole = check_proof(text.as_bytes(), &Control::default()).unwrap();
    let random = &mut fastrand::Rng::with_seed(5);
    for _ in 0..2000 {
        let mut bytes = text.clone().into_bytes();
        let at = random.usize(..bytes.len());
        bytes[at] = random.u8(..);
        if let Ok(checked) = check_proof(bytes.as_slice(), &Control::default())
            && checked.position == whole.position
            && checked.rules.fingerprint() == whole.rules.fingerprint()
        {
            assert_eq!(checked.claim.outcome(), whole.claim.outcome());
        }
    }
}

#[test]
fn a_deadline_ends_a_search_without_a_claim() {
    let rules = rules("bao-kiswahili");
    let game = PackedRings::new(&rules).unwrap();
    for parallel in [false, true] {
        let mut prover = Prover::new(game.clone(), &means(parallel));
        let control = Control::default();
        let begun = Instant::now();
        control.set_deadline(begun.checked_add(Duration::from_millis(300)));
        assert_eq!(prover.prove(&game.pack(&Position::start(&rules)), &control), None);
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}
