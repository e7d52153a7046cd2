//! What is said about a position that was not solved: the word of the literature, and what a machine
//! would need that solves it by tables.

use sowbase::retrograde::Layers;
use sowbase::rules::Rules;

use super::options::{size_text, time_text};
use super::plan::{building_rate, positions_below};

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

/// Sentences about a position with a number of seeds that was not solved; `is_start` if it is the
/// start of the game.
pub fn text(rules: &Rules, seeds: u32, is_start: bool) -> String {
    let mut text = String::new();
    if let Some(result) = published(rules).filter(|_| is_start) {
        text += &format!("Literature: {result}. This program has not proven it.\n");
    }
    if let Ok(bytes) = Layers::memory(rules, seeds) {
        let rate = building_rate(rules);
        text += &format!(
            "By tables it takes {} of memory for the layers 0 to {seeds}, and about {} where {:.0} million positions a second are built, as on two processors and smaller boards.\n",
            size_text(bytes),
            time_text(positions_below(seeds + 1, rules.pits()) / rate),
            rate / 1e6
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sowbase::rules;

    #[test]
    fn literature_is_told_of_its_rules_alone() {
        let mut rules = rules::game("awari").unwrap();
        let said = text(&rules, 48, true);
        assert!(said.contains("Romein and Bal 2002") && said.contains("has not proven it"), "{said}");
        assert!(said.contains("TiB"), "{said}");
        assert!(!text(&rules, 48, false).contains("Romein"));
        rules.set("feed", "none").unwrap();
        assert!(!text(&rules, 48, true).contains("Romein"));
        assert!(text(&rules::game("oware").unwrap(), 48, true).contains("48stones"));
        assert!(!text(&rules::game("oware:6x5").unwrap(), 60, true).contains("Literature"));
    }
}
