//! `sowbase moves`: the legal moves of a position.

use clap::Args;
use sowbase::board::{Game, Outcome, Overlong, PlainRings, Position, Ring};
use sowbase::rules::Rules;

use crate::cli::batch::Batch;
use crate::cli::game::GameArgs;
use crate::cli::options::Common;
use crate::cli::text::answer::{Answer, MoveAnswer, Worth};
use crate::cli::text::drawing::BoardArgs;
use crate::cli::text::output::{Exit, print_json, print_styled};

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
        // The plain engines play every position.
        match rules.four_rows() {
            None => self.answer(&rules, &Ring::new(&rules)?, common),
            Some(_) => self.answer(&rules, &PlainRings::new(&rules)?, common),
        }
    }

    fn answer(self, rules: &Rules, game: &impl Game, common: &Common) -> anyhow::Result<Exit> {
        if self.position == "-" {
            let mut batch = Batch::new(rules);
            while let Some(position) = batch.read(|_| {})? {
                match answer(game, &position) {
                    Ok(answer) => batch.write(&answer)?,
                    Err(overlong) => batch.write_error(&overlong.to_string())?,
                }
            }
            return Ok(Exit::Done);
        }
        let position = Position::parse(rules, &self.position)?;
        let mut answer = answer(game, &position)?;
        answer.board = self.board.drawing(rules, &position, common);
        if common.json {
            print_json(&answer)?
        } else {
            print_styled(&answer.text())?
        }
        Ok(Exit::Done)
    }
}

/// The moves of a position.
fn answer(game: &impl Game, position: &Position) -> Result<Answer, Overlong> {
    let mut answer = Answer::new(game.rules(), position);
    let packed = game.pack(position);
    answer.value = game.end_value(&packed).map(|value| match game.rules().four_rows() {
        None => Worth::Points(position.lead() + value),
        Some(_) => Worth::Outcome(Outcome::of_sign(value)),
    });
    let mut moves = Vec::new();
    game.for_each_move(&packed, |played| moves.push(MoveAnswer::new(game, position, &played)));
    answer.moves = Some(moves);
    game.check_laps().map(|()| answer)
}
