//! Exact values and endgame tables for the mancala family of board games.
//!
//! [`Solver`] is the one door: it takes a game by its name or its rules, and answers for positions with plain data.
//!
//! ```
//! use sowbase::{Solver, board::Position};
//!
//! let solver = Solver::of("kalah:4x3")?;
//! let answer = solver.solve(&Position::start(solver.rules()))?;
//! assert_eq!(answer.to_string(), "6");
//! # Ok::<(), sowbase::SolveError>(())
//! ```
//!
//! Values are points of the player to move minus those of the opponent, with best play by both; in games of four
//! rows a win, a draw or a loss. What is not proven is a bound, and says so.
//!
//! # Which type for which task
//!
//! | to | use |
//! |---|---|
//! | name a game, or change its switches | [`rules::game`], [`rules::Rules::with`] |
//! | read and write positions | [`board::Position::parse`], [`board::Position::to_text`] |
//! | ask for values, moves, lines, proofs | [`Solver`], [`solve::Question`], [`solve::Answer`] |
//! | say what may be used | [`solve::Means`] |
//! | watch or stop the work | [`control::Control`] |
//! | look into tables on disk | [`tables::TableSet`] |
//! | make, check, export tables | [`tables::build`](fn@tables::build), [`tables::verify`](fn@tables::verify), [`tables::export`](fn@tables::export) |
//! | play moves fast, in a program of your own | an engine of [`board`], by the trait [`board::Game`] |
//! | build layers in memory | [`retrograde::Layers`], [`retrograde::Method`] |
//! | search with layers of your own | [`search::Solver`] |
//!
//! # Engines
//!
//! | engine | plays |
//! |---|---|
//! | [`board::Ring`] | every game of two rows, plainly: the measure of the others |
//! | [`board::SingleLap`] | Kalah's kind on up to six pits |
//! | [`board::ChainLap`] | Oware's kind on up to six pits |
//! | [`board::RelayLap`] | games of relays on up to eight pits |
//! | [`board::PlainRings`], [`board::PackedRings`] | games of four rows |
//!
//! # Floors
//!
//! [`rules`] say what a game is, a [`board`] makes its moves, the [`index`] numbers its positions, [`retrograde`]
//! analysis fills layers of them, [`tables`] keep these in files, the [`search`] finds the value of what is too large
//! for tables, and [`solve`] puts all of it together. Each uses those before it and none after it.
//!
//! # Errors
//!
//! Each module has errors of its own, which are data. "Not covered by the tables" is never a value.
//!
//! # Cargo features
//!
//! `cli` (default): the program and what only it needs.

pub mod board;
pub mod clock;
pub mod control;
pub mod index;
pub mod machine;
pub mod retrograde;
pub mod rules;
pub mod search;
pub mod solve;
pub mod tables;

pub use solve::{SolveError, Solver};
