//! Making moves: the fast kernels and the plain engine, on positions of random games.

#[path = "common/positions.rs"]
mod positions;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sowbase::board::{ChainLap, Game, RelayLap, Ring, SingleLap};
use sowbase::rules::{self, Rules};

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

fn sowing<K: Game>(criterion: &mut Criterion, name: &str, rules: &Rules, kernel: &K) {
    let positions = positions::played(rules, 4096);
    let words: Vec<_> = positions.iter().map(|position| kernel.pack(position)).collect();
    let ring = Ring::new(rules).expect("a game of this kind");

    let mut group = criterion.benchmark_group(format!("sowing {}", rules.name()));
    group.throughput(Throughput::Elements(every_move(kernel, &words)));
    group.bench_function(format!("{name} kernel"), |b| b.iter(|| every_move(kernel, &words)));
    group.bench_function("plain ring", |b| b.iter(|| every_move(&ring, &positions)));
}

fn kalah(criterion: &mut Criterion) {
    let rules = positions::kalah();
    sowing(criterion, "single-lap", &rules, &SingleLap::new(&rules).expect("a game of this kind"));
}

fn oware(criterion: &mut Criterion) {
    for name in ["oware", "awari"] {
        let rules = rules::game(name).expect("a named game");
        sowing(criterion, "chain-lap", &rules, &ChainLap::new(&rules).expect("a game of this kind"));
    }
}

fn relays(criterion: &mut Criterion) {
    for name in ["congklak", "sadeqa-iii", "pallanguzhi"] {
        let rules = rules::game(name).expect("a named game");
        sowing(criterion, "relay", &rules, &RelayLap::new(&rules).expect("a game of this kind"));
    }
}

criterion_group!(benches, kalah, oware, relays);
criterion_main!(benches);
