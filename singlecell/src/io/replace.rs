//! Files that are there whole or not at all.

use crate::Error;
use std::path::Path;

/// Writes a file under another name in the same folder and renames it at the end, so that a failure leaves nothing
/// behind, and an old file of that name as it was.
pub(crate) fn write_then_rename(path: &Path, write: impl FnOnce(&Path) -> Result<(), Error>) -> Result<(), Error> {
    let io = |source| Error::Io { path: path.into(), source };
    let fail = |problem: &str| Err(Error::Format { path: path.into(), problem: problem.into() });
    if path.is_dir() {
        return fail("is a folder, so no file can be written there; choose another name");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    let mut builder = tempfile::Builder::new();
    builder.prefix(".writing-").suffix(&extension);
    // A temporary file is private to its owner; the result is an ordinary file, less what the user's mask takes away.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(folder).map_err(io)?.into_temp_path();
    write(&temporary)?;
    temporary.persist(path).map_err(|error| io(error.error))
}
