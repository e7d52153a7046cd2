//! Builders that take whole rows of positions at a time, for games of single laps.
//!
//! Moves are tables over half boards (`half_moves`, `replies`), and the loops over them vectorise (`vector_loops`, `lanes`).
//! `acyclic` builds games of Kalah's kind, each position once; `cyclic` those of Oware's.

mod acyclic;
mod cyclic;
mod half_moves;
mod lanes;
mod replies;
mod shared_rows;
mod square;
mod transpose;
mod vector_loops;

pub(super) use acyclic::RowBuilder;
pub(super) use cyclic::CyclicRows;
pub(super) use half_moves::{potential, supports};
