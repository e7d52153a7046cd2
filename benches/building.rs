//! Building all layers up to 14 seeds, or as many as `SOWBASE_BENCH_LAYERS` says: the row builder
//! with one and two threads, and position by position.

#[path = "common/positions.rs"]
mod positions;
#[path = "common/textbook.rs"]
mod textbook;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sowbase::control::Control;
use sowbase::retrograde::Layers;
use sowbase::rules::Rules;
use textbook::Textbook;

fn rows(rules: &Rules, top: u32) -> Layers {
    let mut layers = Layers::new(rules, top).expect("a game of this kind");
    while layers.next() <= top {
        layers.build_next(&Control::default()).expect("nobody stops it");
    }
    layers
}

fn building(criterion: &mut Criterion) {
    let rules = positions::kalah();
    let top = positions::highest_layer(14);
    let layers = Layers::new(&rules, top).expect("a game of this kind");
    let count = (0..=top).map(|seeds| layers.numbering().layer(seeds).size()).sum();

    let mut group = criterion.benchmark_group("building");
    group.throughput(Throughput::Elements(count)).sample_size(10).sampling_mode(SamplingMode::Flat);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("the system grants threads");
        group.bench_function(format!("rows up to {top} seeds, threads: {threads}"), |b| {
            b.iter_with_large_drop(|| pool.install(|| rows(&rules, top)))
        });
    }
    group.bench_function(format!("position by position up to {top} seeds"), |b| {
        b.iter_with_large_drop(|| Textbook::build(&rules, top))
    });
}

criterion_group!(benches, building);
criterion_main!(benches);
