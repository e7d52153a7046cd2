//! Pictures of tables: `stats --plot`.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
mod program;

use std::fs;

use program::Program;
use serde_json::Value;

/// The rectangles of a panel that show no figure: ten shades and three results in its legend.
const LEGEND: usize = 13;

/// A program with tables of Kalah in `databases`.
fn with_tables(seeds: &str) -> Program {
    let program = Program::new();
    program.says(&["build", "kalah:3x2", "--seeds-up-to", seeds, "--quiet"]);
    program
}

/// The values of all layers and the results that occur in them: each of them is one rectangle.
fn figures(stats: &Value) -> usize {
    let layers = stats["layers"].as_array().unwrap();
    let results = |layer: &Value| ["wins", "draws", "losses"].iter().filter(|key| layer[*key] != 0).count();
    layers.iter().map(|layer| layer["distribution"].as_object().unwrap().len() + results(layer)).sum()
}

fn rectangles(picture: &str) -> usize {
    picture.matches("<rect ").count()
}

/// Checks that tags are closed in the order in which they were opened, and that nothing but
/// entities begins with `&`.
fn check_well_formed(xml: &str) {
    let mut open = Vec::new();
    let mut rest = xml;
    while let Some((text, after)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text}");
        let (tag, after) = after.split_once('>').expect("a tag ends");
        assert!(!tag.contains('<') && tag.matches('"').count() % 2 == 0, "{tag}");
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(name), _) => assert_eq!(open.pop(), Some(name)),
            (None, false) => open.push(tag.split(' ').next().unwrap()),
            (None, true) => (),
        }
        assert!(!open.is_empty() || after.trim().is_empty(), "one element holds all others");
        rest = after;
    }
    assert!(open.is_empty(), "{open:?}");
    for entity in xml.split('&').skip(1) {
        assert!(["lt;", "gt;", "amp;", "quot;", "apos;"].iter().any(|known| entity.starts_with(known)));
    }
    assert!(!xml.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn a_picture_has_one_cell_for_each_value_of_each_layer() {
    let program = with_tables("8");
    let stats = program.json(&["stats", "databases", "--json", "--quiet", "--plot", "all.svg"]);
    assert_eq!(stats, program.json(&["stats", "databases", "--json", "--quiet"]));
    let picture = fs::read_to_string(program.path("all.svg")).unwrap();
    check_well_formed(&picture);
    assert_eq!(rectangles(&picture), 1 + LEGEND + figures(&stats));
    for shown in
        ["kalah:3x2: values by layer (rules ", "layer (seeds in the pits)", "value for the player to move"]
    {
        assert!(picture.contains(shown), "{shown}");
    }
    assert!(!program.path("all.svg.part").exists());
    // One layer, and one that has a single value.
    for layer in ["5", "0"] {
        let stats =
            program.json(&["stats", "databases", "--layer", layer, "--json", "--quiet", "--plot", "all.svg"]);
        let picture = fs::read_to_string(program.path("all.svg")).unwrap();
        check_well_formed(&picture);
        assert_eq!(rectangles(&picture), 1 + LEGEND + figures(&stats), "layer {layer}");
        assert!(!picture.contains("height=\"0\"") && !picture.contains("width=\"0\""), "layer {layer}");
    }
}

#[test]
fn equal_tables_give_equal_bytes() {
    let (one, other) = (with_tables("6"), with_tables("6"));
    one.says(&["stats", "databases", "--plot", "a.svg"]);
    other.says(&["stats", "databases", "--plot", "B.SVG", "--threads", "1"]);
    assert_eq!(fs::read(one.path("a.svg")).unwrap(), fs::read(other.path("B.SVG")).unwrap());
}

#[test]
fn each_game_of_a_folder_has_its_panel() {
    let program = with_tables("4");
    program.says(&["build", "oware:2x2", "--seeds-up-to", "5", "--quiet"]);
    let said = program.says(&["stats", "databases", "--json", "--plot", "both.svg"]);
    let figures: usize = said.lines().map(|line| figures(&serde_json::from_str(line).unwrap())).sum();
    let picture = fs::read_to_string(program.path("both.svg")).unwrap();
    check_well_formed(&picture);
    assert_eq!(rectangles(&picture), 1 + 2 * LEGEND + figures);
    assert!(picture.contains("kalah:3x2: ") && picture.contains("oware:2x2: "));
}

#[test]
fn a_picture_that_cannot_be_written_is_refused_with_the_reason() {
    let program = with_tables("2");
    let plot = |file: &str| program.fails(&["stats", "databases", "--quiet", "--plot", file], 2);
    assert!(plot("picture.png").contains("does not end in .svg"));
    assert!(plot(".svg").contains("does not end in .svg"));
    assert!(plot("nowhere/a.svg").contains("create its folder first"));
    fs::create_dir(program.path("folder.svg")).unwrap();
    assert!(plot("folder.svg").contains("name a file in it"));
    assert!(!program.path("nowhere").exists());
}

#[test]
fn a_picture_is_replaced_only_by_a_finished_one() {
    let program = with_tables("3");
    let (picture, part) = (program.path("a.svg"), program.path("a.svg.part"));
    fs::write(&picture, "older").unwrap();
    // Tables that cannot be read to the end.
    let folder = fs::read_dir(program.path("databases")).unwrap().next().unwrap().unwrap().path();
    let layer = folder.join("3.sow");
    let intact = fs::read(&layer).unwrap();
    fs::remove_file(&layer).unwrap();
    fs::write(&layer, &intact[..intact.len() - 1]).unwrap();
    program.fails(&["stats", "databases", "--quiet", "--plot", "a.svg"], 2);
    assert_eq!(fs::read_to_string(&picture).unwrap(), "older");
    fs::write(&layer, &intact).unwrap();
    // A name for the unfinished file that cannot be had.
    fs::create_dir(&part).unwrap();
    program.fails(&["stats", "databases", "--quiet", "--plot", "a.svg"], 2);
    assert_eq!(fs::read_to_string(&picture).unwrap(), "older");
    fs::remove_dir(&part).unwrap();
    program.says(&["stats", "databases", "--plot", "a.svg"]);
    check_well_formed(&fs::read_to_string(&picture).unwrap());
    assert!(!part.exists());
}
