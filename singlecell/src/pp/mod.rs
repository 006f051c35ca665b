//! The standard steps, in scanpy's names.

mod filter;
mod highly_variable_genes;
mod neighbors;
mod normalize;
mod pca;
mod qc;

pub use filter::{FilterCells, FilterGenes};
pub use highly_variable_genes::HighlyVariableGenes;
pub use neighbors::Neighbors;
pub use normalize::{Log1p, NormalizeTotal};
pub use pca::Pca;
pub use qc::CalculateQcMetrics;

use crate::Error;
use crate::data::{Column, Frame};
use crate::pipeline::DeviceData;
use warpcell_runtime::Buffer;

/// Flags as `ops` takes them.
fn upload(data: &DeviceData, flags: &[bool]) -> Result<Buffer<u8>, Error> {
    Ok(data.device.upload(&flags.iter().map(|flag| u8::from(*flag)).collect::<Vec<u8>>())?)
}

/// The numbers of the flags that hold.
fn kept(flags: &[bool]) -> Vec<usize> {
    (0..flags.len()).filter(|row| flags[*row]).collect()
}

/// A column of integers, computed by an earlier step.
fn integers<'f>(frame: &'f Frame, name: &str, step: &'static str, before: &str) -> Result<&'f [i64], Error> {
    match frame.get(name) {
        Some(Column::Int(values)) => Ok(values),
        _ => {
            let problem = format!("there is no column `{name}` of whole numbers; run `{before}` before");
            Err(Error::Step { step, problem })
        }
    }
}
