//! A group or dataset of the file, with its path for messages.

use crate::Error;
use hdf5_pure::{AttrValue, DType, Dataset, File, Group};
use std::collections::HashMap;
use std::path::Path;

/// A group or dataset.
pub(super) struct Node<'f> {
    file: &'f Path,
    /// The path inside the file; empty for the root.
    path: String,
    object: Object,
    attributes: HashMap<String, AttrValue>,
}

enum Object {
    Group(Group),
    Dataset(Dataset),
}

impl<'f> Node<'f> {
    pub(super) fn root(file: &'f Path, hdf5: &File) -> Node<'f> {
        Node { file, path: String::new(), object: Object::Group(hdf5.root()), attributes: HashMap::new() }
    }

    /// An error at this place.
    pub(super) fn error(&self, problem: impl Into<String>) -> Error {
        Error::Element { path: self.file.into(), element: self.path.clone(), problem: problem.into() }
    }

    pub(super) fn matrix_error(&self, source: crate::data::MatrixError) -> Error {
        Error::Matrix { path: self.file.into(), element: self.path.clone(), source }
    }

    /// The group or dataset called `name`.
    pub(super) fn child(&self, name: &str) -> Result<Node<'f>, Error> {
        let path = if self.path.is_empty() { name.to_string() } else { format!("{}/{name}", self.path) };
        let missing = |problem: String| Error::Element { path: self.file.into(), element: path.clone(), problem };
        let Object::Group(group) = &self.object else {
            return Err(self.error("is an array, not a group; the file is damaged or of an old anndata: open it with anndata and write it again"));
        };
        let object = match group.group(name) {
            Ok(group) => Object::Group(group),
            Err(_) => Object::Dataset(group.dataset(name).map_err(|error| {
                missing(format!("is missing or can't be read ({error}); the file is damaged, or no .h5ad"))
            })?),
        };
        let attributes = match &object {
            Object::Group(group) => group.attrs(),
            Object::Dataset(dataset) => dataset.attrs(),
        };
        let attributes = attributes.map_err(|error| missing(format!("has attributes that can't be read ({error})")))?;
        Ok(Node { file: self.file, path, object, attributes })
    }

    /// The names of what a group holds.
    pub(super) fn children(&self) -> Vec<String> {
        let Object::Group(group) = &self.object else { return Vec::new() };
        let mut names = group.groups().unwrap_or_default();
        names.extend(group.datasets().unwrap_or_default());
        names.sort();
        names
    }

    pub(super) fn has_children(&self) -> bool {
        !self.children().is_empty()
    }

    pub(super) fn is_group(&self) -> bool {
        matches!(self.object, Object::Group(_))
    }

    /// A text attribute.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.attributes.get(name).and_then(AttrValue::as_str).map(String::from)
    }

    /// An attribute of several texts.
    pub(super) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let value = self.attributes.get(name)?;
        value.as_strings().map(<[String]>::to_vec).or_else(|| {
            // Without any, the type is lost on some writers.
            value.to_f64s().filter(Vec::is_empty).map(|_| Vec::new())
        })
    }

    /// Whole numbers of an attribute.
    pub(super) fn numbers(&self, name: &str) -> Option<Vec<i64>> {
        let value = self.attributes.get(name)?;
        value.to_i64s().or_else(|| value.as_i64().map(|one| vec![one]))
    }

    /// A `bool` attribute, which h5py writes as an enumeration or a number.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.attributes.get(name).and_then(AttrValue::as_i64).map(|value| value != 0)
    }

    /// anndata's name of the kind of element.
    pub(super) fn encoding(&self) -> String {
        self.text("encoding-type").unwrap_or_default()
    }

    fn dataset(&self) -> Result<&Dataset, Error> {
        match &self.object {
            Object::Dataset(dataset) => Ok(dataset),
            Object::Group(_) => {
                Err(self.error(format!("is a group (`{}`) where an array is expected", self.encoding())))
            }
        }
    }

    /// Turns an error of the library into one that says where and what to do.
    fn failed(&self, error: &hdf5_pure::Error) -> Error {
        let text = error.to_string();
        if text.to_lowercase().contains("filter") {
            return self.error(format!(
                "is compressed in a way that can't be read ({text}); open it with anndata and write it again with compression=\"gzip\""
            ));
        }
        self.error(format!("can't be read ({text}); the file is damaged or cut off, copy or download it again"))
    }

    pub(super) fn shape(&self) -> Result<Vec<u64>, Error> {
        self.dataset()?.shape().map_err(|error| self.failed(&error))
    }

    pub(super) fn dtype(&self) -> Result<DType, Error> {
        self.dataset()?.dtype().map_err(|error| self.failed(&error))
    }

    /// Whether the elements are texts.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.dtype(), Ok(DType::String | DType::VariableLengthString))
    }

    /// Elements as `f32`. Integers and doubles that have no exact `f32` are rounded; `exact` tells whether none were.
    pub(super) fn f32s(&self) -> Result<(Vec<f32>, bool), Error> {
        match self.dtype()? {
            DType::F32 => Ok((self.dataset()?.read_f32().map_err(|error| self.failed(&error))?, true)),
            _ => {
                let doubles = self.f64s()?;
                let exact = doubles.iter().all(|value| f64::from(*value as f32) == *value || value.is_nan());
                Ok((doubles.into_iter().map(|value| value as f32).collect(), exact))
            }
        }
    }

    pub(super) fn f64s(&self) -> Result<Vec<f64>, Error> {
        match self.dtype()? {
            DType::Enum(_) => Ok(self.bools()?.into_iter().map(f64::from).collect()),
            DType::F32 | DType::F64 => self.dataset()?.read_f64().map_err(|error| self.failed(&error)),
            _ => Ok(self.i64s()?.into_iter().map(|value| value as f64).collect()),
        }
    }

    pub(super) fn i64s(&self) -> Result<Vec<i64>, Error> {
        match self.dtype()? {
            DType::I8 | DType::I16 | DType::I32 | DType::I64 | DType::U8 | DType::U16 | DType::U32 | DType::U64 => {
                self.dataset()?.read_i64().map_err(|error| self.failed(&error))
            }
            DType::Enum(_) => Ok(self.bools()?.into_iter().map(i64::from).collect()),
            other => Err(self.error(format!("holds {other}, where whole numbers are expected"))),
        }
    }

    /// `bool`s: h5py's enumeration of one byte.
    pub(super) fn bools(&self) -> Result<Vec<bool>, Error> {
        let dataset = self.dataset()?;
        match self.dtype()? {
            DType::Enum(_) | DType::I8 | DType::U8 => {
                let bytes = dataset.read_raw().map_err(|error| self.failed(&error))?;
                Ok(bytes.into_iter().map(|byte| byte != 0).collect())
            }
            other => Err(self.error(format!("holds {other}, where bools are expected"))),
        }
    }

    pub(super) fn strings(&self) -> Result<Vec<String>, Error> {
        self.dataset()?.read_string().map_err(|error| self.failed(&error))
    }
}
