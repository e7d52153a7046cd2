//! How many times faster the row builders are than building position by position.
//!
//! `cargo bench --bench ratio -- 22` builds all layers of Kalah up to 22 seeds in each way (14 without a
//! number), `cargo bench --bench ratio -- awari 16` those of another game. Each way runs three times, or
//! once if that takes more than ten seconds; the fastest run counts.

#[path = "common/positions.rs"]
mod positions;
#[path = "common/textbook.rs"]
mod textbook;

use std::time::{Duration, Instant};

use rayon::ThreadPool;
use sowbase::board::SingleLap;
use sowbase::control::Control;
use sowbase::retrograde::Layers;
use sowbase::rules::{self, Rules};
use textbook::Textbook;

fn main() {
    // Cargo passes flags of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let top = words.iter().find_map(|word| word.parse().ok()).unwrap_or(14);
    let rules = match words.iter().find(|word| word.parse::<u32>().is_err()) {
        Some(name) => rules::game(name).expect("a named game"),
        None => positions::kalah(),
    };
    if SingleLap::new(&rules).is_ok() {
        measure(&rules, top, || Textbook::acyclic(&rules, top));
    } else {
        measure(&rules, top, || Textbook::cyclic(&rules, top));
    }
}

fn measure<G>(rules: &Rules, top: u32, textbook: impl Fn() -> Textbook<G>) {
    let layers = Layers::new(rules, top).expect("a game of this kind");
    let positions: u64 = (0..=top).map(|seeds| layers.numbering().layer(seeds).size()).sum();
    println!("{}, layers 0 to {top}: {positions} positions", rules.title());

    // In a virtual machine the first touch of memory can cost more than all the work: let nobody
    // pay for it who happens to come first.
    let memory = 2 * Layers::memory(rules, top).expect("a game of this kind") as usize;
    drop(std::hint::black_box(vec![1_u8; memory]));

    let (pool, other_pool, both) = (threads(1), threads(1), threads(2));
    let (textbook, book) = fastest(textbook);
    let report = |name: &str, builds: u64, time: Duration| {
        let rate = (builds * positions) as f64 / time.as_secs_f64();
        let ratio = rate * textbook.as_secs_f64() / positions as f64;
        println!("{name:<36} {:>9.3} s {:>8.2} million/s {ratio:>7.1}x", time.as_secs_f64(), rate / 1e6);
    };
    report("position by position, one thread", 1, textbook);
    let (time, layers) = fastest(|| rows(rules, top, &pool));
    report("rows, one thread", 1, time);
    for seeds in 0..=top {
        let same = layers.layer(seeds).iter().copied().eq(book.layer(seeds));
        assert!(same, "both ways give the same values with {seeds} seeds");
    }
    drop((layers, book));
    report("rows, two threads", 1, fastest(|| rows(rules, top, &both)).0);
    let side_by_side = || {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| rows(rules, top, &other_pool));
            (rows(rules, top, &pool), other.join().expect("no panic"))
        })
    };
    report("rows, two builds of one thread each", 2, fastest(side_by_side).0);
}

fn threads(count: usize) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("the system grants threads")
}

fn rows(rules: &Rules, top: u32, pool: &ThreadPool) -> Layers {
    let mut layers = Layers::new(rules, top).expect("a game of this kind");
    while layers.next() <= top {
        pool.install(|| layers.build_next(&Control::default())).expect("nobody stops it");
    }
    layers
}

/// The shortest time of some runs, and a result.
fn fastest<T>(run: impl Fn() -> T) -> (Duration, T) {
    let timed = || {
        let begun = Instant::now();
        let result = run();
        (begun.elapsed(), result)
    };
    let (mut shortest, mut result) = timed();
    if shortest < Duration::from_secs(10) {
        for _ in 0..2 {
            // Two results at once would need twice the memory.
            drop(result);
            let time;
            (time, result) = timed();
            shortest = shortest.min(time);
        }
    }
    (shortest, result)
}
