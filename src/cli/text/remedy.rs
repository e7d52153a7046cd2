//! What a user of the program can do about an error of the library, which says causes alone.

use std::error::Error;

use sowbase::SolveError;
use sowbase::board::{NoEngine, NoMatch};
use sowbase::retrograde::{MAX_LAYER, Unbuildable};
use sowbase::rules::{self, RulesError};
use sowbase::search::ProofError;
use sowbase::tables::{BuildError, ExchangeError, Fault, TableError, Unchecked};

use crate::cli::game::as_typed;

/// The whole sentence about an error.
pub fn said(error: &anyhow::Error) -> String {
    whole(format!("{error:#}"), error.chain().find_map(Cause::of))
}

/// The whole sentence about what is wrong with a file, without the name of the file.
pub fn said_of_fault(fault: &Fault) -> String {
    whole(fault.to_string(), Cause::of_fault(fault))
}

/// A sentence with games as they are typed, and with its end.
fn whole(mut sentence: String, cause: Option<Cause>) -> String {
    let Some(cause) = cause else { return sentence };
    for game in cause.games() {
        sentence = sentence.replace(game, &as_typed(game));
    }
    sentence + &cause.remedy().unwrap_or_default()
}

/// An error whose sentence has an end in terms of the command line, or names a game.
#[derive(Clone, Copy)]
enum Cause<'a> {
    Rules(&'a RulesError),
    NoEngine(&'a NoEngine),
    Unbuildable(&'a Unbuildable),
    Table(&'a TableError),
    Build(&'a BuildError),
    Exchange(&'a ExchangeError),
    Unchecked(&'a Unchecked),
}

/// However an error is wrapped: wrappers that add no words hide what they wrap.
impl<'a> Cause<'a> {
    fn of(error: &'a (dyn Error + 'static)) -> Option<Cause<'a>> {
        None.or_else(|| error.downcast_ref().map(Cause::Rules))
            .or_else(|| error.downcast_ref().map(Cause::NoEngine))
            .or_else(|| error.downcast_ref().map(Cause::of_layers))
            .or_else(|| error.downcast_ref().map(Cause::of_tables))
            .or_else(|| error.downcast_ref().map(Cause::of_build))
            .or_else(|| error.downcast_ref().map(Cause::of_exchange))
            .or_else(|| error.downcast_ref().and_then(Cause::of_question))
            .or_else(|| error.downcast_ref().and_then(Cause::of_match))
            .or_else(|| error.downcast_ref().and_then(Cause::of_proof))
            .or_else(|| error.downcast_ref().and_then(Cause::of_fault))
    }

    fn of_layers(error: &'a Unbuildable) -> Cause<'a> {
        match error {
            Unbuildable::NoEngine(error) => Cause::NoEngine(error),
            error => Cause::Unbuildable(error),
        }
    }

    fn of_tables(error: &'a TableError) -> Cause<'a> {
        match error {
            TableError::Unbuildable(error) => Cause::of_layers(error),
            error => Cause::Table(error),
        }
    }

    fn of_build(error: &'a BuildError) -> Cause<'a> {
        match error {
            BuildError::Unbuildable(error) => Cause::of_layers(error),
            BuildError::Table(error) => Cause::of_tables(error),
            error => Cause::Build(error),
        }
    }

    fn of_exchange(error: &'a ExchangeError) -> Cause<'a> {
        match error {
            ExchangeError::Table(error) => Cause::of_tables(error),
            error => Cause::Exchange(error),
        }
    }

    fn of_question(error: &'a SolveError) -> Option<Cause<'a>> {
        match error {
            SolveError::Rules(error) => Some(Cause::Rules(error)),
            SolveError::NoEngine(error) => Some(Cause::NoEngine(error)),
            SolveError::NotCovered(error) | SolveError::Table(error) => Some(Cause::of_tables(error)),
            _ => None,
        }
    }

    fn of_match(error: &'a NoMatch) -> Option<Cause<'a>> {
        match error {
            NoMatch::NoEngine(error) => Some(Cause::NoEngine(error)),
            _ => None,
        }
    }

    fn of_proof(error: &'a ProofError) -> Option<Cause<'a>> {
        match error {
            ProofError::Rules { cause, .. } => Some(Cause::Rules(cause)),
            _ => None,
        }
    }

    fn of_fault(fault: &'a Fault) -> Option<Cause<'a>> {
        let Fault::Unchecked { reason } = fault else { return None };
        Some(match reason {
            Unchecked::Unbuildable(error) => Cause::of_layers(error),
            Unchecked::Table(error) => Cause::of_tables(error),
            reason => Cause::Unchecked(reason),
        })
    }
}

impl Cause<'_> {
    /// The games in the sentence, as the library names them.
    fn games(&self) -> Vec<&str> {
        match self {
            Cause::Rules(RulesError::UnknownGame { near, .. }) => near.iter().map(String::as_str).collect(),
            Cause::Table(
                TableError::NotCovered { game }
                | TableError::ClosedPits { game }
                | TableError::OtherStage { game }
                | TableError::MissingBoard { game, .. }
                | TableError::MissingLayer { game, .. }
                | TableError::MissingBounds { game, .. }
                | TableError::BoundsOnly { game },
            )
            | Cause::Unbuildable(
                Unbuildable::PathDependent { game }
                | Unbuildable::NoLayers { game }
                | Unbuildable::Hands { game },
            )
            | Cause::Exchange(ExchangeError::NotAwari { game } | ExchangeError::Length { game, .. }) => {
                vec![game]
            }
            _ => Vec::new(),
        }
    }

    /// The end of the sentence.
    fn remedy(&self) -> Option<String> {
        let end = match self {
            Cause::Rules(error) => of_rules(error)?,
            Cause::NoEngine(NoEngine::NoMeaning { .. }) => ", so change one of the two with --rule",
            Cause::NoEngine(_) => return None,
            Cause::Unbuildable(error) => of_layers(error)?,
            Cause::Table(error) => return of_tables(error),
            Cause::Build(error) => of_build(error)?,
            Cause::Exchange(ExchangeError::Exists { .. }) => {
                "; choose to replace it (--force), or write to another file"
            }
            Cause::Exchange(_) => return None,
            Cause::Unchecked(Unchecked::Memory { .. }) => "; allow more with --memory",
            Cause::Unchecked(_) => return None,
        };
        Some(end.to_owned())
    }
}

fn of_rules(error: &RulesError) -> Option<&'static str> {
    Some(match error {
        RulesError::UnknownGame { .. } => "; `sowbase rules list` shows them all",
        RulesError::UnknownSwitch { .. } => "; `sowbase rules show GAME` lists them all",
        RulesError::BadFile { .. } => "; `sowbase rules show GAME` prints a complete file",
        _ => return None,
    })
}

fn of_layers(error: &Unbuildable) -> Option<&'static str> {
    Some(match error {
        Unbuildable::PathDependent { .. } => {
            "; build bounds with --bounds, which hold under every cycle rule"
        }
        Unbuildable::NoLayers { .. } => {
            "; `sowbase query` and `sowbase solve` look at all that can follow from a position"
        }
        Unbuildable::Hands { .. } => "; `sowbase query` and `sowbase solve` search it",
        _ => return None,
    })
}

fn of_build(error: &BuildError) -> Option<&'static str> {
    Some(match error {
        BuildError::NoBounds { .. } | BuildError::OnlyDraws { .. } => "; leave out --bounds",
        BuildError::OtherSeeds { .. } => "; leave out --seeds-up-to, or name the board that you mean",
        BuildError::Memory { .. } => "; ask for fewer seeds or a smaller board, or allow more with --memory",
        BuildError::Disk { .. } => "; free some, or name another folder with --out",
        BuildError::Locked { .. } => "; wait until it has finished, or build into another folder with --out",
        _ => return None,
    })
}

fn of_tables(error: &TableError) -> Option<String> {
    let end = match error {
        TableError::NotCovered { game } => {
            let seeds = if is_built_as_board(game) { "" } else { " --seeds-up-to N" };
            return Some(format!("; `sowbase build {}{seeds}` makes them", as_typed(game)));
        }
        TableError::MissingLayer { game, seeds, .. } => return Some(layer(game, *seeds, "` makes it")),
        TableError::MissingBounds { game, seeds, .. } => {
            return Some(layer(game, *seeds, " --bounds` makes them"));
        }
        TableError::ClosedPits { .. } | TableError::OtherStage { .. } => "; ask without --no-search",
        TableError::MissingBoard { .. } => {
            "; `sowbase build` makes those of a board that has so many at the start"
        }
        TableError::Corrupt { .. } => "; run `sowbase build` again, which replaces it, or remove it",
        TableError::NoTables { .. } => "; `sowbase build GAME --seeds-up-to N --out DIR` makes them in DIR",
        _ => return None,
    };
    Some(end.to_owned())
}

/// How to get what tables of so many seeds hold.
fn layer(game: &str, seeds: u32, makes: &str) -> String {
    if seeds > MAX_LAYER {
        return format!(
            "; tables end at {MAX_LAYER} seeds: take fewer, or `sowbase query` without --no-search"
        );
    }
    format!("; `sowbase build {} --seeds-up-to {seeds}{makes}", as_typed(game))
}

/// Whether a build takes the seeds from the board: no seed leaves it.
fn is_built_as_board(game: &str) -> bool {
    let name = game.split([':', ' ']).next().unwrap_or_default();
    rules::preset(name).is_some_and(|rules| rules.four_rows().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_without_meaning_can_be_changed() {
        let rules = rules::game("kalah").and_then(|rules| rules.with("chain", "yes")).unwrap();
        let error = || sowbase::board::Ring::new(&rules).unwrap_err();
        let wrapped: [anyhow::Error; 7] = [
            error().into(),
            Unbuildable::from(error()).into(),
            TableError::from(Unbuildable::from(error())).into(),
            BuildError::from(Unbuildable::from(error())).into(),
            BuildError::from(TableError::from(Unbuildable::from(error()))).into(),
            SolveError::from(error()).into(),
            SolveError::from(TableError::from(Unbuildable::from(error()))).into(),
        ];
        for error in wrapped {
            assert_eq!(
                said(&error),
                "kalah:6x4 cannot be played with chain=yes together with capture=cross; no known game says what that means, so change one of the two with --rule"
            );
            let within = said(&error.context("a file"));
            assert!(within.starts_with("a file: kalah:6x4") && within.ends_with("--rule"), "{within}");
        }
        let other = sowbase::board::Ring::new(&rules::game("omweso").unwrap()).unwrap_err();
        let sentence = "omweso:8x2 has four rows, and the engine is one for games of two";
        assert_eq!(other.to_string(), sentence);
        assert_eq!(said(&other.into()), sentence);
    }

    #[test]
    fn missing_tables_are_built_by_what_is_typed() {
        let rules = rules::game("oware").and_then(|rules| rules.with("feed", "none")).unwrap();
        let game = || rules.full_title();
        let missing = |error: TableError| said(&SolveError::NotCovered(error).into());
        assert_eq!(game(), "oware:6x4 with feed=none");
        assert_eq!(
            missing(TableError::NotCovered { game: game() }),
            "no tables of oware:6x4 --rule feed=none were found; `sowbase build oware:6x4 --rule feed=none --seeds-up-to N` makes them"
        );
        let missing_layer =
            |seeds| TableError::MissingLayer { game: game(), seeds, present: "0 to 4".into() };
        assert_eq!(
            missing(missing_layer(6)),
            "the tables of oware:6x4 --rule feed=none have no layer of 6 seeds (they have 0 to 4); `sowbase build oware:6x4 --rule feed=none --seeds-up-to 6` makes it"
        );
        assert!(
            missing(missing_layer(200))
                .ends_with("; tables end at 127 seeds: take fewer, or `sowbase query` without --no-search")
        );
        let bounds = TableError::MissingBounds { game: game(), seeds: 6, present: String::new() };
        assert!(missing(bounds).ends_with(" --seeds-up-to 6 --bounds` makes them"));
        let board = TableError::NotCovered { game: "omweso:2x1 with emitwe=on".into() };
        assert!(missing(board).ends_with("; `sowbase build omweso:2x1 --rule emitwe=on` makes them"));
    }

    #[test]
    fn reasons_why_a_file_was_not_checked_have_an_end_too() {
        let memory = Unchecked::Memory { settles: true, up_to: 9, needed: 1 << 20, allowed: 1 << 10 };
        assert_eq!(
            said_of_fault(&memory.into()),
            "its values cannot be checked against the rules: settling the layers up to 9 again takes 1.0 MiB of memory and 1.0 KiB may be used; allow more with --memory"
        );
        let hands = Unchecked::from(Unbuildable::Hands { game: "bao-kiswahili".into() });
        assert!(said_of_fault(&hands.into()).ends_with("; `sowbase query` and `sowbase solve` search it"));
        assert_eq!(said_of_fault(&Fault::HeaderChecksum), "its header does not match its checksum");
    }

    #[test]
    fn games_that_may_be_meant_are_told_as_they_are_typed() {
        assert_eq!(
            said(&rules::game("hus").unwrap_err().into()),
            "unknown game hus (did you mean bao-kujifunza --rule hus=yes?); `sowbase rules list` shows them all"
        );
    }
}
