//! Solving Kalah(6,3) from its start with the layers up to 9 seeds, one thread and an empty table
//! of 64 MiB; a search visits the same positions every time, and the rate counts them.

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sowbase::board::{Game, Position, SingleLap};
use sowbase::control::Control;
use sowbase::retrograde::Layers;
use sowbase::rules;
use sowbase::search::{Resources, Solver};

const LAYERS: u32 = 10;

fn searching(criterion: &mut Criterion) {
    let rules = rules::game("kalah:6x3").expect("a named game");
    let control = Control::default();
    let mut layers = Layers::new(&rules, LAYERS - 1).expect("a game of this kind");
    while layers.next() < LAYERS {
        layers.build_next(&control).expect("nobody stops it");
    }
    let game = SingleLap::new(&rules).expect("a game of this kind");
    let start = game.pack(&Position::start(&rules));
    let resources = Resources::new(1, 64 << 20);
    let solver = || {
        let solver = Solver::new(game.clone(), layers.values(), rules.start_seeds(), &resources);
        solver.expect("numbers of 64 bits")
    };
    let first = solver();
    assert_eq!(first.solve(&start, &control).value(), Some(2));

    let mut group = criterion.benchmark_group("searching");
    group.throughput(Throughput::Elements(first.nodes())).sample_size(10).sampling_mode(SamplingMode::Flat);
    group.bench_function("kalah:6x3", |b| {
        b.iter_batched(solver, |solver| (solver.solve(&start, &control), solver), BatchSize::PerIteration)
    });
}

criterion_group!(benches, searching);
criterion_main!(benches);
