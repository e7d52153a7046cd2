//! Answering positions of games without layers from all that can follow.

use std::time::{Duration, Instant};

use sowbase::board::{Game, Overlong, Position, Ring};
use sowbase::rules::Rules;
use sowbase::search::{Allowance, Proven, solve_reachable};

use super::interrupt::Interrupt;
use super::options::{Common, count_text};
use super::plan::REPEATING_SEARCH;
use super::session::{Asker, Refusal, SearchArgs, terminal};
use super::text::answer::{Answer, MoveAnswer, Source};
use super::text::output::Exit;
use super::text::progress::Progress;

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
        let allowance = Allowance { memory, until: begun.checked_add(time / 2) };
        match answer(&game, args, common, interrupt, &position, &allowance) {
            Ok((mut answer, states)) => {
                answer.set_effort(states, begun.elapsed());
                asker.answer(answer)?;
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
    allowance: &Allowance,
) -> Result<(Answer, u64), Overlong> {
    let control = interrupt.control();
    let found = {
        let _progress = Progress::start(&control, common.quiet);
        solve_reachable(game, &game.pack(position), allowance, &control)?
    };
    let mut answer = Answer::new(game.rules(), position);
    answer.source = Some(Source::Search);
    let with_stores = |proven: Proven| {
        let shift = |bound: Option<i32>| bound.map(|bound| bound + position.lead());
        Proven { lower: shift(proven.lower), upper: shift(proven.upper) }
    };
    answer.set_proven(with_stores(found.proven));
    if !args.value_only {
        let mut moves = found.moves;
        let low = |bound: Option<i32>| bound.unwrap_or(i32::MIN);
        moves.sort_by_key(|(_, proven)| std::cmp::Reverse((low(proven.lower), low(proven.upper))));
        let entries = moves.iter().map(|(played, proven)| {
            let mut entry = MoveAnswer::new(game, position, played);
            entry.set_proven(with_stores(*proven));
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
    Ok((answer, found.states as u64))
}
