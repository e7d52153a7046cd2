//! The value of a position, from the tables in a folder.
//!
//! After `sowbase build kalah --seeds-up-to 12`:
//! `cargo run --release --example query -- databases kalah "0 1 0 0 2 3 / 1 0 0 3 1 0"`

use std::error::Error;

use sowbase::board::Position;
use sowbase::rules;
use sowbase::tables::{TableError, TableSet};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, game, position] = &arguments[..] else {
        return Err("usage: query FOLDER GAME POSITION".into());
    };
    let rules = rules::game(game)?;
    let position = Position::parse(&rules, position)?;
    let tables = TableSet::open(&[folder.into()], &rules)?;
    match tables.probe(&position) {
        // A table holds values with empty stores.
        Ok(value) => println!("{position}  value {}", value + position.lead()),
        // Not covered is not a value: a program would search here.
        Err(TableError::MissingLayer { seeds, .. }) => {
            println!("{position}  no table with {seeds} seeds, those below {}", tables.complete_below())
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
