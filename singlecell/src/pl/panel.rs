//! A plane with axes.

use super::axis::Axis;
use super::canvas::{Canvas, TextAnchor};
use super::theme::{FAINT_INK, INK, LABEL_SIZE, MARGIN, TICK_SIZE, TITLE_SIZE, text_width};

/// A rectangle of a picture, with a meaning of its two directions.
pub(super) struct Panel {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

/// Units between two ticks, at least.
const TICK_DISTANCE: f64 = 60.0;
/// The length of a tick.
const TICK: f64 = 3.5;

impl Panel {
    /// Where a point is in the picture.
    pub(super) fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.left + self.x.place(x) * self.width, self.bottom() - self.y.place(y) * self.height)
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    /// The space that the labels of a y axis take to its left, with the margin of the picture.
    pub(super) fn gutter(y: &Axis, height: f64) -> f64 {
        let labels = y.ticks(tick_count(height)).into_iter().map(|(_, label)| text_width(&label, TICK_SIZE));
        MARGIN + labels.fold(0.0, f64::max) + TICK + 4.0
    }

    /// The x axis with its ticks and its name.
    pub(super) fn draw_x_axis(&self, canvas: &mut Canvas, name: &str) {
        let bottom = self.bottom();
        canvas.line((self.left, bottom), (self.right(), bottom), INK);
        for (value, label) in self.x.ticks(tick_count(self.width)) {
            let x = self.left + self.x.place(value) * self.width;
            canvas.line((x, bottom), (x, bottom + TICK), INK);
            canvas.text(x, bottom + TICK + 10.5, TextAnchor::Middle, TICK_SIZE, INK, &label);
        }
        let middle = self.left + self.width / 2.0;
        canvas.text(middle, bottom + TICK + 27.0, TextAnchor::Middle, LABEL_SIZE, INK, name);
    }

    /// The y axis with its ticks; its name stands level above it, where it is read without turning the head.
    pub(super) fn draw_y_axis(&self, canvas: &mut Canvas, name: &str) {
        canvas.line((self.left, self.top), (self.left, self.bottom()), INK);
        for (value, label) in self.y.ticks(tick_count(self.height)) {
            let y = self.bottom() - self.y.place(value) * self.height;
            canvas.line((self.left - TICK, y), (self.left, y), INK);
            canvas.text(self.left - TICK - 3.0, y + 3.2, TextAnchor::End, TICK_SIZE, INK, &label);
        }
        let start = self.left - Panel::gutter(&self.y, self.height) + MARGIN;
        canvas.text(start, self.top - 9.0, TextAnchor::Start, LABEL_SIZE, INK, name);
    }
}

fn tick_count(length: f64) -> usize {
    ((length / TICK_DISTANCE) as usize).clamp(2, 10)
}

/// The title of a picture and a note below it, over the middle at `x`.
pub(super) fn draw_title(canvas: &mut Canvas, x: f64, title: &str, note: &str) {
    canvas.text(x, 24.0, TextAnchor::Middle, TITLE_SIZE, INK, title);
    canvas.text(x, 39.0, TextAnchor::Middle, TICK_SIZE, FAINT_INK, note);
}
