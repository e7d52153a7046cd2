//! Which rule sets the plain engine plays.
//!
//! Every switch of the record has an engine; what is refused are combinations to which no known game
//! gives a meaning.

use crate::board::NoEngine;
use crate::rules::{Origin, Rules, Switches};

/// A switch and some of its values.
type Choice = (&'static str, &'static [&'static str]);

/// The games with quan cells.
const QUAN: Choice = ("quan", &["2"]);
/// Captures beyond a gap.
const BEYOND: &[&str] = &["next", "next-and-opposite"];

/// If a switch has one of some values, another one must have one of these.
const TOGETHER: &[(Choice, Choice)] = &[
    (QUAN, ("own-store", &["skip"])),
    (QUAN, ("opponent-store", &["skip"])),
    (QUAN, ("origin", &["sow"])),
    (QUAN, ("lap", &["next-hole"])),
    (QUAN, ("capture", &["next"])),
    (QUAN, ("after-capture", &["stop"])),
    (QUAN, ("pasu", &["off"])),
    (QUAN, ("feed", &["none"])),
    (QUAN, ("extra-move", &["none"])),
    (QUAN, ("no-move", &["end"])),
    (QUAN, ("end", &["cells", "pieces"])),
    (("end", &["cells", "pieces"]), QUAN),
    (("refill", &["debt", "end"]), QUAN),
    (("lap", &["next-hole"]), ("own-store", &["skip"])),
    (("lap", &["next-hole"]), ("opponent-store", &["skip"])),
    (("lap", &["next-hole"]), ("capture", &["none", "next", "next-and-opposite"])),
    (("capture", &["two-three"]), ("lap", &["single"])),
    (("capture", &["two-three"]), ("direction", &["fixed"])),
    (("capture", BEYOND), ("lap", &["same-hole", "next-hole"])),
    (("capture", BEYOND), ("own-store", &["skip"])),
    (("capture", BEYOND), ("opponent-store", &["skip"])),
    (("chain", &["yes"]), ("capture", BEYOND)),
    (("chain", &["yes"]), ("after-capture", &["stop"])),
    (("after-capture", &["continue"]), ("capture", BEYOND)),
    (("mikul", &["on", "equal"]), ("capture", &["none", "cross"])),
    (("grand-slam", &["no-capture", "illegal"]), ("capture", &["two-three"])),
    (("grand-slam", &["illegal"]), ("no-move", &["end"])),
    (("feed", &["must-feed", "leave-a-move"]), ("no-move", &["end"])),
];

/// The switches of a game of two rows.
///
/// # Errors
/// [`NoEngine`] for a game of four rows.
pub(in crate::board) fn two_rows(rules: &Rules) -> Result<&Switches, NoEngine> {
    rules.switches().ok_or_else(|| NoEngine::OtherKind { game: rules.title(), four_rows: true })
}

/// The switches of a rule set that has an engine.
///
/// # Errors
/// [`NoEngine`] for a game of four rows, or with the switches that do not go together.
pub(super) fn check(rules: &Rules) -> Result<&Switches, NoEngine> {
    let switches = two_rows(rules)?;
    let words = switches.words();
    let word = |wanted: &str| {
        let found = words.iter().find(|(key, _)| key == wanted);
        found.expect("the keys above are keys of the record").1.as_str()
    };
    let is = |(key, values): &Choice| values.contains(&word(key));
    match TOGETHER.iter().find(|(one, other)| is(one) && !is(other)) {
        None => Ok(switches),
        Some(((key, _), (other, _))) => Err(NoEngine::NoMeaning {
            game: rules.title(),
            switch: format!("{key}={}", word(key)),
            other: format!("{other}={}", word(other)),
        }),
    }
}

/// Whether positions may have closed pits: where the pit lifted from is sown, so that a ring with one
/// open pit can be sown, and there are no quan cells.
pub(in crate::board) fn allows_closed_pits(rules: &Rules) -> bool {
    rules.switches().is_some_and(closes_pits)
}

/// As [`allows_closed_pits`], by the switches of two rows.
pub(super) fn closes_pits(switches: &Switches) -> bool {
    switches.quan == 0 && switches.origin == Origin::Sow
}
