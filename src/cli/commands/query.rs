//! `sowbase query`: the exact value of positions.

use clap::Args;
use sowbase::board::Position;

use crate::cli::batch::Batch;
use crate::cli::game::GameArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Common;
use crate::cli::session::{Asker, Refusal, SearchArgs, answer_all};
use crate::cli::text::answer::Answer;
use crate::cli::text::drawing::BoardArgs;
use crate::cli::text::output::{Exit, print_error, print_json, print_styled};

/// The exact value of a position and of each of its moves
#[derive(Args)]
pub struct Query {
    #[command(flatten)]
    game: GameArgs,
    /// OWN / OPPONENT [; stores OWN OPPONENT], or start; `-` reads one position a line
    #[arg(value_name = "POSITION")]
    position: String,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    board: BoardArgs,
}

impl Query {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        let rules = self.game.rules()?;
        let args = &self.search;
        self.board.check(common.json || self.position == "-")?;
        if self.position == "-" {
            let asker = Batch::new(&rules);
            return answer_all(&rules, args, common, asker);
        }
        let position = Position::parse(&rules, &self.position)?;
        let board = self.board.drawing(&rules, &position, common);
        let asker = Once { position: Some(position), board, json: common.json };
        answer_all(&rules, args, common, asker)
    }
}

/// Asks for one position.
pub struct Once {
    pub position: Option<Position>,
    /// Its drawing, if the text is to have it.
    pub board: Option<String>,
    pub json: bool,
}

impl Asker for Once {
    fn next(&mut self, _: &Interrupt) -> anyhow::Result<Option<Position>> {
        Ok(self.position.take())
    }

    fn answer(&mut self, mut answer: Answer) -> anyhow::Result<()> {
        answer.board = self.board.take();
        if self.json { print_json(&answer) } else { print_styled(&answer.text()) }
    }

    fn refuse(&mut self, refusal: Refusal) -> anyhow::Result<Exit> {
        print_error(&refusal.reason);
        Ok(refusal.exit)
    }
}

/// A line without an answer gets its reason, and the batch ends well.
impl Asker for Batch<'_> {
    fn next(&mut self, interrupt: &Interrupt) -> anyhow::Result<Option<Position>> {
        self.read(|waiting| interrupt.set_idle(waiting))
    }

    fn answer(&mut self, answer: Answer) -> anyhow::Result<()> {
        self.write(&answer)
    }

    fn refuse(&mut self, refusal: Refusal) -> anyhow::Result<Exit> {
        self.write_error(&refusal.reason)?;
        Ok(Exit::Done)
    }
}
