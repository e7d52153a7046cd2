//! Layers in the forms of other programs.

mod export;
mod import;
mod layouts;

pub use export::{Exported, export};
pub use import::{Compared, Difference, compare};
pub use layouts::{ExchangeError, Layout};
