//! A picture of how the values of tables are distributed over the layers.
//!
//! One panel a game. A cell is a value in a layer, its shade the share of the layer's positions that
//! have it; below stand the shares of positions won, drawn and lost. A game won by blocking has a panel for each
//! board instead of cells, with bars of the positions that end in a number of plies. The ground is painted, so that the
//! picture reads the same in light and in dark viewers. Equal statistics give equal bytes.

use std::io;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, bail};
use plotters::coord::Shift;
use plotters::prelude::*;
use sowbase::control::Control;
use sowbase::tables::{Decided, Entries, LayerStats, SetStats, Spread, try_name, write_whole};

/// Pixels of the picture from left to right.
const WIDTH: u32 = 1000;
/// Pixels of a panel from top to bottom.
const PANEL: u32 = 680;
/// Pixels of a panel that the cells have with their title from top to bottom, and all charts from left to
/// right.
const CELLS: (u32, u32) = (500, 830);
/// Pixels between the charts and what is written at their left.
const LEFT: u32 = 70;

/// Where bars of positions begin, so that one position can be seen.
const FOOT: f64 = 0.7;

/// A cell has the first shade whose share, in ten-thousandths of a layer, it reaches.
const SHADES: [(u32, &str, RGBColor); 10] = [
    (5000, "50 %", RGBColor(0x0b, 0x0b, 0x33)),
    (2000, "20 %", RGBColor(0x2c, 0x11, 0x5f)),
    (1000, "10 %", RGBColor(0x51, 0x12, 0x7c)),
    (500, "5 %", RGBColor(0x79, 0x22, 0x82)),
    (200, "2 %", RGBColor(0xa1, 0x30, 0x7e)),
    (100, "1 %", RGBColor(0xc8, 0x3e, 0x73)),
    (50, "0.5 %", RGBColor(0xe6, 0x5a, 0x5f)),
    (10, "0.1 %", RGBColor(0xf8, 0x8a, 0x5f)),
    (1, "0.01 %", RGBColor(0xfe, 0xba, 0x80)),
    (0, "less", RGBColor(0xfd, 0xe6, 0xb5)),
];
/// What the player to move reaches, from the top of a bar to its end.
const RESULTS: [(&str, RGBColor); 3] = [
    ("won", RGBColor(0x00, 0x72, 0xb2)),
    ("drawn", RGBColor(0xb0, 0xb0, 0xb0)),
    ("lost", RGBColor(0xd5, 0x5e, 0x00)),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Refuses a name under which no picture can be written, before anything is read for it.
pub fn check_name(file: &Path) -> anyhow::Result<()> {
    let shown = file.display();
    if !file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        bail!("{shown} does not end in .svg, and the picture is SVG; give it such a name");
    }
    Ok(try_name(file)?)
}

/// Draws statistics into a file, which gets its name when it is complete.
pub fn write(file: &Path, sets: &[SetStats]) -> anyhow::Result<()> {
    let picture = draw(sets)?;
    // A moment's work, which nobody has to stop.
    write_whole(file, &[picture.as_bytes()], false, &Control::default())?;
    Ok(())
}

/// The picture as the text of an SVG file.
fn draw(sets: &[SetStats]) -> anyhow::Result<String> {
    let mut picture = String::new();
    let panels: Vec<Panel> = sets.iter().flat_map(panels).collect();
    let height = u32::try_from(panels.len()).ok().and_then(|panels| panels.checked_mul(PANEL));
    let height =
        height.context("there are too many games for one picture; name the folder of one of them")?;
    draw_all(&panels, &mut picture, height).context("cannot draw the picture")?;
    Ok(picture)
}

/// What a panel shows.
struct Panel<'a> {
    /// What is written above it.
    title: String,
    layers: &'a [LayerStats],
    /// Of the only layer, if its entries are verdicts.
    decided: Option<&'a [Decided]>,
}

fn panels(set: &SetStats) -> Vec<Panel<'_>> {
    // A name can come from a file, and SVG allows no control characters.
    let game = set.game.replace(char::is_control, " ");
    let boards = set.layers.iter().filter_map(|layer| match &layer.entries {
        Entries::Verdicts(decided) => Some(Panel {
            title: format!("{game}: {} seeds, positions by plies (rules {:.8})", layer.seeds, set.rules),
            layers: std::slice::from_ref(layer),
            decided: Some(decided),
        }),
        Entries::Values(_) => None,
    });
    let boards: Vec<Panel> = boards.collect();
    if boards.is_empty() {
        let title = format!("{game}: values by layer (rules {:.8})", set.rules);
        return vec![Panel { title, layers: &set.layers, decided: None }];
    }
    boards
}

