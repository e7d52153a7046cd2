//! What the program shows: answers, boards, progress and pictures.

pub mod answer;
pub mod drawing;
mod four_row_drawing;
pub mod output;
pub mod plot;
pub mod progress;
pub mod remedy;
pub mod turn;
