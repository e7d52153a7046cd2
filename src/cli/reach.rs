//! Answering positions of games without layers from all that can follow.

use std::time::{Duration, Instant};

use sowbase::board::{Game, Position, Ring};
use sowbase::retrograde::{Means, Outlook, Unexplored, solve_reachable};
use sowbase::rules::Rules;
use sowbase::search::Bounds;

use super::answer::{Answer, MoveAnswer, Source};
use super::interrupt::Interrupt;
use super::options::{Common, count_text};
use super::output::Exit;
use super::plan::REPEATING_SEARCH;
use super::progress::Progress;
use super::session::{Asker, Refusal, SearchArgs, terminal};

/// Answers everything that an asker asks about a game without layers.
pub fn answer_all(
    rules: &Rules,
    args: &SearchArgs,
    common: &Common,
    interrupt: &Interrupt,
    mut asker: impl Asker,
) -> anyhow::Result<Exit> {
    let game = Ring::new(rules)?;
    let memory = common.memory()?;
    let mut exit = Exit::Done;
    while let Some(position) = asker.next(interrupt)? {
        let begun = Instant::now();
        if let Some(value) = game.end_value(&game.pack(&position)) {
            let mut answer = terminal(rules, args, &position, value);
            answer.set_effort(0, begun.elapsed());
            asker.answer(answer)?;
            continue;
        }
        if args.no_search {
            let reason = format!(
                "{} has no tables, as captured seeds come back; ask without --no-search",
                rules.title()
            );
            exit = asker.refuse(Refusal { reason, exit: Exit::Negative })?;
            continue;
        }
        // The rest of the time is for the proof.
        let time = args.time.unwrap_or(Duration::from_secs_f64(REPEATING_SEARCH));
        let means = Means { memory, until: begun.checked_add(time / 2) };
        match answer(&game, args, common, interrupt, &position, &means) {
            Ok(mut answer) => {
                answer.seconds = Some((begun.elapsed().as_secs_f64() * 1e6).round() / 1e6);
                asker.answer(answer)?;
            }
            Err(Unexplored::Stopped(_)) => {
                let reason = "stopped before anything was proven".into();
                asker.refuse(Refusal { reason, exit: interrupt.exit() })?;
            }
            Err(error) => exit = asker.refuse(Refusal { reason: error.to_string(), exit: Exit::Refused })?,
        }
        if interrupt.was_hit() {
            return Ok(interrupt.exit());
        }
    }
    Ok(exit)
}

fn answer(
    game: &Ring,
    args: &SearchArgs,
    common: &Common,
    interrupt: &Interrupt,
    position: &Position,
    means: &Means,
) -> Result<Answer, Unexplored> {
    let control = interrupt.control();
    let found = {
        let _progress = Progress::start(&control, common.quiet);
        solve_reachable(game, &game.pack(position), means, &control)?
    };
    let mut answer = Answer::new(game.rules(), position);
    answer.source = Some(Source::Search);
    let with_stores = |outlook: Outlook| {
        let shift = |bound: Option<i32>| bound.map(|bound| bound + position.lead());
        (shift(outlook.lower), shift(outlook.upper))
    };
    match with_stores(found.outlook) {
        (Some(lower), Some(upper)) => answer.set_bounds(Bounds { lower, upper }),
        (lower, upper) => (answer.lower, answer.upper) = (lower, upper),
    }
    if !args.value_only {
        let mut moves = found.moves;
        let low = |bound: Option<i32>| bound.unwrap_or(i32::MIN);
        moves.sort_by_key(|(_, outlook)| std::cmp::Reverse((low(outlook.lower), low(outlook.upper))));
        let entries = moves.iter().map(|(played, outlook)| {
            let mut entry = MoveAnswer::new(game, position, played);
            match with_stores(*outlook) {
                (Some(lower), Some(upper)) => entry.set_bounds(Bounds { lower, upper }),
                (lower, upper) => (entry.lower, entry.upper) = (lower, upper),
            }
            entry
        });
        answer.moves = Some(entries.collect());
    }
    let count = count_text(found.states as f64);
    answer.outlook = Some(if found.is_complete {
        format!("It rests on all {count} positions that can follow.\n")
    } else {
        format!(
            "It rests on {count} of the positions that can follow; more --memory and --time look at more.\n"
        )
    });
    answer.nodes = Some(found.states as u64);
    Ok(answer)
}