fn draw_all(panels: &[Panel], picture: &mut String, height: u32) -> Drawn {
    let root = SVGBackend::with_string(picture, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    for (panel, area) in panels.iter().zip(root.split_evenly((panels.len(), 1))) {
        let (charts, legend) = area.split_horizontally(CELLS.1);
        let (upper, shares) = charts.split_vertically(CELLS.0);
        match panel.decided {
            None => {
                draw_cells(panel, &upper)?;
                draw_shares(panel.layers, &shares)?;
            }
            Some(decided) => {
                draw_plies(&panel.title, decided, &upper)?;
                panel.layers.iter().try_for_each(|layer| draw_outcomes(layer, &shares))?;
            }
        }
        draw_legend(panel.decided.is_none(), &legend)?;
    }
    root.present()
}

/// The layers from the first to the last, as the segments of an axis, which has to have two.
fn axis(layers: &[LayerStats]) -> Range<i32> {
    let seeds = |layer: Option<&LayerStats>| layer.map_or(0, |layer| layer.seeds as i32);
    let first = seeds(layers.first());
    first..seeds(layers.last()).max(first + 1)
}

/// From a number to the next on an axis of segments that ends with `last`.
fn segment(number: i32, last: i32) -> (SegmentValue<i32>, SegmentValue<i32>) {
    let end = if number < last { SegmentValue::Exact(number + 1) } else { SegmentValue::Last };
    (SegmentValue::Exact(number), end)
}

/// What an axis of whole numbers says at a tick.
fn tick(number: &SegmentValue<i32>) -> String {
    match number {
        SegmentValue::Exact(number) | SegmentValue::CenterOf(number) => number.to_string(),
        SegmentValue::Last => String::new(),
    }
}

fn draw_cells(panel: &Panel, area: &Area) -> Drawn {
    let layers = axis(panel.layers);
    let lowest = spreads(panel.layers).map(|(_, spread)| spread.min.value).fold(-1, i32::min);
    let highest = spreads(panel.layers).map(|(_, spread)| spread.max.value).fold(1, i32::max);
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 24))
        .margin(12)
        .x_label_area_size(50)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(layers.clone().into_segmented(), (lowest..highest).into_segmented())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_labels(26)
        .y_labels(21)
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 17))
        .x_desc("layer (seeds in the pits)")
        .y_desc("value for the player to move")
        .draw()?;
    let cells = spreads(panel.layers).flat_map(|(layer, spread)| {
        let (left, right) = segment(layer.seeds as i32, layers.end);
        spread.distribution.iter().map(move |(&value, &positions)| {
            let (bottom, top) = segment(value, highest);
            let corners = [(left.clone(), bottom), (right.clone(), top)];
            Rectangle::new(corners, shade(positions, layer.positions).filled())
        })
    });
    chart.draw_series(cells)?;
    Ok(())
}

/// The layers whose entries are values.
fn spreads(layers: &[LayerStats]) -> impl Iterator<Item = (&LayerStats, &Spread)> {
    layers.iter().filter_map(|layer| match &layer.entries {
        Entries::Values(spread) => Some((layer, &**spread)),
        Entries::Verdicts(_) => None,
    })
}

/// Bars of the positions that end in a number of plies, on a logarithmic scale.
fn draw_plies(title: &str, decided: &[Decided], area: &Area) -> Drawn {
    let last = (decided.len() as i32 - 1).max(1);
    let highest = decided.iter().map(|decided| decided.won.max(decided.lost)).fold(10, u64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 24))
        .margin(12)
        .x_label_area_size(50)
        .y_label_area_size(LEFT)
        .build_cartesian_2d((0..last).into_segmented(), (FOOT..1.5 * highest as f64).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_labels(26)
        .y_labels(10)
        .x_label_formatter(&tick)
        .y_label_formatter(&|positions| format!("{positions:e}"))
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 17))
        .x_desc("plies to the end")
        .y_desc("positions")
        .draw()?;
    let [(_, won), _, (_, lost)] = RESULTS;
    let bars = (0..).zip(decided).flat_map(|(plies, decided)| {
        let (left, right) = segment(plies, last);
        let middle = SegmentValue::CenterOf(plies);
        // Where both occur, each has half of the room.
        let (won_to, lost_from) = match decided.won > 0 && decided.lost > 0 {
            true => (middle.clone(), middle),
            false => (right.clone(), left.clone()),
        };
        let parts = [(decided.won, left, won_to, won), (decided.lost, lost_from, right, lost)];
        parts.into_iter().filter(|(positions, ..)| *positions > 0).map(|(positions, from, to, colour)| {
            Rectangle::new([(from, FOOT), (to, positions as f64)], colour.filled())
        })
    });
    chart.draw_series(bars)?;
    Ok(())
}

