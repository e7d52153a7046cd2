//! How many positions of a small board are won, drawn and lost for the player to move, by seeds.
//!
//! `cargo run --release --example statistics -- kalah:4x3 12`

use std::cmp::Ordering;
use std::error::Error;

use sowbase::control::Control;
use sowbase::retrograde::Layers;
use sowbase::rules;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rules = rules::game(arguments.next().as_deref().unwrap_or("kalah:4x3"))?;
    let top = arguments.next().as_deref().unwrap_or("12").parse()?;
    let mut layers = Layers::new(&rules, top)?;
    println!("seeds  positions       won     drawn      lost");
    for seeds in 0..=top {
        layers.build_next(&Control::default())?;
        let values = layers.layer(seeds);
        let count = |side| values.iter().filter(|value| (**value).cmp(&0) == side).count();
        let [won, drawn, lost] = [Ordering::Greater, Ordering::Equal, Ordering::Less].map(count);
        println!("{seeds:>5} {:>10} {won:>9} {drawn:>9} {lost:>9}", values.len());
    }
    Ok(())
}
