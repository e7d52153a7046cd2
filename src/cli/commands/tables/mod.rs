//! The subcommands about files of tables.

pub mod build;
pub mod export;
pub mod import;
pub mod info;
pub mod stats;
pub mod verify;
