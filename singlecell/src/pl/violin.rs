//! Distributions of quality measures.

use super::axis::{Axis, Scale, extent, rounded};
use super::canvas::{Canvas, TextAnchor};
use super::density::Density;
use super::panel::{Panel, draw_title};
use super::theme::{
    FAINT_INK, FILL, FOOTER, HEADER, INK, LABEL_SIZE, MARGIN, STRONG, THRESHOLD, TICK_SIZE, counted, shortened,
};
use crate::Error;
use std::path::Path;

/// One measure of all cells.
pub struct Metric<'a> {
    /// Its name.
    pub name: &'a str,
    /// A value for each cell.
    pub values: &'a [f64],
    /// Thresholds: a dashed line at each.
    pub limits: Vec<f64>,
}

/// The most cells that are drawn as points; of more, every k-th is. The outline is always made of all cells.
const MOST_POINTS: usize = 3_000;
const PANEL_WIDTH: f64 = 150.0;
const PANEL_HEIGHT: f64 = 300.0;
/// The least width of the picture: that of its title.
const LEAST_WIDTH: f64 = 300.0;
/// The share of a panel's width that the violin may take.
const VIOLIN_WIDTH: f64 = 0.86;

/// A violin for each metric, side by side, each with a scale of its own.
///
/// The outline is a kernel density of all values, cut at the smallest and the largest; the points are cells, at most
/// 3,000, in equal steps through the cells. A threshold that is far from all values is not drawn but noted.
///
/// # Errors
/// The file can't be written.
pub fn violin(path: &Path, metrics: &[Metric<'_>]) -> Result<(), Error> {
    let violins: Vec<Violin<'_>> = metrics.iter().map(Violin::of).collect();
    let gutters = violins.iter().map(|violin| Panel::gutter(&violin.y, PANEL_HEIGHT));
    let needed = gutters.sum::<f64>() + violins.len() as f64 * PANEL_WIDTH + MARGIN;
    let width = needed.max(LEAST_WIDTH);
    let mut canvas = Canvas::new(width, HEADER + PANEL_HEIGHT + FOOTER);
    let cells = metrics.iter().map(|metric| metric.values.len()).max().unwrap_or(0);
    draw_title(&mut canvas, width / 2.0, &counted(cells, "cell"), "");
    let mut left = (width - needed) / 2.0;
    for violin in violins {
        left += Panel::gutter(&violin.y, PANEL_HEIGHT);
        violin.draw(&mut canvas, left);
        left += PANEL_WIDTH;
    }
    canvas.save(path)
}

struct Violin<'a> {
    metric: &'a Metric<'a>,
    /// The values that are numbers.
    values: Vec<f64>,
    /// The thresholds near the values, and the others.
    near: Vec<f64>,
    far: Vec<f64>,
    y: Axis,
}

impl<'a> Violin<'a> {
    fn of(metric: &'a Metric<'a>) -> Violin<'a> {
        let values: Vec<f64> = metric.values.iter().copied().filter(|value| value.is_finite()).collect();
        let (low, high) = extent(values.iter().copied()).unwrap_or((0.0, 1.0));
        let (low, high) = if low > 0.0 && low < high / 2.0 { (0.0, high) } else { (low, high) };
        // Within half of the values' range, so that the violin keeps most of the height.
        let reach = if low < high { high / 2.0 - low / 2.0 } else { high.abs() };
        let is_near = |limit: &f64| (low - reach..=high + reach).contains(limit);
        let (near, far): (Vec<f64>, _) = metric.limits.iter().partition(|limit| is_near(limit));
        let shown = near.iter().copied().chain([low, high]);
        let y = Axis::around(shown.clone(), Scale::Linear);
        let y = if shown.fold(f64::INFINITY, f64::min) == 0.0 && high > 0.0 { y.starting_at_zero() } else { y };
        Violin { metric, values, near, far, y }
    }

    fn draw(&self, canvas: &mut Canvas, left: f64) {
        let (width, height) = (PANEL_WIDTH, PANEL_HEIGHT);
        let panel = Panel { left, top: HEADER, width, height, x: Axis::exactly(-1.0, 1.0), y: self.y };
        match Density::of(&self.values) {
            Some(density) => self.draw_outline(canvas, &panel, &density),
            None => self.draw_equal_values(canvas, &panel),
        }
        for limit in &self.near {
            let (right, y) = panel.at((1.0, *limit));
            canvas.dashed_line((left, y), (right, y), THRESHOLD);
            canvas.text(right - 1.0, y - 3.0, TextAnchor::End, TICK_SIZE, THRESHOLD, &rounded(*limit));
        }
        panel.draw_y_axis(canvas, "");
        let (middle, bottom) = (left + width / 2.0, panel.bottom());
        canvas.line((left, bottom), (panel.right(), bottom), INK);
        canvas.text(
            middle,
            HEADER - 12.0,
            TextAnchor::Middle,
            LABEL_SIZE,
            INK,
            &shortened(self.metric.name, LABEL_SIZE, PANEL_WIDTH + 24.0),
        );
        for (line, note) in self.notes().iter().enumerate() {
            let y = bottom + 14.0 + 12.0 * line as f64;
            canvas.text(middle, y, TextAnchor::Middle, TICK_SIZE, FAINT_INK, note);
        }
    }

    fn draw_outline(&self, canvas: &mut Canvas, panel: &Panel, density: &Density) {
        let right = density.outline().map(|(value, height)| panel.at((height * VIOLIN_WIDTH, value)));
        let left = density.outline().rev().map(|(value, height)| panel.at((-height * VIOLIN_WIDTH, value)));
        canvas.polygon(&right.chain(left).collect::<Vec<_>>(), FILL, Some(STRONG));
        let step = self.values.len().div_ceil(MOST_POINTS).max(1);
        let cells = self.values.iter().step_by(step).enumerate();
        let points = cells.map(|(number, value)| panel.at((jitter(number) * density.at(*value), *value)));
        canvas.discs(&points.collect::<Vec<_>>(), 0.6, INK, 0.35);
    }

    /// Equal values have no density: a line at their height.
    fn draw_equal_values(&self, canvas: &mut Canvas, panel: &Panel) {
        let Some(value) = self.values.first() else { return };
        canvas.line(panel.at((-VIOLIN_WIDTH, *value)), panel.at((VIOLIN_WIDTH, *value)), STRONG);
        canvas.discs(&[panel.at((0.0, *value))], 2.0, STRONG, 1.0);
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let without = self.metric.values.len() - self.values.len();
        if self.values.is_empty() {
            notes.push("no values".to_string());
        } else if without > 0 {
            notes.push(format!("{} without a value", counted(without, "cell")));
        }
        if !self.far.is_empty() {
            let limits: Vec<String> = self.far.iter().map(|limit| rounded(*limit)).collect();
            notes.push(format!("not shown: threshold {}", limits.join(", ")));
        }
        notes
    }
}

/// How far from the middle a point is drawn, the same in every run: multiples of the golden ratio fill a line evenly.
fn jitter(number: usize) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    ((number as f64 * GOLDEN).fract() * 2.0 - 1.0) * VIOLIN_WIDTH * 0.95
}
