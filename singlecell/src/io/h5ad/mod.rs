//! `.h5ad`: anndata's files. Each kind of element has a file in `read` and its mirror in `write`.
//!
//! The encodings are those of anndata's specification of on-disk formats:
//! <https://anndata.readthedocs.io/en/stable/fileformat-prose.html>.

mod read;
mod write;

pub(super) use read::read_root;

pub use read::read;
pub use write::write;
