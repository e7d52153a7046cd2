//! `sowbase perft`: counts move sequences, a check on move generators.

use anyhow::anyhow;
use clap::Args;
use serde_json::json;
use sowbase::Solver;
use sowbase::board::Position;

use crate::cli::game::GameArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, counted, print, print_json};
use crate::cli::text::progress::Progress;
use crate::cli::text::remedy::said;

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
        let solver = Solver::new(rules, common.means(true)?)?;
        let rules = solver.rules();
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let mut counts = Vec::new();
        let mut failed = None;
        for depth in 1..=self.depth {
            let counted = {
                let _progress = Progress::start(&control, common.quiet);
                solver.perft(&position, depth, &control)
            };
            match counted {
                Ok(Some(count)) => counts.push(count),
                Ok(None) if control.is_stopped() => break,
                Ok(None) => {
                    failed = Some(anyhow!(
                        "there are more than 2^64 sequences of {}; ask for a smaller depth",
                        plies(depth)
                    ));
                    break;
                }
                Err(error) => {
                    failed = Some(anyhow!(
                        "the sequences of {} are not counted: {}",
                        plies(depth),
                        said(&error.into())
                    ));
                    break;
                }
            }
            if !common.json {
                print(&format!("{depth} {}\n", counts[counts.len() - 1]))?;
            }
        }
        if common.json {
            let (game, id, position) = (rules.title(), rules.id(), position.to_text(rules));
            print_json(&json!({ "game": game, "rules": id, "position": position, "counts": counts }))?;
        }
        failed.map_or(Ok(interrupt.exit()), Err)
    }
}

fn plies(depth: u32) -> String {
    counted(depth.into(), "ply", "plies")
}
