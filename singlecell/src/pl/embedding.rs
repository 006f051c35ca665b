//! Cells in a plane.

use super::axis::{Axis, Scale};
use super::canvas::Canvas;
use super::colour_bar::{ColourBar, level_colour};
use super::legend::{Entry, Legend};
use super::panel::{Panel, draw_title};
use super::theme::{FOOTER, HEADER, MARGIN, STRONG, category_colour, counted, thousands};
use crate::Error;
use std::collections::BTreeMap;
use std::path::Path;

/// What the colour of a cell says.
pub enum Colour<'a> {
    /// Nothing.
    Plain,
    /// A number; the colours go from the 1st to the 99th percentile.
    Continuous {
        /// What the number is.
        name: &'a str,
        /// One for each cell.
        values: &'a [f64],
    },
    /// A category; the colours of 32 categories are all different.
    Categories {
        /// What the categories are.
        name: &'a str,
        /// For each cell a place in `names`; a cell whose code is none (as -1) is not drawn.
        codes: &'a [i32],
        /// The name of each category.
        names: &'a [String],
    },
}

const PANEL_WIDTH: f64 = 400.0;
const PANEL_HEIGHT: f64 = 370.0;
/// From the panel to its legend.
const GAP: f64 = 20.0;
/// The least width of a picture.
const LEAST_WIDTH: f64 = 600.0;

/// A point for each cell, over the two columns of an embedding.
///
/// Cells of all colours are drawn in a mixed order, the same in every run: if one colour were on top, dense regions
/// would seem to be of that colour. Cells that lack a coordinate or their colour's value are not drawn but counted.
///
/// # Errors
/// There are not as many `x` as `y` or as values of the colour. The file can't be written.
pub fn embedding(path: &Path, axes: [&str; 2], x: &[f64], y: &[f64], colour: &Colour<'_>) -> Result<(), Error> {
    check_lengths(path, axes, x, y, colour)?;
    let is_shown = |cell: &usize| x[*cell].is_finite() && y[*cell].is_finite() && colour.is_known(*cell);
    let cells: Vec<usize> = (0..x.len()).filter(is_shown).collect();
    let x_axis = Axis::around(cells.iter().map(|cell| x[*cell]), Scale::Linear);
    let y_axis = Axis::around(cells.iter().map(|cell| y[*cell]), Scale::Linear);
    let key = Key::of(colour, &cells);
    let left = Panel::gutter(&y_axis, PANEL_HEIGHT);
    let width = (left + PANEL_WIDTH + MARGIN + key.width()).max(LEAST_WIDTH);
    let panel_width = width - left - MARGIN - key.width();
    let panel = Panel { left, top: HEADER, width: panel_width, height: PANEL_HEIGHT, x: x_axis, y: y_axis };

    let mut canvas = Canvas::new(width, HEADER + PANEL_HEIGHT + FOOTER);
    let note = match x.len() - cells.len() {
        0 => String::new(),
        left_out => format!("not shown: {} without a value", counted(left_out, "cell")),
    };
    draw_title(&mut canvas, left + panel_width / 2.0, &counted(cells.len(), "cell"), &note);
    panel.draw_x_axis(&mut canvas, axes[0]);
    panel.draw_y_axis(&mut canvas, axes[1]);
    let radius = point_radius(cells.len());
    for (colour, cells) in layers(colour, &key, &cells) {
        let centres: Vec<(f64, f64)> = cells.iter().map(|cell| panel.at((x[*cell], y[*cell]))).collect();
        canvas.discs(&centres, radius, &colour, 1.0);
    }
    key.draw(&mut canvas, panel.right() + GAP, HEADER);
    canvas.save(path)
}

impl Colour<'_> {
    fn is_known(&self, cell: usize) -> bool {
        match self {
            Colour::Plain => true,
            Colour::Continuous { values, .. } => values[cell].is_finite(),
            Colour::Categories { codes, names, .. } => {
                usize::try_from(codes[cell]).is_ok_and(|code| code < names.len())
            }
        }
    }
}

