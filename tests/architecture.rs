//! The floors of the library: what is used by whom, and rooms of a size that a reader can take in.

use std::fs;
use std::path::{Path, PathBuf};

/// Each may use those before it.
const FLOORS: [&str; 9] =
    ["rules", "board", "index", "retrograde", "tables", "search", "solve", "play", "cli"];
/// Modules below the floors: all may use them, and they use no floor.
const GROUND: [&str; 2] = ["control", "machine"];
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
