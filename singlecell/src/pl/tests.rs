//! What holds for all pictures.

use super::colour_bar::{LEVELS, level_colour};
use super::theme::{FILL, STRONG, THRESHOLD, category_colour};
use super::*;
use crate::Error;
use std::path::{Path, PathBuf};

/// A decoded picture.
struct Picture {
    width: u32,
    height: u32,
    /// Red, green, blue and opacity of each pixel.
    pixels: Vec<u8>,
}

impl Picture {
    fn read(path: &Path) -> Picture {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgba);
        Picture { width: info.width, height: info.height, pixels }
    }

    /// How many pixels are of a colour.
    fn pixels_of(&self, colour: &str) -> usize {
        let channel = |at: usize| u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
        let wanted = [channel(1), channel(3), channel(5), 255];
        self.pixels.chunks_exact(4).filter(|pixel| **pixel == wanted).count()
    }

    /// The share of pixels that are not white.
    fn ink(&self) -> f64 {
        1.0 - self.pixels_of("#ffffff") as f64 / f64::from(self.width * self.height)
    }
}

/// What a function draws into a folder of its own.
fn drawn(draw: impl FnOnce(&Path) -> Result<(), Error>) -> Picture {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.png");
    draw(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "one file");
    Picture::read(&path)
}

/// Numbers that look random.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|k| (k as f64 * 0.754_877_666).fract() * 10.0).collect()
}

fn genes(count: usize) -> Vec<GenePoint> {
    let point = |(k, mean): (usize, f64)| GenePoint {
        mean,
        dispersion: (mean * 7.0).sin() + 2.0,
        dispersion_norm: (mean * 7.0).sin(),
        chosen: k % 5 == 0,
    };
    numbers(count).into_iter().enumerate().map(point).collect()
}

/// All functions, with the same values.
fn each_picture(folder: &Path, values: &[f64]) -> Vec<PathBuf> {
    let names: Vec<String> = (0..25).map(|k| format!("a rather long name of category {k}")).collect();
    let codes: Vec<i32> = (0..values.len() as i32).map(|k| k % 27 - 1).collect();
    let points: Vec<GenePoint> = (values.iter())
        .map(|value| GenePoint { mean: *value, dispersion: *value, dispersion_norm: -value, chosen: false })
        .collect();
    let metric = || Metric { name: "n_genes_by_counts", values, limits: vec![1.5, 1e12, f64::NAN] };
    let colours = [
        Colour::Plain,
        Colour::Continuous { name: "total_counts", values },
        Colour::Categories { name: "cell type", codes: &codes, names: &names },
        Colour::Categories { name: "no categories", codes: &codes, names: &[] },
    ];
    let mut paths: Vec<PathBuf> = (0..9).map(|k| folder.join(format!("{k}.png"))).collect();
    violin(&paths[0], &[metric(), metric(), metric()]).unwrap();
    violin(&paths[1], &[]).unwrap();
    highly_variable_genes(&paths[2], &points).unwrap();
    pca_variance_ratio(&paths[3], values).unwrap();
    pca_variance_ratio_scaled(&paths[4], values, Scale::Linear).unwrap();
    for (path, colour) in paths[5..].iter().zip(&colours) {
        embedding(path, ["PC1", "PC2"], values, values, colour).unwrap();
    }
    paths.sort();
    paths
}

#[test]
fn pictures_are_of_a_readable_size_and_not_blank() {
    let folder = tempfile::tempdir().unwrap();
    for path in each_picture(folder.path(), &numbers(500)) {
        let picture = Picture::read(&path);
        assert!((600..3000).contains(&picture.width) && (600..1100).contains(&picture.height), "{}", path.display());
        if !path.ends_with("1.png") {
            assert!(picture.ink() > 0.005, "{}: {}", path.display(), picture.ink());
        }
    }
}

#[test]
fn the_same_values_give_the_same_file() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let values = numbers(300);
    let pairs = each_picture(first.path(), &values).into_iter().zip(each_picture(second.path(), &values));
    for (first, second) in pairs {
        assert!(std::fs::read(&first).unwrap() == std::fs::read(second).unwrap(), "{}", first.display());
    }
}

#[test]
fn values_that_say_little_give_a_picture_too() {
    let folder = tempfile::tempdir().unwrap();
    let nan = f64::NAN;
    for values in [
        vec![],
        vec![1.0],
        vec![0.0; 5],
        vec![2.0; 50],
        vec![nan; 3],
        vec![nan, 1.0, 2.0, f64::INFINITY],
        vec![f64::MIN, 0.0, f64::MAX],
        vec![5e-324, 1e-320],
        vec![-1.0, -2.0],
    ] {
        for path in each_picture(folder.path(), &values) {
            assert!(Picture::read(&path).ink() > 0.0, "{} of {values:?}", path.display());
        }
    }
}

