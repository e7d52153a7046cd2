//! `sowbase solve --first-turn`: the most seeds that one turn can bring.

use std::time::{Duration, Instant};

use anyhow::bail;
use serde::Serialize;
use sowbase::board::Position;
use sowbase::index::Numbered;
use sowbase::retrograde::has_layers;
use sowbase::rules::{ExtraMove, Rules};
use sowbase::search::{BestTurn, best_turn};

use super::game::WithKernel;
use super::interrupt::Interrupt;
use super::options::Common;
use super::text::answer::Answer;
use super::text::output::{Exit, print_json, print_styled};
use super::text::progress::Progress;

/// Time after which the search ends, unless `--time` says another one.
const TIME: Duration = Duration::from_secs(60);

/// One question.
pub struct FirstTurn<'a> {
    pub rules: &'a Rules,
    pub position: Position,
    /// The drawing for the text.
    pub board: Option<String>,
    pub time: Option<Duration>,
    pub common: &'a Common,
}

impl WithKernel for FirstTurn<'_> {
    type Output = anyhow::Result<Exit>;

    fn run<G: Numbered>(self, game: G) -> anyhow::Result<Exit> {
        self.common.refuse_tables("a turn is searched and needs no values")?;
        if self.rules.switches().is_none_or(|s| s.extra_move == ExtraMove::None) {
            bail!(
                "no move of {} earns an extra move, so a turn is one move; leave out --first-turn",
                self.rules.title()
            );
        }
        if !has_layers(self.rules) {
            bail!("--first-turn knows no quan cells; leave it out for {}", self.rules.title());
        }
        let begun = Instant::now();
        let bytes = self.common.memory()?;
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        control.set_deadline(begun.checked_add(self.time.unwrap_or(TIME)));
        let turn = {
            let _progress = Progress::start(&control, self.common.quiet);
            best_turn(&game, &self.position, bytes, &control)?
        };
        game.check_laps()?;
        let mut answer = Answer::new(self.rules, &self.position);
        answer.board = self.board;
        answer.set_effort(turn.states, begun.elapsed());
        answer.first_turn = Some(TurnAnswer::new(&turn));
        if self.common.json {
            print_json(&answer)?;
        } else {
            print_styled(&answer.text())?;
        }
        Ok(interrupt.exit())
    }
}

/// What is known of the best turn. The order of the fields is that of the JSON keys.
#[derive(Serialize)]
pub struct TurnAnswer {
    captured: u32,
    upper: u32,
    of: u32,
    proven: bool,
    moves: Vec<String>,
}

impl TurnAnswer {
    fn new(turn: &BestTurn) -> TurnAnswer {
        TurnAnswer {
            captured: turn.captured,
            upper: turn.upper,
            of: turn.of,
            proven: turn.is_proven(),
            moves: turn.moves.iter().map(ToString::to_string).collect(),
        }
    }

    /// The text for people.
    pub fn text(&self) -> String {
        let TurnAnswer { captured, upper, of, moves, .. } = self;
        let most = match self.proven {
            true => {
                format!("The first turn can bring {captured} of the {of} seeds in the pits, proven most.")
            }
            false => format!(
                "The first turn can bring at least {captured} of the {of} seeds in the pits, and at most {upper}."
            ),
        };
        match moves[..] {
            [] => format!("{most}\n"),
            _ => format!("{most}\n\nMoves: {}\n", moves.join(" ")),
        }
    }
}
