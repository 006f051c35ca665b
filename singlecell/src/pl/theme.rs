//! What all pictures share: sizes, colours, how numbers are written.
//!
//! Lengths are units of the drawing; [`SCALE`] pixels make one unit.

/// Pixels for each unit.
pub(super) const SCALE: f32 = 2.0;

/// Height of the letters of a title.
pub(super) const TITLE_SIZE: u32 = 13;
/// Height of the letters of axis names and legends.
pub(super) const LABEL_SIZE: u32 = 10;
/// Height of the letters at ticks and of notes.
pub(super) const TICK_SIZE: u32 = 9;

/// Free space at the edges of a picture.
pub(super) const MARGIN: f64 = 16.0;
/// From the top of a picture to its panels: title, note, name of the y axis.
pub(super) const HEADER: f64 = 68.0;
/// From the bottom of a panel to that of the picture: ticks, name of the x axis.
pub(super) const FOOTER: f64 = 50.0;

/// Axes and letters.
pub(super) const INK: &str = "#222222";
/// Notes.
pub(super) const FAINT_INK: &str = "#6b6b6b";
/// What matters.
pub(super) const STRONG: &str = "#0072b2";
/// What is beside it.
pub(super) const WEAK: &str = "#b4b4b4";
/// The inside of a violin.
pub(super) const FILL: &str = "#a9cfe6";
/// Thresholds.
pub(super) const THRESHOLD: &str = "#d55e00";

/// Colours of categories, the most different ones first.
///
/// The first six are those of Okabe and Ito, "Color Universal Design" (2008), that are neither black nor too light
/// for white paper. Each of the others is the one farthest from all before it in CIELAB, as seen with and without
/// the colour vision deficiencies of Machado, Oliveira and Fernandes (2009).
pub(super) const CATEGORIES: [&str; 32] = [
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#1e1ea5", "#4b3c0f", "#c3c378", "#e1004b",
    "#4b2d4b", "#8787ff", "#780078", "#f0b4b4", "#1ed2e1", "#1e6978", "#874b00", "#3c693c", "#0f4bb4", "#d2964b",
    "#c30078", "#f07887", "#691e2d", "#b4d24b", "#a587c3", "#5a961e", "#a5695a", "#87a5ff", "#c31ea5", "#a52d2d",
    "#a569d2", "#5a5ae1",
];

/// The colour of a category; after 32 they start again.
pub(super) fn category_colour(category: usize) -> &'static str {
    CATEGORIES[category % CATEGORIES.len()]
}

/// Widths of the ASCII characters from the space on, in hundredths of the letters' height (DejaVu Sans).
const ADVANCES: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69,
    61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63,
    59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/// How wide a text is; a character that is not ASCII counts as wide as it is high, which is at least what it takes.
pub(super) fn text_width(text: &str, size: u32) -> f64 {
    let hundredths: u32 = text.chars().map(|letter| u32::from(advance(letter))).sum();
    f64::from(hundredths * size) / 100.0
}

fn advance(letter: char) -> u8 {
    let place = (letter as usize).checked_sub(' ' as usize);
    place.and_then(|place| ADVANCES.get(place)).copied().unwrap_or(100)
}

/// The text, cut so that it is not wider than `width`.
pub(super) fn shortened(text: &str, size: u32, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_string();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if text_width(&kept, size) + f64::from(size) > width {
            kept.pop();
            break;
        }
    }
    format!("{}…", kept.trim_end())
}

/// A count as people read it: `1,234,567 cells`, `1 cell`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// A number with a comma before each three digits.
pub(super) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut written = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sRGB to CIELAB (CIE 15:2004) under D65.
    fn lab(colour: &str) -> [f64; 3] {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let (r, g, b) = (channel(1), channel(3), channel(5));
        let curve = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
        let y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn categories_differ_from_one_another_and_from_paper() {
        for (k, colour) in CATEGORIES.iter().enumerate() {
            assert!(lab(colour)[0] < 82.0, "{colour} is too light");
            for other in &CATEGORIES[..k] {
                let squares: f64 = lab(colour).iter().zip(lab(other)).map(|(a, b)| (a - b).powi(2)).sum();
                assert!(squares.sqrt() > 18.0, "{colour} and {other} are alike");
            }
        }
    }

    #[test]
    fn long_text_is_cut_to_its_width() {
        let name = "CD8-positive, alpha-beta memory T cell, CD45RO-positive";
        let cut = shortened(name, LABEL_SIZE, 120.0);
        assert!(cut.ends_with('…') && text_width(&cut, LABEL_SIZE) <= 120.0, "{cut}");
        assert_eq!(shortened("B cell", LABEL_SIZE, 120.0), "B cell");
        assert_eq!(shortened("漢字漢字", LABEL_SIZE, 25.0), "漢…");
    }

    #[test]
    fn counts_have_commas_and_a_plural() {
        assert_eq!(counted(1, "cell"), "1 cell");
        assert_eq!(counted(0, "cell"), "0 cells");
        assert_eq!(counted(123_456_789, "gene"), "123,456,789 genes");
    }
}