#[test]
fn every_category_is_seen_in_its_colour() {
    let names: Vec<String> = (0..30).map(|k| format!("cluster {k}")).collect();
    let codes: Vec<i32> = (0..3000).map(|k| k % 30).collect();
    let (x, y) = (numbers(3000), (0..3000).map(f64::from).collect::<Vec<_>>());
    let colour = Colour::Categories { name: "leiden", codes: &codes, names: &names };
    let picture = drawn(|path| embedding(path, ["UMAP1", "UMAP2"], &x, &y, &colour));
    for category in 0..30 {
        let pixels = picture.pixels_of(category_colour(category));
        assert!(pixels > 500, "category {category} has {pixels} pixels");
    }
}

#[test]
fn later_categories_do_not_cover_earlier_ones() {
    let names = ["a".to_string(), "b".to_string()];
    let codes: Vec<i32> = (0..60_000).map(|k| i32::from(k >= 30_000)).collect();
    let x: Vec<f64> = (0..60_000).map(|k| f64::from(k % 300)).collect();
    let y: Vec<f64> = (0..60_000).map(|k| f64::from(k / 300 % 100)).collect();
    let colour = Colour::Categories { name: "batch", codes: &codes, names: &names };
    let picture = drawn(|path| embedding(path, ["x", "y"], &x, &y, &colour));
    let [a, b] = [0, 1].map(|category| picture.pixels_of(category_colour(category)) as f64);
    assert!((0.7..1.4).contains(&(a / b)), "{a} and {b} pixels");
}

#[test]
fn neither_small_nor_large_numbers_are_on_top() {
    // Half of the cells have the smallest value, half the largest, everywhere.
    let values: Vec<f64> = (0..50_000).map(|k| f64::from(k % 2)).collect();
    let x: Vec<f64> = (0..50_000).map(|k| f64::from(k / 2 % 158)).collect();
    let y: Vec<f64> = (0..50_000).map(|k| f64::from(k / 2 / 158)).collect();
    let colour = Colour::Continuous { name: "total_counts", values: &values };
    let picture = drawn(|path| embedding(path, ["x", "y"], &x, &y, &colour));
    let [low, high] = [0, LEVELS - 1].map(|level| picture.pixels_of(&level_colour(level)) as f64);
    assert!((0.7..1.4).contains(&(low / high)), "{low} and {high} pixels");
}

#[test]
fn chosen_genes_are_drawn_in_their_colour() {
    let of = |genes: Vec<GenePoint>| drawn(|path| highly_variable_genes(path, &genes)).pixels_of(STRONG);
    let none = of(genes(400).into_iter().map(|gene| GenePoint { chosen: false, ..gene }).collect());
    let fifth = of(genes(400));
    assert!(fifth > 5 * none.max(1), "{fifth} pixels with chosen genes, {none} without");
}

#[test]
fn thresholds_near_the_values_are_drawn() {
    let values = numbers(200);
    let of = |limit: f64| {
        let metric = Metric { name: "pct_counts_mt", values: &values, limits: vec![limit] };
        drawn(|path| violin(path, &[metric])).pixels_of(THRESHOLD)
    };
    assert!(of(5.0) > 50);
    assert_eq!(of(1e6), 0);
}

#[test]
fn a_violin_of_many_cells_has_the_shape_of_all() {
    // One of a thousand cells is far away, and by its place in the list not among those drawn as points.
    let values: Vec<f64> = (0..90_000).map(|k| if k % 1000 == 1 { 100.0 } else { numbers(10)[k % 10] }).collect();
    let near = numbers(90_000);
    let [with, without] = [&values, &near].map(|values| {
        let metric = Metric { name: "total_counts", values, limits: vec![] };
        drawn(|path| violin(path, &[metric])).pixels_of(FILL)
    });
    assert!(with * 3 < without, "{with} and {without} pixels");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "text").unwrap();
    for path in [folder.path().join("absent/p.png"), file.join("p.png")] {
        let error = pca_variance_ratio(&path, &[0.5]).unwrap_err();
        assert!(matches!(&error, Error::Io { path: named, .. } if *named == path), "{error}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "text");
}

#[test]
fn a_failure_at_the_end_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.png");
    // A folder of the picture's name, not empty, can't be replaced.
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("file"), "text").unwrap();
    assert!(violin(&path, &[]).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn columns_of_other_lengths_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.png");
    let (three, two) = ([1.0, 2.0, 3.0], [1.0, 2.0]);
    let colour = Colour::Continuous { name: "total_counts", values: &two };
    for error in [
        embedding(&path, ["PC1", "PC2"], &three, &two, &Colour::Plain).unwrap_err(),
        embedding(&path, ["PC1", "PC2"], &three, &three, &colour).unwrap_err(),
    ] {
        assert!(error.to_string().contains("`PC1` has 3 values"), "{error}");
    }
    assert!(!path.exists());
}
