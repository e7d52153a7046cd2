//! The one door of the library: answers of every kind of game, and ten ways to misuse it.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use sowbase::board::{Game, Position, PositionError, Ring, SingleLap};
use sowbase::control::Control;
use sowbase::retrograde::{Layers, Leaves};
use sowbase::rules;
use sowbase::search::{Learnt, Resources, Solver as Search};
use sowbase::solve::{Means, Question, Source, TableSource};
use sowbase::tables::TableSet;
use sowbase::{SolveError, Solver};

fn points(solver: &Solver, position: &Position) -> i32 {
    solver.solve(position).unwrap().value.and_then(|worth| worth.points()).unwrap()
}

fn small() -> Means {
    Means::default().with_memory(256 << 20).with_threads(2)
}

#[test]
fn one_type_answers_every_kind_of_game() {
    for (game, worth) in
        [("kalah:4x3", "6"), ("oware:3x2", "6"), ("congklak:3x3", "18"), ("omweso:3x1", "win")]
    {
        let solver = Solver::new(rules::game(game).unwrap(), small()).unwrap();
        let answer = solver.solve(&Position::start(solver.rules())).unwrap();
        let best = &answer.moves.as_ref().unwrap()[0];
        assert_eq!(answer.value, best.value, "{game}");
        if worth != "18" {
            assert_eq!(answer.to_string(), worth, "{game}");
        }
    }
    let solver = Solver::new(rules::game("o-an-quan:1x1").unwrap(), small()).unwrap();
    let answer = solver.solve(&Position::start(solver.rules())).unwrap();
    assert!(answer.lower.is_some() && answer.source == Some(Source::Search));
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let rules = rules::game("kalah:4x3").unwrap();
    let asked = Solver::new(rules.clone(), small()).unwrap();
    let searched =
        Solver::new(rules.clone(), small().with_tables(TableSource::Nothing).with_threads(1)).unwrap();
    let mut position = Position::start(&rules);
    for _ in 0..6 {
        let answer = asked.solve(&position).unwrap();
        assert_eq!(answer.value, searched.solve(&position).unwrap().value, "{position}");
        let value = |answer: &sowbase::solve::Answer| {
            let moves = answer.moves.iter().flatten();
            moves.map(|played| (played.choice.to_string(), played.value)).collect::<Vec<_>>()
        };
        assert_eq!(value(&answer), value(&searched.solve(&position).unwrap()), "{position}");
        position = answer.moves.unwrap()[0].next;
    }
}

// Ten ways to misuse it.

#[test]
fn a_position_of_another_board_is_refused() {
    let solver = Solver::new(rules::game("kalah:6x4").unwrap(), small()).unwrap();
    let other = Position::start(&rules::game("kalah:4x3").unwrap());
    assert!(matches!(solver.solve(&other), Err(SolveError::Position(_))));
    assert!(matches!(solver.moves(&other), Err(SolveError::Position(_))));
    assert!(matches!(solver.perft(&other, 2, &Control::default()), Err(SolveError::Position(_))));
    let four_rows = Position::start(&rules::game("omweso:3x1").unwrap());
    assert!(matches!(solver.solve(&four_rows), Err(SolveError::Position(_))));
}

#[test]
fn too_many_seeds_are_refused() {
    let rules = rules::game("kalah:3x3").unwrap();
    let solver = Solver::new(rules.clone(), small()).unwrap();
    let mut position = Position::start(&rules);
    position.own.fill(u16::MAX);
    assert!(matches!(solver.solve(&position), Err(SolveError::Position(_))));
    let refused: Result<Position, PositionError> = Position::new(&rules, &[1, 2], &[1, 2, 3], [0, 0]);
    assert!(refused.is_err());
}

#[test]
#[should_panic(expected = "belong to other rules")]
fn layers_of_other_rules_are_refused_by_a_search() {
    let (kalah, oware) = (rules::game("kalah:6x4").unwrap(), rules::game("oware:6x4").unwrap());
    let mut layers = Layers::new(&oware, 2).unwrap();
    while layers.next() <= 2 {
        layers.build_next(&Control::default()).unwrap();
    }
    let game = SingleLap::new(&kalah).unwrap();
    let _ = Search::new(game, layers.values(), 48, &Resources::new(1, 1 << 20));
}

#[test]
fn tables_of_other_rules_are_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let build = |game: &str| {
        let plan = sowbase::tables::BuildPlan::new(&rules::game(game).unwrap(), 3, dir.path());
        sowbase::tables::build(&plan, &Control::default(), |_| ()).unwrap().folder
    };
    let folder = build("oware:4x2");
    let means = small().with_tables(TableSource::Folders(vec![folder]));
    assert!(matches!(Solver::new(rules::game("kalah:4x2").unwrap(), means), Err(SolveError::Table(_))));
}

