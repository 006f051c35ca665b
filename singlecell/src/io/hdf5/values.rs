//! The values of arrays, converted to the types of the data model.

use super::filters::unsupported;
use super::node::Node;
use crate::Error;
use hdf5_pure::{DType, Dataset, Datatype, DatatypeByteOrder, FormatError};

/// Indices as they are stored: most files have 32 bits, and a copy with 64 would take twice the memory.
pub(in crate::io) enum Indices {
    /// 32 bits or fewer.
    Narrow(Vec<i32>),
    /// More.
    Wide(Vec<i64>),
}

impl Node<'_> {
    /// Turns an error of the library into one that says where and what to do.
    fn failed(&self, error: &hdf5_pure::Error) -> Error {
        if let hdf5_pure::Error::Format(FormatError::InvalidLayoutVersion(version)) = error {
            return self.error(format!(
                "is stored in a way of HDF5 2 (layout version {version}), which can't be read yet; open the file with anndata and write it again"
            ));
        }
        self.error(format!("can't be read ({error}); the file is damaged or cut off, copy or download it again"))
    }

    /// The array, if its filters can be undone.
    fn readable(&self) -> Result<&Dataset, Error> {
        let dataset = self.dataset()?;
        match unsupported(&dataset.filters()) {
            Some(filter) => Err(self.error(format!(
                "is compressed with {filter}, which can't be read; open the file with anndata and write it again with compression=\"gzip\""
            ))),
            None => Ok(dataset),
        }
    }

    fn read<T>(&self, values: impl FnOnce(&Dataset) -> Result<Vec<T>, hdf5_pure::Error>) -> Result<Vec<T>, Error> {
        values(self.readable()?).map_err(|error| self.failed(&error))
    }

    pub(in crate::io) fn shape(&self) -> Result<Vec<u64>, Error> {
        self.dataset()?.shape().map_err(|error| self.failed(&error))
    }

    pub(in crate::io) fn dtype(&self) -> Result<DType, Error> {
        self.dataset()?.dtype().map_err(|error| self.failed(&error))
    }

    /// Elements as `f32`, and whether none of them was rounded.
    pub(in crate::io) fn f32s(&self) -> Result<(Vec<f32>, bool), Error> {
        Ok(match self.dtype()? {
            DType::F32 => (self.read(Dataset::read_f32)?, true),
            DType::I8 | DType::U8 | DType::I16 | DType::U16 => (self.read(Dataset::read_f32)?, true),
            DType::I32 => {
                let values = self.read(Dataset::read_i32)?;
                let exact = values.iter().all(|value| f64::from(*value as f32) == f64::from(*value));
                (values.into_iter().map(|value| value as f32).collect(), exact)
            }
            DType::U32 | DType::I64 | DType::U64 => {
                let values = self.i64s()?;
                let exact = values.iter().all(|value| (*value as f32) as i128 == i128::from(*value));
                (values.into_iter().map(|value| value as f32).collect(), exact)
            }
            _ => {
                let values = self.f64s()?;
                let exact = values.iter().all(|value| f64::from(*value as f32) == *value || value.is_nan());
                (values.into_iter().map(|value| value as f32).collect(), exact)
            }
        })
    }

    /// Elements as `f64`.
    pub(in crate::io) fn f64s(&self) -> Result<Vec<f64>, Error> {
        match self.dtype()? {
            DType::Enum(_) => Ok(self.bools()?.into_iter().map(f64::from).collect()),
            DType::F32 | DType::F64 => self.read(Dataset::read_f64),
            DType::Other(datatype) if is_half(&datatype) => {
                let bytes = self.read(Dataset::read_raw)?;
                Ok(bytes.as_chunks().0.iter().map(|half| from_half(u16::from_le_bytes(*half))).collect())
            }
            _ => Ok(self.i64s()?.into_iter().map(|value| value as f64).collect()),
        }
    }

    /// Elements as `i64`.
    pub(in crate::io) fn i64s(&self) -> Result<Vec<i64>, Error> {
        match self.dtype()? {
            DType::I8 | DType::I16 | DType::I32 | DType::I64 | DType::U8 | DType::U16 | DType::U32 => {
                self.read(Dataset::read_i64)
            }
            DType::U64 => {
                let signed = |value| {
                    i64::try_from(value)
                        .map_err(|_| self.error(format!("holds {value}, which is too large to be read")))
                };
                self.read(Dataset::read_u64)?.into_iter().map(signed).collect()
            }
            DType::Enum(_) => Ok(self.bools()?.into_iter().map(i64::from).collect()),
            other => Err(self.error(format!("holds {other}, where numbers are expected"))),
        }
    }

    /// Whole numbers with as many bits as they need.
    pub(in crate::io) fn indices(&self) -> Result<Indices, Error> {
        match self.dtype()? {
            DType::I8 | DType::U8 | DType::I16 | DType::U16 | DType::I32 => {
                Ok(Indices::Narrow(self.read(Dataset::read_i32)?))
            }
            _ => Ok(Indices::Wide(self.i64s()?)),
        }
    }

    /// `bool`s: h5py's enumeration of one byte.
    pub(in crate::io) fn bools(&self) -> Result<Vec<bool>, Error> {
        match self.dtype()? {
            DType::Enum(_) | DType::I8 | DType::U8 => {
                let bytes = self.read(Dataset::read_raw)?;
                Ok(bytes.into_iter().map(|byte| byte != 0).collect())
            }
            other => Err(self.error(format!("holds {other}, where bools are expected"))),
        }
    }

    /// Texts, of fixed or variable length.
    pub(in crate::io) fn strings(&self) -> Result<Vec<String>, Error> {
        match self.dtype()? {
            DType::String | DType::VariableLengthString => self.read(Dataset::read_string),
            other => Err(self.error(format!("holds {other}, where texts are expected"))),
        }
    }
}

fn is_half(datatype: &Datatype) -> bool {
    matches!(datatype, Datatype::FloatingPoint { size: 2, byte_order: DatatypeByteOrder::LittleEndian, .. })
}

/// A float of 16 bits: a sign, 5 bits of exponent, 10 of mantissa (IEEE 754-2019, binary16).
fn from_half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    match exponent {
        0 => sign * mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (mantissa + 1024.0) * 2f64.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_those_of_ieee_754() {
        for (bits, value) in [(0x0000, 0.0), (0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (0x3555, 0.333251953125)]
        {
            assert_eq!(from_half(bits), value, "{bits:#06x}");
        }
        assert_eq!(from_half(0x0001), 2f64.powi(-24));
        assert_eq!(from_half(0xfc00), f64::NEG_INFINITY);
        assert!(from_half(0x7e00).is_nan());
    }
}
