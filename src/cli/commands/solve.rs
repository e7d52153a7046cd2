//! `sowbase solve`: the exact value of a game.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use sowbase::Solver;
use sowbase::board::Position;
use sowbase::rules::Rules;

use super::query::Once;
use crate::cli::game::GameArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Common;
use crate::cli::session::{SearchArgs, answer_all};
use crate::cli::text::answer::Answer;
use crate::cli::text::drawing::BoardArgs;
use crate::cli::text::output::{Exit, print_json, print_styled};
use crate::cli::text::progress::Progress;
use crate::cli::text::turn::TurnAnswer;

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
            return best_turn(rules, position, board, self.search.time, common);
        }
        let asker = Once { position: Some(position), board, json: common.json };
        let search = SearchArgs { proof: self.proof, ..self.search };
        answer_all(&rules, &search, common, asker)
    }
}

/// The most seeds that one turn can bring.
fn best_turn(
    rules: Rules,
    position: Position,
    board: Option<String>,
    time: Option<Duration>,
    common: &Common,
) -> anyhow::Result<Exit> {
    common.refuse_tables("a turn is searched and needs no values")?;
    let begun = Instant::now();
    let interrupt = Interrupt::listen()?;
    let control = interrupt.control();
    control.set_deadline(time.and_then(|time| begun.checked_add(time)));
    let solver = Solver::new(rules, common.means(true)?)?;
    let turn = {
        let _progress = Progress::start(&control, common.quiet);
        solver.best_turn(&position, &control)?
    };
    let mut answer = Answer::new(solver.rules(), &position);
    answer.board = board;
    answer.set_effort(turn.states, begun.elapsed());
    answer.first_turn = Some(TurnAnswer::new(&turn));
    if common.json {
        print_json(&answer)?;
    } else {
        print_styled(&answer.text())?;
    }
    Ok(interrupt.exit())
}
