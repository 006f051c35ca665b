//! Where NVRTC may lie, and which of those found is taken.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::error::CudaError;
use super::super::version::CudaVersion;
use super::Nvrtc;

/// The variable that names NVRTC: the library, or the folder that holds it. Nothing else is searched if it is set.
const VARIABLE: &str = "WARPCELL_NVRTC";
/// Names left to the loader's own search path.
const LOADER_NAMES: [&str; 3] = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"];
/// The folder of the toolkit's `targets` that holds this machine's libraries.
const TARGET: &str = if cfg!(target_arch = "aarch64") { "sbsa-linux" } else { "x86_64-linux" };

/// The places to look in, best first: files, folders, and names for the loader. `variable` reads the environment.
pub(super) fn places(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(named) = variable(VARIABLE) {
        return vec![named.into()];
    }
    let mut roots: Vec<PathBuf> = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable).map(Into::into).collect();
    roots.extend(entries(Path::new("/usr/local"), |name| name.starts_with("cuda")));
    let toolkits = roots.iter().flat_map(|root| [root.join("lib64"), root.join("targets").join(TARGET).join("lib")]);
    let python = python_prefixes(variable).into_iter().flat_map(|prefix| python_folders(&prefix));
    let conda = variable("CONDA_PREFIX").map(|prefix| Path::new(&prefix).join("lib"));
    let mut places: Vec<PathBuf> = Vec::new();
    for place in toolkits.chain(python).chain(conda).chain(LOADER_NAMES.into_iter().map(PathBuf::from)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The first NVRTC of `places` that loads and whose code `driver` can run; without a driver the first that loads.
pub(super) fn first_usable(places: &[PathBuf], driver: Option<CudaVersion>) -> Result<Nvrtc, CudaError> {
    let mut searched = Vec::new();
    let mut refused = None;
    for place in places {
        let libraries = libraries(place);
        if libraries.is_empty() {
            searched.push(place.clone());
        }
        for library in libraries {
            match Nvrtc::open(&library).and_then(|nvrtc| fits(nvrtc, driver)) {
                Ok(nvrtc) => return Ok(nvrtc),
                // A name that the loader doesn't find is no library; a file that it refuses is.
                Err(CudaError::NvrtcUnusable { .. }) if !library.is_absolute() => {}
                Err(error) => refused = refused.or(Some(error)),
            }
            searched.push(library);
        }
    }
    Err(refused.unwrap_or(CudaError::NvrtcMissing { searched, driver }))
}

/// A driver runs the CUBINs of its own major version of CUDA and of older ones (CUDA Compatibility, "Minor version
/// compatibility").
fn fits(nvrtc: Nvrtc, driver: Option<CudaVersion>) -> Result<Nvrtc, CudaError> {
    match driver {
        Some(driver) if driver.major < nvrtc.version.major => {
            let needed = CudaVersion { major: nvrtc.version.major, minor: 0 };
            Err(CudaError::DriverTooOld { driver, needed, nvrtc: Some(nvrtc.path) })
        }
        _ => Ok(nvrtc),
    }
}

/// The libraries at a place: those of a folder, newest first, or the place itself if it is a file or a bare name.
fn libraries(place: &Path) -> Vec<PathBuf> {
    if place.is_dir() {
        entries(place, |name| name.starts_with("libnvrtc.so"))
    } else if place.is_file() || place.components().count() == 1 {
        vec![place.to_path_buf()]
    } else {
        Vec::new()
    }
}

/// Where Python environments start: the active one's, those of every `python3` on the path, the user's own.
fn python_prefixes(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(&variable).map(PathBuf::from);
    let path = variable("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path)
        .filter(|folder| folder.join("python3").exists())
        .filter_map(|folder| folder.parent().map(Path::to_path_buf));
    let user = variable("HOME").map(|home| Path::new(&home).join(".local"));
    active.chain(on_path).chain(user).collect()
}

/// The folders in a Python environment where PyPI's packages put NVRTC: `nvidia/cu13/lib` (`nvidia-cuda-nvrtc`) and
/// `nvidia/cuda_nvrtc/lib` (`nvidia-cuda-nvrtc-cu12`); just `nvidia` if there is neither.
fn python_folders(prefix: &Path) -> Vec<PathBuf> {
    let holds_nvrtc = |name: &str| name == "cuda_nvrtc" || name.strip_prefix("cu").is_some_and(is_number);
    let mut folders = Vec::new();
    for version in entries(&prefix.join("lib"), |name| name.starts_with("python3")) {
        for packages in entries(&version, |name| name == "site-packages" || name == "dist-packages") {
            let nvidia = packages.join("nvidia");
            let mut found: Vec<PathBuf> = entries(&nvidia, holds_nvrtc);
            found.iter_mut().for_each(|package| package.push("lib"));
            folders.extend(if found.is_empty() { vec![nvidia] } else { found });
        }
    }
    folders
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The entries of `folder` whose name is `wanted`, the highest version number first; none if it can't be read.
fn entries(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| wanted(name))
        .collect();
    names.sort_by_cached_key(|name| std::cmp::Reverse((numbers(name), name.clone())));
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// The numbers in a name: `[12, 8]` in `cuda-12.8`, so that 12.10 is above 12.8.
fn numbers(name: &str) -> Vec<u64> {
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(file: &Path) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, b"").unwrap();
    }

    fn places_with(variables: &[(&str, &Path)]) -> Vec<PathBuf> {
        places(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_variable_excludes_every_other_place() {
        let named = Path::new("/opt/libnvrtc.so.13");
        assert_eq!(places_with(&[("WARPCELL_NVRTC", named), ("CUDA_HOME", Path::new("/opt/cuda"))]), [named]);
    }

    #[test]
    fn toolkits_come_before_python_environments_and_the_loader_last() {
        let environment = tempfile::tempdir().unwrap();
        let packages = environment.path().join("lib/python3.12/site-packages/nvidia");
        touch(&packages.join("cuda_nvrtc/lib/libnvrtc.so.12"));
        touch(&packages.join("cu13/lib/libnvrtc.so.13"));
        touch(&packages.join("cudnn/lib/libcudnn.so.9"));
        let places = places_with(&[("VIRTUAL_ENV", environment.path()), ("CUDA_PATH", Path::new("/opt/cuda"))]);
        let position = |place: &Path| places.iter().position(|known| known == place).unwrap();
        assert_eq!(position(Path::new("/opt/cuda/lib64")), 0);
        assert!(position(&packages.join("cu13/lib")) < position(&packages.join("cuda_nvrtc/lib")));
        assert!(places.ends_with(&LOADER_NAMES.map(PathBuf::from)));
        assert!(!places.contains(&packages.join("cudnn/lib")));
    }

    #[test]
    fn a_python_on_the_path_counts_as_an_environment() {
        let environment = tempfile::tempdir().unwrap();
        touch(&environment.path().join("bin/python3"));
        let library = environment.path().join("lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
        touch(&library);
        let places = places_with(&[("PATH", &environment.path().join("bin"))]);
        assert!(places.iter().any(|place| libraries(place) == [library.clone()]), "{places:?}");
    }

    #[test]
    fn of_a_folders_libraries_the_newest_is_first_and_the_builtins_are_none() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["libnvrtc.so.12.8", "libnvrtc.so.12.10", "libnvrtc-builtins.so.12.8", "libnvrtc.alt.so.12"] {
            touch(&folder.path().join(name));
        }
        let expected = ["libnvrtc.so.12.10", "libnvrtc.so.12.8"].map(|name| folder.path().join(name));
        assert_eq!(libraries(folder.path()), expected);
    }

    #[test]
    fn nothing_found_lists_where_it_looked() {
        let places = ["/nowhere/lib64", "libnvrtc-of-nobody.so"].map(PathBuf::from);
        let error = first_usable(&places, None).unwrap_err();
        let CudaError::NvrtcMissing { searched, .. } = &error else { panic!("{error}") };
        assert_eq!(searched, &places);
        let text = error.to_string();
        assert!(text.contains("/nowhere/lib64") && text.contains("WARPCELL_NVRTC"), "{text}");
    }

    #[test]
    fn a_file_that_is_no_library_is_named_with_the_loaders_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("libnvrtc.so");
        touch(&file);
        let error = first_usable(&[folder.path().to_path_buf()], None).unwrap_err();
        assert!(matches!(&error, CudaError::NvrtcUnusable { path, .. } if *path == file), "{error}");
    }

    #[test]
    fn an_nvrtc_newer_than_the_driver_is_passed_over() {
        let Ok(nvrtc) = Nvrtc::load() else {
            return println!("no NVRTC here, nothing to test");
        };
        let driver = CudaVersion { major: nvrtc.version().major - 1, minor: 9 };
        let error = first_usable(&[nvrtc.path().to_path_buf()], Some(driver)).unwrap_err();
        assert!(matches!(error, CudaError::DriverTooOld { .. }), "{error}");
        assert!(first_usable(&[nvrtc.path().to_path_buf()], Some(nvrtc.version())).is_ok());
    }
}
