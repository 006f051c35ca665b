//! What a picture is drawn on, and how it becomes a file.

use super::theme::{INK, SCALE};
use crate::Error;
use crate::io::write_then_rename;
use kuva::backend::raster::RasterBackend;
use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, build_path};
use std::path::Path;

pub(super) use kuva::render::render::TextAnchor;

/// A white page. Positions count from its upper left corner.
pub(super) struct Canvas {
    scene: Scene,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64) -> Canvas {
        let mut scene = Scene::new(width, height);
        scene.text_color = Some(INK.to_string());
        Canvas { scene }
    }

    /// `y` is where the letters stand.
    pub(super) fn text(&mut self, x: f64, y: f64, anchor: TextAnchor, size: u32, colour: &str, content: &str) {
        self.scene.add(Primitive::Text {
            x,
            y,
            content: content.to_string(),
            size,
            anchor,
            rotate: None,
            bold: false,
            color: Some(colour.into()),
        });
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        self.any_line(from, to, colour, 0.5, None);
    }

    pub(super) fn dashed_line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        self.any_line(from, to, colour, 1.0, Some("8 6".to_string()));
    }

    fn any_line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64, dashes: Option<String>) {
        // On whole pixels, so that level and upright lines are sharp.
        let whole = |units: f64| (units * f64::from(SCALE)).round() / f64::from(SCALE);
        self.scene.add(Primitive::Line {
            x1: whole(from.0),
            y1: whole(from.1),
            x2: whole(to.0),
            y2: whole(to.1),
            stroke: colour.into(),
            stroke_width: width,
            stroke_dasharray: dashes,
        });
    }

    /// Lines from point to point.
    pub(super) fn path(&mut self, points: Vec<(f64, f64)>, colour: &str) {
        self.scene.add(Primitive::PolyLine {
            points,
            stroke: colour.into(),
            stroke_width: 0.7,
            stroke_dasharray: None,
        });
    }

    pub(super) fn rectangle(&mut self, left: f64, top: f64, width: f64, height: f64, colour: &str) {
        self.scene.add(Primitive::Rect {
            x: left,
            y: top,
            width,
            height,
            fill: colour.into(),
            stroke: None,
            stroke_width: None,
            opacity: None,
        });
    }

    /// A filled shape, closed, with an outline.
    pub(super) fn polygon(&mut self, corners: &[(f64, f64)], fill: &str, outline: Option<&str>) {
        self.scene.add(Primitive::Path(Box::new(PathData {
            d: format!("{}Z", build_path(corners)),
            fill: Some(fill.into()),
            stroke: outline.map_or(Color::None, Color::from),
            stroke_width: 0.7,
            opacity: None,
            stroke_dasharray: None,
        })));
    }

    /// Discs of one size and colour.
    pub(super) fn discs(&mut self, centres: &[(f64, f64)], radius: f64, colour: &str, opacity: f64) {
        let (cx, cy) = centres.iter().copied().unzip();
        self.scene.add(Primitive::CircleBatch {
            cx,
            cy,
            r: radius,
            fill: colour.into(),
            fill_opacity: Some(opacity),
            stroke: None,
            stroke_width: None,
        });
    }

    /// Writes a PNG, whole or not at all.
    pub(super) fn save(&self, path: &Path) -> Result<(), Error> {
        let bytes = RasterBackend::new()
            .with_scale(SCALE)
            .render_scene(&self.scene)
            .map_err(|problem| Error::Picture { path: path.into(), problem })?;
        write_then_rename(path, |temporary| {
            std::fs::write(temporary, &bytes).map_err(|source| Error::Io { path: path.into(), source })
        })
    }
}
