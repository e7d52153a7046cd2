//! A solver with tables opened by reads says what one says that maps them: from tables, above them, and with little
//! memory to load them into.

#[path = "common/access.rs"]
mod access;
#[path = "common/layers.rs"]
mod layers;

use std::path::Path;

use access::MAPPED;
use layers::game;
use sowbase::Solver;
use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::rules::Rules;
use sowbase::solve::{Answer, Means, Question, SolveError, Source, TableSource};
use sowbase::tables::{Access, BuildPlan, build};

const MEMORY: u64 = 64 << 20;

fn solver(dir: &Path, rules: &Rules, access: Access, memory: u64) -> Solver {
    let mut means = Means::default()
        .with_threads(1)
        .with_memory(memory)
        .with_tables(TableSource::Folders(vec![dir.into()]));
    means.access = access;
    Solver::new(rules.clone(), means).unwrap()
}

/// What is proven. What else is told may depend on the layers that a search found time to build.
fn said(answer: Result<Answer, SolveError>) -> String {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return error.to_string(),
    };
    let moves = answer.moves.iter().flatten().map(|entry| (entry.choice.to_string(), entry.value));
    let mut moves: Vec<_> = moves.map(|entry| format!("{entry:?}")).collect();
    moves.sort();
    let Answer { value, lower, upper, cycle_bounds, .. } = answer;
    format!("{value:?} {lower:?} {upper:?} {cycle_bounds:?} {moves:?}")
}

/// Asks the same of both, with and without search.
fn compare(text: &str, up_to: u32, bounds: bool, seeds: &[u32]) {
    let rules = game(text);
    let dir = tempfile::tempdir().unwrap();
    build(&BuildPlan::new(&rules, up_to, dir.path()).bounds(bounds), &Control::default(), |_| ()).unwrap();
    let [maps, reads] = [MAPPED, Access::Read].map(|access| solver(dir.path(), &rules, access, MEMORY));
    let numbering = Numbering::new(rules.pits().into(), *seeds.last().unwrap()).unwrap();
    for &seeds in seeds {
        let size = numbering.layer(seeds).size();
        for index in (0..size).step_by((size / 7 + 1) as usize) {
            let question = Question::new(numbering.position(seeds, index));
            let value_only = question.clone().value_only();
            let value_only = Some(value_only).filter(|_| rules.get("cycle").as_deref() != Some("own-side"));
            for question in [question.clone(), question.without_search()].into_iter().chain(value_only) {
                let [maps, reads] =
                    [&maps, &reads].map(|solver| said(solver.ask(&question, &Control::default())));
                assert_eq!(maps, reads, "{text}, {}", question.position);
            }
        }
    }
}

#[test]
fn answers_do_not_depend_on_how_tables_are_read() {
    compare("kalah:4x3", 6, false, &[0, 3, 6, 7, 9]);
    compare("oware:3x3", 5, false, &[0, 2, 5, 6, 7]);
    compare("oware:3x3", 5, true, &[2, 5]);
    // Bounds that do not meet: a search for more of the value alone, or above these tables, does not end by itself.
    compare("oware:3x3 cycle=own-side", 5, true, &[2, 5]);
}

#[test]
fn a_search_uses_the_layers_that_were_read() {
    let rules = game("kalah:4x3");
    let dir = tempfile::tempdir().unwrap();
    build(&BuildPlan::new(&rules, 10, dir.path()), &Control::default(), |_| ()).unwrap();
    let position = Position::parse(&rules, "3 1 0 2 / 2 1 0 2").unwrap();
    let question = Question::new(position).value_only();
    let nodes = |access| {
        let answer = solver(dir.path(), &rules, access, MEMORY).ask(&question, &Control::default()).unwrap();
        assert_eq!(answer.source, Some(Source::Search));
        (answer.value, answer.nodes)
    };
    assert_eq!(nodes(MAPPED), nodes(Access::Read));
}

#[test]
fn layers_that_do_not_fit_are_searched_instead() {
    let rules = game("kalah:4x3");
    let dir = tempfile::tempdir().unwrap();
    build(&BuildPlan::new(&rules, 8, dir.path()), &Control::default(), |_| ()).unwrap();
    let maps = solver(dir.path(), &rules, MAPPED, MEMORY);
    // Half of it holds the layers up to 5 seeds.
    let reads = solver(dir.path(), &rules, Access::Read, 4000);
    let numbering = Numbering::new(4, 8).unwrap();
    for index in (0..numbering.layer(8).size()).step_by(1000) {
        let question = Question::new(numbering.position(8, index));
        let [maps, reads] = [&maps, &reads].map(|solver| solver.ask(&question, &Control::default()).unwrap());
        assert_eq!(maps.value, reads.value, "{}", question.position);
    }
}
