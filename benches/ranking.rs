//! Numbering half boards, on rows of random games.

#[path = "common/positions.rs"]
mod positions;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sowbase::board::{Game, Row, SingleLap};
use sowbase::index::HalfBoards;

fn ranking(criterion: &mut Criterion) {
    let rules = positions::kalah();
    let positions = positions::played(&rules, 4096);
    let kernel = SingleLap::new(&rules).expect("a game of this kind");
    let rows: Vec<Row> = positions.iter().map(|position| position.own).collect();
    let words: Vec<u64> = positions.iter().map(|position| kernel.pack(position).own).collect();
    let pits = usize::from(rules.pits());
    let half_boards = HalfBoards::new(pits, rules.start_seeds()).expect("numbers of 64 bits");
    let halves: Vec<_> = rows.iter().map(|row| half_boards.rank(row)).collect();

    let mut group = criterion.benchmark_group("ranking");
    group.throughput(Throughput::Elements(rows.len() as u64));
    group.bench_function("rank_packed", |b| {
        b.iter(|| words.iter().for_each(|&word| _ = black_box(half_boards.rank_packed(word))))
    });
    group.bench_function("rank", |b| {
        b.iter(|| rows.iter().for_each(|row| _ = black_box(half_boards.rank(row))))
    });
    group.bench_function("unrank", |b| {
        let mut row = Row::empty(pits);
        b.iter(|| halves.iter().for_each(|&half| half_boards.unrank(half, black_box(&mut row))))
    });
}

criterion_group!(benches, ranking);
criterion_main!(benches);
