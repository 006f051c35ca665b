//! What the colours of numbers mean.

use super::axis::{Axis, extent};
use super::canvas::{Canvas, TextAnchor};
use super::theme::{INK, LABEL_SIZE, TICK_SIZE, shortened, text_width};
use kuva::plot::ColorMap;

/// A range of numbers, each with a colour.
pub(super) struct ColourBar {
    title: String,
    axis: Axis,
    /// Whether there are numbers below and above the range; they have the colours of its ends.
    beyond: (bool, bool),
}

/// Colours that are told apart, and the most a picture of numbers has.
pub(super) const LEVELS: usize = 128;
const WIDTH: f64 = 12.0;
const HEIGHT: f64 = 200.0;
/// The height of the tip that stands for numbers beyond the range.
const TIP: f64 = 9.0;

impl ColourBar {
    /// From the 1st to the 99th percentile of the values, so that a few extremes don't take all the colours.
    pub(super) fn new(title: &str, values: &[f64]) -> ColourBar {
        let title = shortened(title, LABEL_SIZE, 160.0);
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| sorted.get((sorted.len().saturating_sub(1) as f64 * share).round() as usize).copied();
        let (lowest, highest) = extent(sorted.iter().copied()).unwrap_or((0.0, 1.0));
        let inner = at(0.01).zip(at(0.99)).filter(|(low, high)| low < high);
        let (low, high) = inner.unwrap_or((lowest, highest));
        ColourBar { title, axis: Axis::exactly(low, high), beyond: (lowest < low, highest > high) }
    }

    /// The number of a value's colour.
    pub(super) fn level(&self, value: f64) -> usize {
        (self.axis.place(value).clamp(0.0, 1.0) * (LEVELS - 1) as f64).round() as usize
    }

    pub(super) fn width(&self) -> f64 {
        let labels = self.axis.ticks(5).into_iter().map(|(_, label)| text_width(&label, TICK_SIZE));
        (WIDTH + 8.0 + labels.fold(0.0, f64::max)).max(text_width(&self.title, LABEL_SIZE))
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, left: f64, top: f64) {
        canvas.text(left, top - 9.0, TextAnchor::Start, LABEL_SIZE, INK, &self.title);
        let (top, right) = (top + TIP, left + WIDTH);
        let bottom = top + HEIGHT;
        let step = HEIGHT / LEVELS as f64;
        for level in 0..LEVELS {
            // Up to the bar's end: what is drawn later covers it, and no seam is left between two levels.
            canvas.rectangle(left, top, WIDTH, HEIGHT - level as f64 * step, &level_colour(level));
        }
        if self.beyond.0 {
            let tip = [(left, bottom), (right, bottom), (left + WIDTH / 2.0, bottom + TIP)];
            canvas.polygon(&tip, &level_colour(0), None);
        }
        if self.beyond.1 {
            let tip = [(left, top), (right, top), (left + WIDTH / 2.0, top - TIP)];
            canvas.polygon(&tip, &level_colour(LEVELS - 1), None);
        }
        for (value, label) in self.axis.ticks(5) {
            let y = bottom - self.axis.place(value) * HEIGHT;
            canvas.line((right, y), (right + 3.0, y), INK);
            canvas.text(right + 6.0, y + 3.2, TextAnchor::Start, TICK_SIZE, INK, &label);
        }
    }
}

/// The colour of a level: viridis.
pub(super) fn level_colour(level: usize) -> String {
    ColorMap::Viridis.map(level as f64 / (LEVELS - 1) as f64)
}
