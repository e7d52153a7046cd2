//! What is said about a position that was not solved: the word of the literature, and what a machine
//! would need that solves it by tables.

use sowbase::board::Position;
use sowbase::retrograde::{Method, is_acyclic};
use sowbase::rules::Rules;
use sowbase::solve::{Answer, Note, Source};

use super::options::{count_text, size_text, time_text};

/// Starts whose value is known from print and not from this program.
const LITERATURE: &[(&str, &str)] = &[
    ("awari:6x3", "a draw (van den Herik et al. 2002)"),
    ("awari:6x4", "a draw (Romein and Bal 2002)"),
    ("oware:6x4", "a draw (48stones 2023, known at second hand)"),
];

/// What is published about the start of a game. Nothing is known of rules that differ from the
/// named game's.
fn published(rules: &Rules) -> Option<&'static str> {
    let title = rules.title();
    let known = LITERATURE.iter().find(|(game, _)| *game == title && rules.changes().is_empty());
    known.map(|(_, result)| *result)
}

/// Sentences about an answer that leaves something open.
pub fn text(rules: &Rules, answer: &Answer) -> Option<String> {
    let states = answer.notes.iter().find_map(|note| match note {
        Note::RestsOn { states, is_complete } => Some((count_text(*states as f64), *is_complete)),
        _ => None,
    });
    if let Some((states, is_complete)) = states {
        return Some(match is_complete {
            true => format!("It rests on all {states} positions that can follow.\n"),
            false => format!(
                "It rests on {states} of the positions that can follow; more --memory and --time look at more.\n"
            ),
        });
    }
    if answer.notes.contains(&Note::Exhausted) {
        return Some("More time would find none either: perhaps it is a draw.\n".into());
    }
    let is_open = answer.value.is_none() && answer.source == Some(Source::Search);
    let repeats = rules.switches().is_some() && !is_acyclic(rules);
    let is_start = answer.position == Position::start(rules);
    (is_open && repeats).then(|| of_position(rules, answer.position.seeds(), is_start))
}

/// Sentences about a position with a number of seeds that was not solved; `is_start` if it is the
/// start of the game.
fn of_position(rules: &Rules, seeds: u32, is_start: bool) -> String {
    let mut text = String::new();
    if let Some(result) = published(rules).filter(|_| is_start) {
        text += &format!("Literature: {result}. This program has not proven it.\n");
    }
    let method = Method::of(rules);
    if let Ok((method, bytes)) = method.and_then(|method| Ok((method, method.memory(seeds)?))) {
        let rate = method.rate();
        text += &format!(
            "By tables it takes {} of memory for the layers 0 to {seeds}, and about {} where {:.0} million positions a second are built, as on two processors and smaller boards.\n",
            size_text(bytes),
            time_text(positions_up_to(seeds, rules.pits()) / rate),
            rate / 1e6
        );
    }
    text
}

/// Positions of the layers up to some seeds: C(seeds + 2 pits, 2 pits).
fn positions_up_to(seeds: u32, pits: u8) -> f64 {
    (1..=2 * u32::from(pits)).fold(1.0, |product, k| product * f64::from(seeds + k) / f64::from(k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sowbase::rules;

    #[test]
    fn literature_is_told_of_its_rules_alone() {
        let mut rules = rules::game("awari").unwrap();
        let said = of_position(&rules, 48, true);
        assert!(said.contains("Romein and Bal 2002") && said.contains("has not proven it"), "{said}");
        assert!(said.contains("TiB"), "{said}");
        assert!(!of_position(&rules, 48, false).contains("Romein"));
        rules.set("feed", "none").unwrap();
        assert!(!of_position(&rules, 48, true).contains("Romein"));
        assert!(of_position(&rules::game("oware").unwrap(), 48, true).contains("48stones"));
        assert!(!of_position(&rules::game("oware:6x5").unwrap(), 60, true).contains("Literature"));
    }
}
