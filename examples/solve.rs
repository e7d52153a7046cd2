//! Solves a game: `cargo run --release --example solve -- kalah:6x4`.

fn main() -> Result<(), sowbase::SolveError> {
    let game = std::env::args().nth(1).unwrap_or("kalah:4x3".into());
    let solver = sowbase::Solver::of(&game)?;
    let answer = solver.solve(&sowbase::board::Position::start(solver.rules()))?;
    println!("{game} is worth {answer}");
    for played in answer.moves.iter().flatten() {
        println!("{:>4}  {played}", played.choice.to_string());
    }
    Ok(())
}
