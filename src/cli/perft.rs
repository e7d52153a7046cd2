//! `sowbase perft`: counts move sequences, a check on move generators.

use anyhow::bail;
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use sowbase::board::{Position, perft};
use sowbase::control::Control;
use sowbase::index::Numbered;
use sowbase::rules::Rules;

use super::game::{GameArgs, WithKernel, with_kernel};
use super::interrupt::Interrupt;
use super::options::Common;
use super::output::{Exit, print, print_json};

/// Plies from the root at which the threads share the work.
const SHARED: u32 = 3;

/// The number of move sequences of each length
#[derive(Args)]
pub struct Perft {
    #[command(flatten)]
    game: GameArgs,
    /// Longest sequences to count, in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
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
        let work = Work { rules: &rules, position: &position, depth: self.depth, json: common.json };
        with_kernel(&rules, Some(&position), work)?
    }
}

struct Work<'a> {
    rules: &'a Rules,
    position: &'a Position,
    depth: u32,
    json: bool,
}

impl WithKernel for Work<'_> {
    type Output = anyhow::Result<Exit>;

    fn run<G: Numbered + Clone>(self, game: G) -> anyhow::Result<Exit> {
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let root = game.pack(self.position);
        let mut counts = Vec::new();
        for depth in 1..=self.depth {
            let counted = count(&game, &root, depth, &control);
            game.check_laps()?;
            match counted {
                Some(count) => counts.push(count),
                None if control.is_stopped() => break,
                None => bail!("there are more than 2^64 sequences of {depth} plies; ask for a smaller depth"),
            }
            if !self.json {
                print(&format!("{depth} {}\n", counts[counts.len() - 1]))?;
            }
        }
        if self.json {
            let (game, id, position) =
                (self.rules.title(), self.rules.id(), self.position.to_text(self.rules));
            print_json(&json!({ "game": game, "rules": id, "position": position, "counts": counts }))?;
        }
        Ok(interrupt.exit())
    }
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
    positions
        .par_iter()
        .map(|position| perft(game, position, depth - SHARED, &keep_on))
        .try_reduce(|| 0, u64::checked_add)
}
