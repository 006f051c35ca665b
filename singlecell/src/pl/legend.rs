//! What colours mean.

use super::canvas::{Canvas, TextAnchor};
use super::theme::{FAINT_INK, INK, LABEL_SIZE, TICK_SIZE, shortened, text_width, thousands};

/// A colour and its name.
pub(super) struct Entry {
    label: String,
    colour: String,
}

impl Entry {
    pub(super) fn new(label: &str, colour: &str) -> Entry {
        Entry { label: shortened(label, TICK_SIZE, LABEL_WIDTH), colour: colour.to_string() }
    }

    /// The width of the disc, the label, and the space to the next entry.
    fn width(&self) -> f64 {
        LABEL_START + text_width(&self.label, TICK_SIZE) + 16.0
    }

    fn draw(&self, canvas: &mut Canvas, x: f64, y: f64) {
        canvas.discs(&[(x + RADIUS, y - RADIUS)], RADIUS, &self.colour, 1.0);
        canvas.text(x + LABEL_START, y, TextAnchor::Start, TICK_SIZE, INK, &self.label);
    }
}

/// The widest a label may be.
const LABEL_WIDTH: f64 = 210.0;
const RADIUS: f64 = 3.3;
const LABEL_START: f64 = 12.0;
const ROW: f64 = 14.5;
const MOST_COLUMNS: usize = 3;

/// Entries in one row, with their middle at `middle`.
pub(super) fn draw_row(canvas: &mut Canvas, middle: f64, y: f64, entries: &[Entry]) {
    let mut x = middle - entries.iter().map(Entry::width).sum::<f64>() / 2.0;
    for entry in entries {
        entry.draw(canvas, x, y);
        x += entry.width();
    }
}

/// A title and columns of entries, to stand beside a panel.
pub(super) struct Legend {
    title: String,
    columns: Vec<Vec<Entry>>,
    /// Entries that have no room.
    left_out: usize,
}

impl Legend {
    /// Columns of about equal length that are not higher than `height`, and at most three.
    pub(super) fn new(title: &str, mut entries: Vec<Entry>, height: f64) -> Legend {
        let most_rows = ((height / ROW) as usize).max(1);
        let left_out = entries.len().saturating_sub(most_rows * MOST_COLUMNS);
        entries.truncate(most_rows * MOST_COLUMNS);
        let rows = entries.len().div_ceil(entries.len().div_ceil(most_rows).max(1)).max(1);
        let mut columns = Vec::new();
        while !entries.is_empty() {
            let rest = entries.split_off(rows.min(entries.len()));
            columns.push(std::mem::replace(&mut entries, rest));
        }
        Legend { title: shortened(title, LABEL_SIZE, LABEL_WIDTH), columns, left_out }
    }

    pub(super) fn width(&self) -> f64 {
        let columns: f64 = self.columns.iter().map(|column| column_width(column)).sum();
        columns.max(text_width(&self.title, LABEL_SIZE))
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, left: f64, top: f64) {
        canvas.text(left, top - 9.0, TextAnchor::Start, LABEL_SIZE, INK, &self.title);
        let mut x = left;
        for column in &self.columns {
            for (row, entry) in column.iter().enumerate() {
                entry.draw(canvas, x, top + 10.0 + row as f64 * ROW);
            }
            x += column_width(column);
        }
        if self.left_out > 0 {
            let rows = self.columns.first().map_or(0, Vec::len);
            let note = format!("and {} more", thousands(self.left_out));
            let y = top + 10.0 + rows as f64 * ROW;
            canvas.text(left, y, TextAnchor::Start, TICK_SIZE, FAINT_INK, &note);
        }
    }
}

fn column_width(column: &[Entry]) -> f64 {
    column.iter().map(Entry::width).fold(0.0, f64::max)
}
