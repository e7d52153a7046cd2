//! Exact values and endgame tables for the mancala family of board games.
//!
//! A [rule set](rules) says what a game is, a [board] makes its moves, the [index] numbers its
//! positions, [retrograde] analysis fills layers of them, [tables] keep these in files, and the
//! [search] finds the value of what is too large for tables. Values are points of the player to
//! move minus those of the opponent, with best play by both; in games of four rows a win, a draw or a loss.
//!
//! ```
//! use sowbase::board::{Game, Position, SingleLap};
//! use sowbase::control::Control;
//! use sowbase::retrograde::Layers;
//! use sowbase::search::{Resources, Solver};
//! use sowbase::tables::Values;
//!
//! let rules = sowbase::rules::game("kalah:4x3")?;
//! let control = Control::default();
//!
//! // All positions with up to 8 seeds in the pits.
//! let mut layers = Layers::new(&rules, 8)?;
//! while layers.next() <= 8 {
//!     layers.build_next(&control)?;
//! }

//!
//! let start = Position::start(&rules);
//! let game = SingleLap::new(&rules)?;
//! let packed = game.pack(&start);
//! let resources = Resources::new(1, 1 << 20);
//! let solver = Solver::new(game, layers.values(), start.seeds(), &resources)?;
//! assert_eq!(solver.solve(&packed, &control).value(), Some(6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! Each module has errors of its own that say cause and remedy. "Not covered by the tables" is
//! never a value.
//!
//! # Cargo features
//!
//! `cli` (default): the program and what only it needs.

pub mod board;
pub mod control;
pub mod index;
pub mod machine;
pub mod retrograde;
pub mod rules;
pub mod search;
pub mod solve;
pub mod tables;

pub use solve::{SolveError, Solver};
