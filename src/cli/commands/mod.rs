//! One file a subcommand, each with its arguments and a `run`; those that make, read and write files of
//! tables are in `tables`.

pub mod bench;
pub mod completions;
pub mod man;
pub mod moves;
pub mod perft;
pub mod query;
pub mod rules;
pub mod solve;
pub mod tables;
