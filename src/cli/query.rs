//! `sowbase query`: the exact value of positions.

use clap::Args;
use sowbase::board::Position;

use super::answer::Answer;
use super::batch::Batch;
use super::game::{GameArgs, with_kernel};
use super::interrupt::Interrupt;
use super::options::Common;
use super::output::{Exit, print, print_error, print_json};
use super::session::{Asker, Refusal, SearchArgs, Session};

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
}

impl Query {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        let rules = self.game.rules()?;
        let args = &self.search;
        if self.position == "-" {
            let asker = Batch::new(&rules);
            return with_kernel(&rules, Session { rules: &rules, args, common, asker })?;
        }
        let position = Position::parse(&rules, &self.position)?;
        let asker = Once { position: Some(position), json: common.json };
        with_kernel(&rules, Session { rules: &rules, args, common, asker })?
    }
}

/// Asks for one position.
pub struct Once {
    pub position: Option<Position>,
    pub json: bool,
}

impl Asker for Once {
    fn next(&mut self, _: &Interrupt) -> anyhow::Result<Option<Position>> {
        Ok(self.position.take())
    }

    fn answer(&mut self, answer: Answer) -> anyhow::Result<()> {
        if self.json { print_json(&answer) } else { print(&answer.text()) }
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
