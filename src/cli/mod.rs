//! The command-line program.

mod batch;
mod commands;
mod game;
mod interrupt;
mod options;
mod outlook;
mod session;
mod text;

use std::io;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use commands::{bench, completions, man, moves, perft, query, rules, solve, tables};
use options::Common;
use text::output::{self, Exit};

/// Exact solver and endgame-table builder for mancala games.
#[derive(Parser)]
#[command(name = "sowbase", version, max_term_width = 100, subcommand_required = true)]
pub struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Solve),
    Query(query::Query),
    Moves(moves::Moves),
    Perft(perft::Perft),
    Build(tables::build::Build),
    Verify(tables::verify::Verify),
    Info(tables::info::Info),
    Stats(tables::stats::Stats),
    Export(tables::export::Export),
    Import(tables::import::Import),
    Rules(rules::RulesCommand),
    Bench(bench::Bench),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Parses the arguments and runs the command.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    match run(cli) {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(&text::remedy::said(&error));
            ExitCode::from(Exit::Refused as u8)
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<Exit> {
    let common = cli.common;
    common.start_threads()?;
    match cli.command {
        Command::Solve(command) => command.run(&common),
        Command::Query(command) => command.run(&common),
        Command::Moves(command) => command.run(&common),
        Command::Perft(command) => command.run(&common),
        Command::Build(command) => command.run(&common),
        Command::Verify(command) => command.run(&common),
        Command::Info(command) => command.run(&common),
        Command::Stats(command) => command.run(&common),
        Command::Export(command) => command.run(&common),
        Command::Import(command) => command.run(&common),
        Command::Rules(command) => command.run(&common),
        Command::Bench(command) => command.run(&common),
        Command::Completions(command) => command.run(&common),
        Command::Man(command) => command.run(&common),
    }
}

/// Help and version go to stdout, wrong usage to stderr in one line.
fn refuse(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(Exit::Refused as u8),
            _ => ExitCode::SUCCESS,
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            output::print_error("a command is missing; `sowbase --help` lists them");
            ExitCode::from(Exit::Refused as u8)
        }
        _ => {
            let text = error.render().to_string();
            let sentence = text.split("\n\nUsage:").next().unwrap_or_default();
            let sentence = sentence.split("\n\nFor more information").next().unwrap_or_default();
            let words: Vec<&str> = sentence.split_whitespace().collect();
            let sentence = words.join(" ").replace(" tip: ", "; ");
            let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
            output::print_error(&format!(
                "{sentence}; `sowbase --help` and `sowbase COMMAND --help` tell more"
            ));
            ExitCode::from(Exit::Refused as u8)
        }
    }
}
