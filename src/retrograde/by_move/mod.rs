//! Builders that ask an engine for every move of every position.
//!
//! `general` takes rule sets in which an order is proven in which no position of a layer can come back, `settler`
//! those whose positions can repeat.

mod engine;
mod general;
mod settler;

pub(super) use engine::{Engine, Rows, memory_of_rows, rows};
pub(super) use general::GeneralBuilder;
pub(super) use settler::Settler;