fn check_lengths(path: &Path, axes: [&str; 2], x: &[f64], y: &[f64], colour: &Colour<'_>) -> Result<(), Error> {
    let (name, length) = match colour {
        Colour::Plain => (axes[0], x.len()),
        Colour::Continuous { name, values } => (*name, values.len()),
        Colour::Categories { name, codes, .. } => (*name, codes.len()),
    };
    for (name, length) in [(axes[1], y.len()), (name, length)] {
        if length != x.len() {
            let (x, length) = (counted(x.len(), "value"), thousands(length));
            let problem = format!("`{}` has {x} but `{name}` {length}; give one for each cell", axes[0]);
            return Err(Error::Picture { path: path.into(), problem });
        }
    }
    Ok(())
}

/// What stands beside the panel.
enum Key {
    Nothing,
    Legend(Legend),
    Bar(ColourBar),
}

impl Key {
    fn of(colour: &Colour<'_>, cells: &[usize]) -> Key {
        match colour {
            Colour::Plain => Key::Nothing,
            Colour::Continuous { name, values } => {
                Key::Bar(ColourBar::new(name, &cells.iter().map(|cell| values[*cell]).collect::<Vec<_>>()))
            }
            Colour::Categories { name, codes, names } => {
                let mut has_cells = vec![false; names.len()];
                cells.iter().for_each(|cell| has_cells[codes[*cell] as usize] = true);
                let categories = names.iter().enumerate().filter(|(category, _)| has_cells[*category]);
                let entries = categories.map(|(category, name)| Entry::new(name, category_colour(category)));
                Key::Legend(Legend::new(name, entries.collect(), PANEL_HEIGHT))
            }
        }
    }

    fn width(&self) -> f64 {
        match self {
            Key::Nothing => 0.0,
            Key::Legend(legend) => GAP + legend.width(),
            Key::Bar(bar) => GAP + bar.width(),
        }
    }

    fn draw(&self, canvas: &mut Canvas, left: f64, top: f64) {
        match self {
            Key::Nothing => {}
            Key::Legend(legend) => legend.draw(canvas, left, top),
            Key::Bar(bar) => bar.draw(canvas, left, top),
        }
    }
}

/// Cells of one colour, in the order in which they are drawn.
fn layers(colour: &Colour<'_>, key: &Key, cells: &[usize]) -> Vec<(String, Vec<usize>)> {
    match (colour, key) {
        (Colour::Continuous { values, .. }, Key::Bar(bar)) => {
            mixed_layers(cells, |cell| bar.level(values[cell]), level_colour)
        }
        (Colour::Categories { codes, .. }, _) => {
            mixed_layers(cells, |cell| codes[cell] as usize, |code| category_colour(code).to_string())
        }
        _ => vec![(STRONG.to_string(), cells.to_vec())],
    }
}

/// Cells are drawn in so many parts, each with all colours.
const MIXED_PARTS: usize = 64;

/// Layers of cells that have the same number, from cells in a mixed order.
fn mixed_layers(
    cells: &[usize],
    number: impl Fn(usize) -> usize,
    colour: impl Fn(usize) -> String,
) -> Vec<(String, Vec<usize>)> {
    let mut layers = Vec::new();
    for part in mixed(cells).chunks(cells.len().div_ceil(MIXED_PARTS).max(1)) {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        part.iter().for_each(|cell| groups.entry(number(*cell)).or_default().push(*cell));
        layers.extend(groups.into_iter().map(|(number, cells)| (colour(number), cells)));
    }
    layers
}

/// The cells in an order that has nothing to do with theirs, the same in every run.
fn mixed(cells: &[usize]) -> Vec<usize> {
    let mut keyed: Vec<(u64, usize)> = cells.iter().map(|cell| (mix(*cell as u64), *cell)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, cell)| cell).collect()
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): it sends different numbers to different ones.
fn mix(number: u64) -> u64 {
    let first = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let second = (first ^ (first >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    second ^ (second >> 31)
}

/// So that points cover about the same area, however many they are.
fn point_radius(count: usize) -> f64 {
    (60.0 / (count.max(1) as f64).sqrt()).clamp(0.5, 2.5)
}
