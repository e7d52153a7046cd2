//! Values of random positions from mapped files: those of the highest layer, with 12 seeds or as
//! many as `SOWBASE_BENCH_LAYERS` says.

#[path = "common/positions.rs"]
mod positions;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sowbase::board::{Game, SingleLap};
use sowbase::control::Control;
use sowbase::index::Numbered;
use sowbase::tables::{Access, BuildPlan, TableSet, build};

fn probing(criterion: &mut Criterion) {
    let rules = positions::kalah();
    let top = positions::highest_layer(12);
    let folder = tempfile::tempdir().expect("room for tables");
    let plan = BuildPlan::new(&rules, top, folder.path());
    build(&plan, &Control::default(), |_| ()).expect("a game of this kind");
    // SAFETY: nobody else knows the folder.
    let access = unsafe { Access::map() };
    let tables = TableSet::open_with(&[folder.path().into()], &rules, access).expect("the tables just built");
    let values = tables.values();

    let positions = positions::of_layer(tables.numbering(), top, 1 << 18);
    let game = SingleLap::new(&rules).expect("a game of this kind");
    let words: Vec<_> = positions.iter().map(|position| game.pack(position)).collect();
    let layer = tables.numbering().layer(top);

    let mut group = criterion.benchmark_group("probing");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(format!("TableSet::probe, {top} seeds"), |b| {
        b.iter(|| {
            positions.iter().for_each(|position| _ = black_box(tables.probe(position).expect("covered")))
        })
    });
    group.bench_function(format!("Values of packed positions, {top} seeds"), |b| {
        b.iter(|| {
            for word in &words {
                let halves = game.halves(tables.numbering().half_boards(), word);
                black_box(values.value(top, layer.index(&halves)));
            }
        })
    });
}

criterion_group!(benches, probing);
criterion_main!(benches);
