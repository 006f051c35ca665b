//! From values to places along an axis, and the ticks there.

use kuva::render::render_utils::{generate_ticks, generate_ticks_log};

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences take equal lengths.
    Linear,
    /// Equal ratios take equal lengths; values that are not above 0 have no place.
    Log,
}

/// A range of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    /// Whether there is nothing between two whole numbers, so no ticks.
    whole: bool,
}

/// The share of an axis that stays free at each end.
const MARGIN: f64 = 0.04;

impl Axis {
    /// An axis with room for all values and a margin at both ends.
    pub(super) fn around(values: impl IntoIterator<Item = f64>, scale: Scale) -> Axis {
        let (low, high) = extent(values).unwrap_or((1.0, 1.0));
        let (low, high) = match scale {
            Scale::Linear => {
                let (low, high) = if low < high { (low, high) } else { widened(low) };
                let margin = (high / 2.0 - low / 2.0) * 2.0 * MARGIN;
                (low - margin, high + margin)
            }
            Scale::Log => {
                let (low, high) = if low < high { (low, high) } else { (low / 2.0, high * 2.0) };
                let margin = ((high.ln() - low.ln()) * MARGIN).exp();
                ((low / margin).max(f64::MIN_POSITIVE), high * margin)
            }
        };
        Axis { low: finite(low), high: finite(high), scale, whole: false }
    }

    /// An axis with no margin.
    pub(super) fn exactly(low: f64, high: f64) -> Axis {
        let (low, high) = if low < high { (low, high) } else { widened(low) };
        Axis { low, high, scale: Scale::Linear, whole: false }
    }

    /// An axis for the numbers from 1 to `count`.
    pub(super) fn counting(count: usize) -> Axis {
        let last = count.max(1) as f64;
        let margin = (last * MARGIN).clamp(0.4, 0.9);
        Axis { low: 1.0 - margin, high: last + margin, scale: Scale::Linear, whole: true }
    }

    /// The same, but with 0 at its lower end.
    pub(super) fn starting_at_zero(self) -> Axis {
        Axis { low: 0.0, ..self }
    }

    /// Where a value is: 0 at the lower end, 1 at the upper one.
    pub(super) fn place(&self, value: f64) -> f64 {
        match self.scale {
            // Halved, so that the difference of two large numbers is no infinity.
            Scale::Linear => (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0),
            Scale::Log => (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
        }
    }

    /// About `count` round values with what is written there.
    pub(super) fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let decades = match self.scale {
            Scale::Linear => Vec::new(),
            Scale::Log => self.inside(generate_ticks_log(self.low, self.high)),
        };
        if decades.len() > 1 {
            return decades.into_iter().map(|value| (value, rounded(value))).collect();
        }
        // Also of a logarithmic axis that is shorter than from one round number to the next.
        let values = self.inside(generate_ticks(self.low, self.high, count));
        values.iter().map(|value| (*value, written(*value, &values))).collect()
    }

    fn inside(&self, mut ticks: Vec<f64>) -> Vec<f64> {
        ticks.retain(|value| (-1e-9..=1.0 + 1e-9).contains(&self.place(*value)));
        ticks.retain(|value| !self.whole || value.fract() == 0.0);
        ticks
    }
}

/// The smallest and the largest value, if there is one.
pub(super) fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().fold(None, |known, value| {
        let (low, high) = known.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// A range around a value that is the only one.
fn widened(value: f64) -> (f64, f64) {
    let by = if value.abs() < 1e-300 { 1.0 } else { value.abs() / 2.0 };
    (finite(value - by), finite(value + by))
}

fn finite(value: f64) -> f64 {
    value.clamp(f64::MIN, f64::MAX)
}

/// A tick of a linear axis, with as many digits as the distance of the ticks needs.
fn written(value: f64, ticks: &[f64]) -> String {
    let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let largest = ticks.iter().fold(0.0, |largest: f64, tick| largest.max(tick.abs()));
    if value == 0.0 {
        return "0".to_string();
    }
    if !step.is_finite() {
        return rounded(value);
    }
    // The power of ten of the last digit: 0.25 ends one digit after its first one, 0.2 with it.
    let exponent = |number: f64| (number * (1.0 + 1e-9)).log10().floor() as i32;
    let first = step / 10_f64.powi(exponent(step));
    let last = exponent(step) - i32::from((first - first.round()).abs() > 0.01);
    let places = |digits: i32| digits.clamp(0, 15) as usize;
    if (1e-3..1e6).contains(&largest) {
        format!("{value:.*}", places(-last))
    } else {
        format!("{value:.*e}", places(exponent(value.abs()) - last))
    }
}

/// A number with at most six digits that count.
pub(super) fn rounded(value: f64) -> String {
    let short: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    if short == 0.0 || (1e-3..1e6).contains(&short.abs()) { format!("{short}") } else { format!("{short:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Axis) -> Vec<String> {
        axis.ticks(5).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_say_where_they_are() {
        assert_eq!(labels(Axis::exactly(0.0, 10.0)).first().unwrap(), "0");
        let ranges =
            [(0.0, 1.0), (-0.08, 2.08), (-3.5, 8.1), (0.0, 3e7), (1e9, 1e9 + 4.0), (-2e-7, 3e-7), (-1e305, 1e305)];
        for (low, high) in ranges {
            let axis = Axis::exactly(low, high);
            for count in 2..=10 {
                let ticks = axis.ticks(count);
                assert!(ticks.len() > 1, "{low} to {high}: {ticks:?}");
                for (value, label) in &ticks {
                    let error = (label.parse::<f64>().unwrap() - value).abs();
                    assert!(error < (high - low) * 1e-6, "{value} is written as {label}, of {ticks:?}");
                }
            }
        }
    }

    #[test]
    fn a_logarithmic_axis_has_plain_labels() {
        let labels = labels(Axis::around([0.002, 0.5], Scale::Log));
        assert!(labels.contains(&"0.02".to_string()) && labels.contains(&"0.5".to_string()), "{labels:?}");
    }

    #[test]
    fn a_short_logarithmic_axis_has_ticks_too() {
        assert!(labels(Axis::around([0.021, 0.049], Scale::Log)).len() > 1);
    }

    #[test]
    fn every_value_has_a_place_inside() {
        let positive = [vec![1.0, 2.0], vec![5e-324, 1.0], vec![f64::MAX], vec![1e-300, 1e300]];
        let any = [vec![0.0], vec![-7.0, -7.0], vec![f64::MIN, f64::MAX], vec![5e-324], vec![-1.0, 1.0]];
        let linear = positive.iter().chain(&any).map(|values| (values, Scale::Linear));
        for (values, scale) in linear.chain(positive.iter().map(|values| (values, Scale::Log))) {
            let axis = Axis::around(values.clone(), scale);
            for value in values {
                assert!((-0.1..=1.1).contains(&axis.place(*value)), "{value} is at {} of {axis:?}", axis.place(*value));
            }
        }
    }

    #[test]
    fn counting_starts_at_one_and_knows_no_halves() {
        assert_eq!(labels(Axis::counting(3)), ["1", "2", "3"]);
        assert_eq!(labels(Axis::counting(1)), ["1"]);
        assert!(!labels(Axis::counting(50)).contains(&"0".to_string()));
    }

    #[test]
    fn few_digits() {
        assert_eq!(rounded(0.0), "0");
        assert_eq!(rounded(2547.0), "2547");
        assert_eq!(rounded(0.000_123_4), "1.234e-4");
        assert_eq!(rounded(0.1 + 0.2), "0.3");
    }
}
