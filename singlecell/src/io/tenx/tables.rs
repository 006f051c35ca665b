//! The tables of barcodes and features.

use super::lines;
use crate::Error;
use crate::data::{Column, Frame};
use std::collections::BTreeMap;
use std::path::Path;

/// `barcodes.tsv`: a barcode a line, in the first field.
pub(super) fn read_barcodes(path: &Path) -> Result<Frame, Error> {
    let mut barcodes = Vec::new();
    fields(path, |line| barcodes.push(line[0].to_string()))?;
    Ok(Frame::new(barcodes))
}

/// What is known of each feature.
#[derive(Default)]
pub(super) struct Features {
    pub(super) ids: Vec<String>,
    pub(super) symbols: Vec<String>,
    /// Since Cell Ranger 3; else empty.
    pub(super) types: Vec<String>,
}

/// `features.tsv` or `genes.tsv`: identifier, symbol and, since Cell Ranger 3, type of feature.
pub(super) fn read_features(path: &Path) -> Result<Frame, Error> {
    let mut features = Features::default();
    fields(path, |line| {
        features.ids.push(line[0].to_string());
        features.symbols.push(line.get(1).unwrap_or(&line[0]).to_string());
        features.types.extend(line.get(2).map(|kind| kind.to_string()));
    })?;
    Ok(features.into_frame(&path.display().to_string()))
}

impl Features {
    /// `var`; `place` is for messages.
    pub(super) fn into_frame(self, place: &str) -> Frame {
        let count = self.ids.len();
        let mut var = Frame::new(self.symbols);
        let changed = var.make_index_unique();
        if changed > 0 {
            tracing::info!("{place}: {changed} repeated gene names got a suffix");
        }
        var.set("gene_ids", Column::String(self.ids));
        if self.types.len() == count {
            tell_kinds(place, &self.types);
            var.set("feature_types", Column::String(self.types));
        }
        var
    }
}

/// Antibodies and guides are kept, and counted like genes: the user should know.
fn tell_kinds(place: &str, types: &[String]) {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    types.iter().for_each(|kind| *kinds.entry(kind).or_default() += 1);
    if kinds.len() > 1 {
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} of `{kind}`")).collect();
        tracing::warn!("{place}: features of several kinds, all of which are kept: {}", kinds.join(", "));
    }
}

/// The fields of each line that is not empty; there is at least one.
fn fields(path: &Path, mut each: impl FnMut(&[&str])) -> Result<(), Error> {
    lines::for_each(path, |_, line| {
        if !line.is_empty() {
            each(&line.split('\t').collect::<Vec<_>>());
        }
        Ok(())
    })
}
