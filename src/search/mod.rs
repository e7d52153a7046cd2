//! What is too large for tables: values, bounds, lines and forced wins.
//!
//! [`Solver`] finds the value of a position by null-window searches (`window`), and where positions can repeat bounds that hold
//! whatever repetitions do (`repeating`); there [`Explorer`] finds lines in finished layers that make progress.
//! [`solve_reachable`] is for games without layers, [`best_turn`] for the most that one turn with extra moves
//! can bring, and [`Prover`] looks for forced wins in games of four rows.

mod explorer;
mod proof;
mod reachable;
mod repeating;
mod turn;
mod window;

pub use crate::retrograde::Bounds;
pub use explorer::{Distance, Explorer};
pub use proof::{Checked, Claim, Proof, ProofError, ProofMeans, Prover, check_proof};
pub use reachable::{Allowance, Proven, Reachable, solve_reachable};
pub use turn::{BestTurn, best_turn};
pub use window::{Learnt, Limit, Quest, Resources, Solver, Worths};
pub(crate) use window::{agreed, worth};

/// Bytes reserved for the stack of a search thread, touched only as far as it is needed: a line of
/// play can be long where many seeds shift in one row.
const STACK: usize = 1 << 28;
