//! `sowbase perft`: counts move sequences, a check on move generators.

use anyhow::anyhow;
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use sowbase::board::{Position, perft};
use sowbase::control::Control;
use sowbase::index::Numbered;
use sowbase::rules::Rules;

use crate::cli::game::{GameArgs, WithKernel, with_kernel};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, counted, print, print_json};
use crate::cli::text::progress::Progress;

/// Plies from the root at which the threads share the work.
const SHARED: u32 = 3;

/// The number of move sequences of each length
#[derive(Args)]
pub struct Perft {
    #[command(flatten)]
    game: GameArgs,
    /// Longest sequences to count, in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000), allow_negative_numbers = true)]
    depth: u32,
    /// The position to begin with
    #[arg(long, value_name = "POSITION", default_value = "start")]
    position: String,
}

impl Perft {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("perft counts moves and needs no values")?;
        let rules = self.game.rules()?;
        let position = Position::parse(&rules, &self.position)?;
        let work = PerftWork { rules: &rules, position: &position, depth: self.depth, common };
        with_kernel(&rules, Some(&position), work)?
    }
}

struct PerftWork<'a> {
    rules: &'a Rules,
    position: &'a Position,
    depth: u32,
    common: &'a Common,
}

impl WithKernel for PerftWork<'_> {
    type Output = anyhow::Result<Exit>;

    fn run<G: Numbered>(self, game: G) -> anyhow::Result<Exit> {
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let root = game.pack(self.position);
        let mut counts = Vec::new();
        let mut failed = None;
        for depth in 1..=self.depth {
            let counted = {
                let _progress = Progress::start(&control, self.common.quiet);
                count(&game, &root, depth, &control)
            };
            if let Err(error) = game.check_laps() {
                failed = Some(anyhow!("the sequences of {} are not counted: {error}", plies(depth)));
                break;
            }
            match counted {
                Some(count) => counts.push(count),
                None if control.is_stopped() => break,
                None => {
                    failed = Some(anyhow!(
                        "there are more than 2^64 sequences of {}; ask for a smaller depth",
                        plies(depth)
                    ));
                    break;
                }
            }
            if !self.common.json {
                print(&format!("{depth} {}\n", counts[counts.len() - 1]))?;
            }
        }
        if self.common.json {
            let (game, id, position) =
                (self.rules.title(), self.rules.id(), self.position.to_text(self.rules));
            print_json(&json!({ "game": game, "rules": id, "position": position, "counts": counts }))?;
        }
        failed.map_or(Ok(interrupt.exit()), Err)
    }
}

fn plies(depth: u32) -> String {
    counted(depth.into(), "ply", "plies")
}

/// Sequences of exactly `depth` plies, counted by all threads.
fn count<G: Numbered>(game: &G, root: &G::Position, depth: u32, control: &Control) -> Option<u64> {
    let keep_on = || !control.is_stopped();
    if depth <= SHARED {
        return perft(game, root, depth, &keep_on);
    }
    let mut positions = vec![*root];
    for _ in 0..SHARED {
        let mut next = Vec::new();
        for position in &positions {
            game.for_each_move(position, |played| next.push(played.next));
        }
        positions = next;
    }
    control.begin(format!("sequences of {}", plies(depth)), positions.len() as u64);
    positions
        .par_iter()
        .map(|position| {
            let counted = perft(game, position, depth - SHARED, &keep_on);
            control.advance(1);
            counted
        })
        .try_reduce(|| 0, u64::checked_add)
}
