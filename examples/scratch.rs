use sowbase::{control::Control, retrograde::Layers, rules::game};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "check" {
        for (g, top) in
            [("kalah:1x1", 20), ("kalah:2x1", 16), ("kalah:3x1", 11), ("kalah:4x1", 7), ("kalah:6x1", 5)]
        {
            for cap in ["cross", "none"] {
                for ec in ["no", "yes"] {
                    for tr in ["take", "leave"] {
                        for em in ["store", "store-or-capture", "none"] {
                            for end in ["row-empty", "stuck"] {
                                for rest in ["owner", "nobody", "emptied"] {
                                    for or in ["sow", "skip"] {
                                        let mut r = game(g).unwrap();
                                        for (k, v) in [
                                            ("capture", cap),
                                            ("empty-capture", ec),
                                            ("trigger", tr),
                                            ("extra-move", em),
                                            ("end", end),
                                            ("rest", rest),
                                            ("origin", or),
                                        ] {
                                            r.switches.set(k, v).unwrap();
                                        }
                                        let mut a = Layers::new(&r, top).unwrap();
                                        let mut b = Layers::new_general(&r, top).unwrap();
                                        let c = Control::default();
                                        for n in 0..=top {
                                            a.build_next(&c).unwrap();
                                            b.build_next(&c).unwrap();
                                            assert!(a.layer(n) == b.layer(n), "{g} {n} {:?}", r.canonical());
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            println!("{g} ok");
        }
        return;
    }
    let r = game(&args[1]).unwrap();
    let top: u32 = args[2].parse().unwrap();
    let threads: usize = args[3].parse().unwrap();
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    let t0 = std::time::Instant::now();
    println!("memory {}", Layers::memory(&r, top).unwrap());
    let mut l = Layers::new(&r, top).unwrap();
    println!("new {:?}", t0.elapsed());
    let c = Control::default();
    let mut sum = 0;
    for n in 0..=top {
        let t = std::time::Instant::now();
        l.build_next(&c).unwrap();
        let size = l.numbering().layer(n).size();
        sum += size;
        if n + 6 > top {
            println!("{n} {size} {:?} {:.1} M/s", t.elapsed(), size as f64 / t.elapsed().as_secs_f64() / 1e6);
        }
    }
    println!("total {:?} {:.1} M/s", t0.elapsed(), sum as f64 / t0.elapsed().as_secs_f64() / 1e6);
}
