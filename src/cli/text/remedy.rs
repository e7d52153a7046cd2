//! What a user of the program can do about an error of the library, which says causes alone.

use std::error::Error;

use sowbase::board::{NoEngine, NoMatch};
use sowbase::retrograde::Unbuildable;
use sowbase::tables::{BuildError, ExchangeError, TableError};

/// The whole sentence about an error.
pub fn said(error: &anyhow::Error) -> String {
    format!("{error:#}{}", remedy(error).unwrap_or_default())
}

/// The end of the sentence that tells an error, if there is a remedy in terms of the command line.
fn remedy(error: &anyhow::Error) -> Option<&'static str> {
    match error.chain().find_map(no_engine)? {
        NoEngine::NoMeaning { .. } => Some(", so change one of the two with --rule"),
        _ => None,
    }
}

/// The refusal of an engine, however it is wrapped: wrappers that add no words hide what they wrap.
fn no_engine<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a NoEngine> {
    fn of_layers(error: &Unbuildable) -> Option<&NoEngine> {
        match error {
            Unbuildable::NoEngine(error) => Some(error),
            _ => None,
        }
    }
    fn of_tables(error: &TableError) -> Option<&NoEngine> {
        match error {
            TableError::Unbuildable(error) => of_layers(error),
            _ => None,
        }
    }
    if let Some(error) = error.downcast_ref::<NoEngine>() {
        return Some(error);
    }
    if let Some(NoMatch::NoEngine(error)) = error.downcast_ref::<NoMatch>() {
        return Some(error);
    }
    if let Some(error) = error.downcast_ref::<BuildError>() {
        return match error {
            BuildError::Unbuildable(error) => of_layers(error),
            BuildError::Table(error) => of_tables(error),
            _ => None,
        };
    }
    if let Some(ExchangeError::Table(error)) = error.downcast_ref::<ExchangeError>() {
        return of_tables(error);
    }
    error
        .downcast_ref::<Unbuildable>()
        .and_then(of_layers)
        .or_else(|| error.downcast_ref().and_then(of_tables))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sowbase::rules;

    #[test]
    fn combinations_without_meaning_can_be_changed() {
        let rules = rules::game("kalah").and_then(|rules| rules.with("chain", "yes")).unwrap();
        let error = || sowbase::board::Ring::new(&rules).unwrap_err();
        let wrapped: [anyhow::Error; 5] = [
            error().into(),
            Unbuildable::from(error()).into(),
            TableError::from(Unbuildable::from(error())).into(),
            BuildError::from(Unbuildable::from(error())).into(),
            BuildError::from(TableError::from(Unbuildable::from(error()))).into(),
        ];
        for error in wrapped {
            let said = format!("{error:#}{}", remedy(&error).unwrap());
            assert_eq!(
                said,
                "kalah:6x4 cannot be played with chain=yes together with capture=cross; no known game says what that means, so change one of the two with --rule"
            );
            assert!(remedy(&error.context("a file")).is_some());
        }
        let other = sowbase::board::Ring::new(&rules::game("omweso").unwrap()).unwrap_err();
        assert_eq!(other.to_string(), "omweso:8x2 has four rows, and the engine is one for games of two");
        assert!(remedy(&other.into()).is_none());
    }
}
