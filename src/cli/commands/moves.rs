//! `sowbase moves`: the legal moves of a position.

use clap::Args;
use sowbase::Solver;
use sowbase::board::Position;

use crate::cli::batch::Batch;
use crate::cli::game::GameArgs;
use crate::cli::options::Common;
use crate::cli::text::answer::Answer;
use crate::cli::text::drawing::BoardArgs;
use crate::cli::text::output::{Exit, print_json, print_styled};
use crate::cli::text::remedy::said;

/// The legal moves, what each captures, and the position it leads to
#[derive(Args)]
pub struct Moves {
    #[command(flatten)]
    game: GameArgs,
    /// OWN / OPPONENT [; stores OWN OPPONENT], or start; `-` reads one position a line
    #[arg(value_name = "POSITION")]
    position: String,
    #[command(flatten)]
    board: BoardArgs,
}

impl Moves {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("`sowbase query` values the moves from tables")?;
        let rules = self.game.rules()?;
        self.board.check(common.json || self.position == "-")?;
        let solver = Solver::new(rules, common.means(true)?)?;
        let rules = solver.rules();
        let answer = |position: &Position| {
            solver.moves(position).map(|moves| Answer::of(rules, &moves)).map_err(|error| said(&error.into()))
        };
        if self.position == "-" {
            let mut batch = Batch::new(rules);
            while let Some(position) = batch.read(|_| {})? {
                match answer(&position) {
                    Ok(answer) => batch.write(&answer)?,
                    Err(reason) => batch.write_error(&reason)?,
                }
            }
            return Ok(Exit::Done);
        }
        let position = Position::parse(rules, &self.position)?;
        let mut answer = answer(&position).map_err(anyhow::Error::msg)?;
        answer.board = self.board.drawing(rules, &position, common);
        if common.json {
            print_json(&answer)?
        } else {
            print_styled(&answer.text())?
        }
        Ok(Exit::Done)
    }
}