/// One bar from left to right.
fn draw_outcomes(layer: &LayerStats, area: &Area) -> Drawn {
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(50)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(0.0..100.0, 0.0..1.0)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .disable_y_axis()
        .x_labels(11)
        .x_label_formatter(&|share| format!("{share:.0} %"))
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 17))
        .x_desc("positions")
        .draw()?;
    let mut before = 0;
    let bars = outcomes(layer).map(|(positions, colour)| {
        let share = |positions: u64| 100.0 * positions as f64 / layer.positions as f64;
        let left = share(before);
        before += positions;
        Rectangle::new([(left, 0.0), (share(before), 1.0)], colour.filled())
    });
    chart.draw_series(bars)?;
    Ok(())
}

/// The positions won, drawn and lost, as far as there are any, with their colours.
fn outcomes(layer: &LayerStats) -> impl Iterator<Item = (u64, RGBColor)> {
    let numbers = [layer.wins, layer.draws, layer.losses].into_iter();
    numbers.zip(RESULTS).filter(|(positions, _)| *positions > 0).map(|(n, (_, colour))| (n, colour))
}

fn draw_shares(all: &[LayerStats], area: &Area) -> Drawn {
    let layers = axis(all);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(layers.clone().into_segmented(), 0.0..100.0)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_labels(26)
        .y_labels(5)
        .x_label_formatter(&tick)
        .y_label_formatter(&|share| format!("{share:.0} %"))
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 17))
        .y_desc("positions")
        .draw()?;
    let bars = all.iter().flat_map(|layer| {
        let (left, right) = segment(layer.seeds as i32, layers.end);
        let mut above = layer.positions;
        outcomes(layer).map(move |(positions, colour)| {
            let share = |positions: u64| 100.0 * positions as f64 / layer.positions as f64;
            let top = above;
            above -= positions;
            let corners = [(left.clone(), share(above)), (right.clone(), share(top))];
            Rectangle::new(corners, colour.filled())
        })
    });
    chart.draw_series(bars)?;
    Ok(())
}

fn draw_legend(with_shades: bool, area: &Area) -> Drawn {
    let text = ("sans-serif", 15).into_font().color(&BLACK);
    let entry = |y: i32, name: &str, colour: RGBColor| -> Drawn {
        area.draw(&Rectangle::new([(0, y), (18, y + 18)], colour.filled()))?;
        area.draw(&Text::new(name.to_owned(), (26, y + 3), text.clone()))
    };
    if with_shades {
        for (y, line) in [(36, "share of the layer,"), (54, "at least")] {
            area.draw(&Text::new(line, (0, y), text.clone()))?;
        }
        for (y, (_, name, colour)) in (76..).step_by(18).zip(SHADES) {
            entry(y, name, colour)?;
        }
    }
    for (y, (name, colour)) in (CELLS.0 as i32 + 14..).step_by(22).zip(RESULTS) {
        entry(y, name, colour)?;
    }
    Ok(())
}

/// The shade of a number of positions in a layer. Whole numbers, so that every machine draws the same.
fn shade(positions: u64, of: u64) -> RGBColor {
    let reached = |share: u32| u128::from(positions) * 10_000 >= u128::from(share) * u128::from(of);
    let (_, _, colour) = SHADES.into_iter().find(|(share, ..)| reached(*share)).unwrap_or(SHADES[9]);
    colour
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_the_first_shade_that_it_reaches() {
        let index = |positions, of| {
            let colour = shade(positions, of);
            SHADES.iter().position(|(_, _, shade)| *shade == colour).unwrap()
        };
        assert_eq!([index(1, 1), index(1, 2), index(499, 1000), index(1, 5)], [0, 0, 1, 1]);
        assert_eq!([index(1, 10_000), index(1, 10_001), index(1, u64::MAX)], [8, 9, 9]);
        assert_eq!(index(u64::MAX, u64::MAX), 0);
    }
}
