//! Exact values and endgame tables for the mancala family of board games.

pub mod board;
pub mod control;
pub mod index;
mod memory;
pub mod retrograde;
pub mod rules;
pub mod search;
pub mod tables;
