//! The floors of the library: what is used by whom, rooms of a size that a reader can take in, and what the library
//! does not speak of.

use std::fs;
use std::path::{Path, PathBuf};

/// Each may use those before it.
const FLOORS: [&str; 9] =
    ["rules", "board", "index", "retrograde", "tables", "search", "solve", "play", "cli"];
/// Modules below the floors: all may use them, and they use no floor.
const GROUND: [&str; 3] = ["clock", "control", "machine"];
const MOST_FILES: usize = 12;
const MOST_LINES: usize = 520;

/// The files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, mut here): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    here.extend(folders.iter().flat_map(|folder| files(folder)));
    here
}

/// The files of the program and the library with their paths from `src` on.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap();
    let found = files(&root).into_iter();
    found.map(|path| (path.strip_prefix(&root).unwrap().to_owned(), text(&path))).collect()
}

/// The floors and the ground that a source names, each with the line.
fn named(path: &Path, text: &str) -> Vec<(String, usize)> {
    // From a file itself, `super` leads out of its floor with one step more than it lies deep in folders.
    let is_root_of_its_folder = path.ends_with("mod.rs");
    let depth = path.components().count() - usize::from(is_root_of_its_folder);
    let out = format!("{}::", vec!["super"; depth].join("::"));
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().starts_with("//") {
            continue;
        }
        for start in ["crate::", &out] {
            for (at, _) in line.match_indices(start) {
                let rest = &line[at + start.len()..];
                assert!(!rest.starts_with('{'), "{}:{number} names several floors at once", path.display());
                let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                found.push((name.to_owned(), number));
            }
        }
    }
    found
}

#[test]
fn no_arrow_runs_back() {
    let height = |name: &str| FLOORS.iter().position(|floor| *floor == name);
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "rs")) {
        let home = path.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        if ["lib", "main"].contains(&home) {
            continue;
        }
        let own = height(home);
        assert!(own.is_some() || GROUND.contains(&home), "{} stands on no floor", path.display());
        for (name, line) in named(path, text) {
            if height(&name).is_some_and(|used| own.is_none_or(|own| used > own)) {
                wrong.push(format!("{}:{line} uses {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that run back:\n{}", wrong.join("\n"));
}

#[test]
fn rooms_and_files_are_small() {
    let mut wrong = Vec::new();
    let sources = sources();
    for (path, text) in &sources {
        let lines = text.lines().count();
        if path.extension().is_some_and(|end| end == "rs") && lines > MOST_LINES {
            wrong.push(format!("{} has {lines} lines", path.display()));
        }
        let folder = path.parent().unwrap();
        let neighbours = sources.iter().filter(|(other, _)| other.parent() == Some(folder)).count();
        if neighbours > MOST_FILES && folder != Path::new("rules/games") {
            wrong.push(format!("{} is one of {neighbours} files in its folder", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The string literals of a source, each with the line in which it begins.
fn literals(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, 1);
    let skip = |rest: &mut &str, line: &mut usize, bytes: usize| {
        *line += rest[..bytes].matches('\n').count();
        *rest = &rest[bytes..];
    };
    while let Some(first) = rest.chars().next() {
        let hashes = rest.strip_prefix('r').map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
        let is_raw = rest.starts_with('r') && rest[1 + hashes..].starts_with('"');
        let quote = ["'\"'", "'\\\"'"].into_iter().find(|quote| rest.starts_with(quote));
        if let Some(quote) = quote {
            skip(&mut rest, &mut line, quote.len());
        } else if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            skip(&mut rest, &mut line, end);
        } else if is_raw {
            let (start, close) = (2 + hashes, format!("\"{}", "#".repeat(hashes)));
            let length = rest[start..].find(&close).expect("a literal ends");
            found.push((line, rest[start..start + length].to_owned()));
            skip(&mut rest, &mut line, start + length + close.len());
        } else if first == '"' {
            let mut is_escaped = false;
            let ends = |c: char| {
                let ends = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                ends
            };
            let length = rest[1..].find(ends).expect("a literal ends");
            found.push((line, rest[1..=length].to_owned()));
            skip(&mut rest, &mut line, length + 2);
        } else {
            // A word is passed over as a whole: one may end in `r`.
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            skip(&mut rest, &mut line, word.max(first.len_utf8()));
        }
    }
    found
}

/// The lines whose literals name an option or a command of the program.
fn of_the_program(text: &str) -> Vec<usize> {
    let is_option = |(at, _): (usize, &str), text: &str| text[at + 2..].starts_with(char::is_alphabetic);
    let names =
        |text: &str| text.match_indices("--").any(|at| is_option(at, text)) || text.contains("`sowbase ");
    literals(text).into_iter().filter(|(_, text)| names(text)).map(|(line, _)| line).collect()
}

#[test]
fn the_library_names_no_option_of_the_program() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if path.extension().is_some_and(|end| end == "rs") && !path.starts_with("cli") {
            wrong.extend(of_the_program(&text).iter().map(|line| format!("{}:{line}", path.display())));
        }
    }
    assert!(
        wrong.is_empty(),
        "the program adds the remedy, in src/cli/text/remedy.rs:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn an_option_in_a_literal_is_found_and_one_in_a_comment_is_not() {
    let source = r##"
        //! `sowbase build` and --memory
        /// As "--rule" says.
        let c = '"'; // "--out"
        #[error("{game} is large; allow more \" with --memory")]
        let lower = r#"a raw " one: --bounds"#;
        let two = "a literal of
            two lines, `sowbase query`";
        let other = ("a -- b", "sowbase proof 1", '\"', "---", "4--2");
        let last = "`sowbase rules list` shows them";
    "##;
    assert_eq!(of_the_program(source), [5, 6, 7, 10]);
}