#[test]
fn layers_of_other_rules_are_not_taken_from_outside() {
    let (kalah, oware) = (rules::game("kalah:4x2").unwrap(), rules::game("oware:4x2").unwrap());
    let own_side = oware.clone().with("cycle", "own-side").unwrap();
    for (given, asked) in [(&oware, &kalah), (&oware, &own_side), (&own_side, &oware)] {
        let tables = TableSet::empty(given).unwrap();
        let refused = Solver::over(tables, asked.clone(), small());
        assert!(matches!(refused, Err(SolveError::OtherRules { .. })), "{given} {asked}");
    }
    assert!(Solver::over(TableSet::empty(&oware).unwrap(), oware, small()).is_ok());
}

#[test]
#[should_panic(expected = "belongs to other rules")]
fn what_was_learnt_under_another_worth_of_repetitions_is_refused() {
    let split = rules::game("oware:3x2").unwrap();
    let own_side = split.clone().with("cycle", "own-side").unwrap();
    let learnt = Arc::new(Learnt::new(&Ring::new(&split).unwrap(), 12, &Resources::new(1, 1 << 20)).unwrap());
    let _ = Search::resume(Ring::new(&own_side).unwrap(), Leaves::default(), learnt);
}

#[test]
fn rules_that_nobody_plays_are_refused() {
    let rules = rules::game("kalah").and_then(|rules| rules.with("chain", "yes")).unwrap();
    assert!(matches!(Solver::new(rules, small()), Err(SolveError::NoEngine(_))));
    assert!(matches!(Solver::of("chess"), Err(SolveError::Rules(_))));
}

#[test]
fn a_question_without_means_says_that_it_is_not_covered() {
    let solver = Solver::new(rules::game("kalah:4x3").unwrap(), small()).unwrap();
    let question = Question::start(solver.rules()).without_search();
    let refused = solver.ask(&question, &Control::default()).unwrap_err();
    assert!(matches!(refused, SolveError::NotCovered(_)) && refused.is_open(), "{refused}");
    let question = Question::start(solver.rules()).with_proof();
    assert!(matches!(solver.ask(&question, &Control::default()), Err(SolveError::ProofOfSeeds { .. })));
}

#[test]
fn another_thread_can_stop_a_question() {
    let solver = Arc::new(Solver::new(rules::game("kalah:6x6").unwrap(), small()).unwrap());
    let control = Arc::new(Control::default());
    let work = {
        let (solver, control) = (Arc::clone(&solver), Arc::clone(&control));
        thread::spawn(move || solver.ask(&Question::start(solver.rules()).value_only(), &control))
    };
    // The bounds so far are told while it works.
    while control.bounds().is_none() {
        thread::yield_now();
    }
    let begun = Instant::now();
    control.stop();
    let answer = work.join().unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(answer.value, None);
    let [lower, upper] = [answer.lower, answer.upper].map(|worth| worth.unwrap().points().unwrap());
    assert!(-72 <= lower && lower < upper && upper <= 72);
}

#[test]
fn an_answer_after_a_stop_says_what_is_proven_and_the_next_question_is_answered() {
    let solver = Solver::new(rules::game("kalah:4x3").unwrap(), small()).unwrap();
    let stopped = Control::default();
    stopped.stop();
    let start = Position::start(solver.rules());
    let answer = solver.ask(&Question::new(start), &stopped).unwrap();
    assert_eq!((answer.value, answer.line), (None, None));
    assert!(answer.lower.unwrap().points().unwrap() <= 6 && answer.upper.unwrap().points().unwrap() >= 6);
    assert_eq!(points(&solver, &start), 6);
}

#[test]
fn questions_of_several_threads_get_their_own_answers() {
    let solver = Solver::new(rules::game("kalah:4x3").unwrap(), small()).unwrap();
    let start = Position::start(solver.rules());
    let moves = solver.solve(&start).unwrap().moves.unwrap();
    thread::scope(|scope| {
        for played in &moves {
            let solver = &solver;
            scope.spawn(move || {
                let next = solver.solve(&played.next).unwrap().value.unwrap().points().unwrap();
                let value = played.value.unwrap().points().unwrap();
                assert_eq!(if played.again { next } else { -next }, value, "{}", played.choice);
            });
        }
    });
}

#[test]
fn a_turn_of_a_game_without_extra_moves_is_refused() {
    let control = Control::default();
    for game in ["oware:3x2", "omweso:3x1"] {
        let solver = Solver::new(rules::game(game).unwrap(), small()).unwrap();
        let start = Position::start(solver.rules());
        assert!(matches!(solver.best_turn(&start, &control), Err(SolveError::NoExtraMoves { .. })));
    }
}

#[test]
#[should_panic(expected = "is no position of two open rows")]
fn an_engine_refuses_to_pack_what_it_does_not_hold() {
    let game = SingleLap::new(&rules::game("kalah:6x4").unwrap()).unwrap();
    let other = Position::start(&rules::game("kalah:4x3").unwrap());
    assert!(game.try_pack(&other).is_err());
    game.pack(&other);
}
