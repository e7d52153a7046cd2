//! `sowbase`: exact values and endgame tables of mancala games, on the command line.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
