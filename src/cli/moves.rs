//! `sowbase moves`: the legal moves of a position.

use clap::Args;
use sowbase::board::Position;
use sowbase::index::Numbered;
use sowbase::rules::Rules;

use super::answer::{Answer, MoveAnswer};
use super::batch::Batch;
use super::drawing::BoardArgs;
use super::game::{GameArgs, WithKernel, with_kernel};
use super::options::Common;
use super::output::{Exit, print_json, print_styled};

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
        let work = Work { rules: &rules, position: &self.position, board: &self.board, common };
        with_kernel(&rules, work)?
    }
}

struct Work<'a> {
    rules: &'a Rules,
    position: &'a str,
    board: &'a BoardArgs,
    common: &'a Common,
}

impl WithKernel for Work<'_> {
    type Output = anyhow::Result<Exit>;

    fn run<G: Numbered + Clone>(self, game: G) -> anyhow::Result<Exit> {
        if self.position == "-" {
            let mut batch = Batch::new(self.rules);
            while let Some(position) = batch.read(|_| {})? {
                batch.write(&answer(&game, &position))?;
            }
            return Ok(Exit::Done);
        }
        let position = Position::parse(self.rules, self.position)?;
        let mut answer = answer(&game, &position);
        answer.board = self.board.drawing(self.rules, &position, self.common);
        if self.common.json {
            print_json(&answer)?
        } else {
            print_styled(&answer.text())?
        }
        Ok(Exit::Done)
    }
}

fn answer<G: Numbered>(game: &G, position: &Position) -> Answer {
    let mut answer = Answer::new(game.rules(), position);
    let packed = game.pack(position);
    answer.value = game.end_value(&packed).map(|value| position.lead() + value);
    let mut moves = Vec::new();
    game.for_each_move(&packed, |played| moves.push(MoveAnswer::new(game, position, &played)));
    answer.moves = Some(moves);
    answer
}
