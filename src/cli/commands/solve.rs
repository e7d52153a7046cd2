//! `sowbase solve`: the exact value of a game.

use std::path::PathBuf;

use clap::Args;
use sowbase::board::Position;

use super::query::Once;
use crate::cli::first_turn::FirstTurn;
use crate::cli::game::{GameArgs, with_kernel};
use crate::cli::options::Common;
use crate::cli::session::{SearchArgs, answer_all};
use crate::cli::text::drawing::BoardArgs;
use crate::cli::text::output::Exit;

/// The exact value of a game, every first move with its value, one best line
#[derive(Args)]
pub struct Solve {
    #[command(flatten)]
    game: GameArgs,
    /// The position to solve
    #[arg(long, value_name = "POSITION", default_value = "start")]
    position: String,
    /// The most seeds that the first turn can bring, where moves earn extra moves
    #[arg(long, conflicts_with_all = ["value_only", "no_search", "no_tables"])]
    first_turn: bool,
    /// A file for the proof of a forced win, which `verify --proof` replays (games of four rows)
    #[arg(long, value_name = "FILE", conflicts_with = "first_turn")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    board: BoardArgs,
}

impl Solve {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        let rules = self.game.rules()?;
        let position = Position::parse(&rules, &self.position)?;
        self.board.check(common.json)?;
        let board = self.board.drawing(&rules, &position, common);
        if self.first_turn {
            let time = self.search.time;
            let work = FirstTurn { rules: &rules, position, board, time, common };
            return with_kernel(&rules, Some(&position), work)?;
        }
        let asker = Once { position: Some(position), board, json: common.json };
        let search = SearchArgs { proof: self.proof, ..self.search };
        answer_all(&rules, &search, common, asker)
    }
}
