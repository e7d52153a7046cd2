//! Building all layers of Kalah and of Awari, up to 14 and 10 seeds or as many as
//! `SOWBASE_BENCH_LAYERS` says: the row builders with one and two threads, and position by position.

#[path = "common/positions.rs"]
mod positions;
#[path = "common/textbook.rs"]
mod textbook;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sowbase::control::Control;
use sowbase::retrograde::Layers;
use sowbase::rules::{self, Rules};
use textbook::Textbook;

fn rows(rules: &Rules, top: u32) -> Layers {
    let mut layers = Layers::new(rules, top).expect("a game of this kind");
    while layers.next() <= top {
        layers.build_next(&Control::default()).expect("nobody stops it");
    }
    layers
}

fn building<G>(criterion: &mut Criterion, rules: &Rules, top: u32, textbook: fn(&Rules, u32) -> Textbook<G>) {
    let layers = Layers::new(rules, top).expect("a game of this kind");
    let count = (0..=top).map(|seeds| layers.numbering().layer(seeds).size()).sum();

    let mut group = criterion.benchmark_group(format!("building {}", rules.name()));
    group.throughput(Throughput::Elements(count)).sample_size(10).sampling_mode(SamplingMode::Flat);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("the system grants threads");
        group.bench_function(format!("rows up to {top} seeds, threads: {threads}"), |b| {
            b.iter_with_large_drop(|| pool.install(|| rows(rules, top)))
        });
    }
    group.bench_function(format!("position by position up to {top} seeds"), |b| {
        b.iter_with_large_drop(|| textbook(rules, top))
    });
}

fn kalah(criterion: &mut Criterion) {
    building(criterion, &positions::kalah(), positions::highest_layer(14), Textbook::acyclic);
}

fn awari(criterion: &mut Criterion) {
    let rules = rules::game("awari").expect("a named game");
    building(criterion, &rules, positions::highest_layer(10), Textbook::cyclic);
}

criterion_group!(benches, kalah, awari);
criterion_main!(benches);
