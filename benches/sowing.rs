//! Making moves: the fast kernel and the plain engine, on positions of random games.

#[path = "common/positions.rs"]
mod positions;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sowbase::board::{Game, Ring, SingleLap};

fn every_move<G: Game>(game: &G, positions: &[G::Position]) -> u64 {
    let mut moves = 0;
    for position in positions {
        game.for_each_move(position, |played| {
            black_box(played);
            moves += 1;
        });
    }
    moves
}

fn sowing(criterion: &mut Criterion) {
    let rules = positions::kalah();
    let positions = positions::played(&rules, 4096);
    let kernel = SingleLap::new(&rules).expect("a game of this kind");
    let words: Vec<_> = positions.iter().map(|position| kernel.pack(position)).collect();
    let ring = Ring::new(&rules).expect("a game of this kind");

    let mut group = criterion.benchmark_group("sowing");
    group.throughput(Throughput::Elements(every_move(&kernel, &words)));
    group.bench_function("single-lap kernel", |b| b.iter(|| every_move(&kernel, &words)));
    group.bench_function("plain ring", |b| b.iter(|| every_move(&ring, &positions)));
}

criterion_group!(benches, sowing);
criterion_main!(benches);
