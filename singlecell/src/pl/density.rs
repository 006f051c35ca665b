//! How values are spread.

use super::axis::{Axis, extent};

/// A smoothed histogram: at equal steps from the smallest to the largest value, its height as a share of the highest.
pub(super) struct Density {
    low: f64,
    high: f64,
    axis: Axis,
    heights: Vec<f64>,
}

/// Steps of the histogram.
const STEPS: usize = 400;

impl Density {
    /// The kernel estimate of all values (finite ones), Gaussian, with Silverman's bandwidth; mass that would lie
    /// beyond the smallest or the largest value is reflected (Silverman, "Density Estimation", 1986, 3.4.2 and 2.10).
    /// Values are counted in steps first, so that it takes time in proportion to their number.
    ///
    /// Nothing if the values are all equal, or none: they have no density.
    pub(super) fn of(values: &[f64]) -> Option<Density> {
        let (low, high) = extent(values.iter().copied()).filter(|(low, high)| low < high)?;
        let axis = Axis::exactly(low, high);
        let mut counts = vec![0.0; STEPS];
        for value in values {
            counts[step_at(axis.place(*value))] += 1.0;
        }
        let heights = smoothed(&counts, bandwidth(&counts));
        let highest = heights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        Some(Density { low, high, axis, heights: heights.iter().map(|height| height / highest).collect() })
    }

    /// Values at equal steps, and the height at each.
    pub(super) fn outline(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> {
        let value = |step: usize| {
            let share = step as f64 / (STEPS - 1) as f64;
            self.low * (1.0 - share) + self.high * share
        };
        self.heights.iter().enumerate().map(move |(step, height)| (value(step), *height))
    }

    /// The height at a value, from 0 to 1.
    pub(super) fn at(&self, value: f64) -> f64 {
        self.heights[step_at(self.axis.place(value))]
    }
}

fn step_at(place: f64) -> usize {
    // A float becomes an integer by saturation: no place is outside.
    ((place * (STEPS - 1) as f64).round() as usize).min(STEPS - 1)
}

/// Silverman's rule, 0.9 min(deviation, quartile distance / 1.34) n^(-1/5), in steps, and not below one step.
fn bandwidth(counts: &[f64]) -> f64 {
    let total: f64 = counts.iter().sum();
    let moment = |power: i32| counts.iter().enumerate().map(|(k, n)| n * (k as f64).powi(power)).sum::<f64>() / total;
    let deviation = (moment(2) - moment(1).powi(2)).max(0.0).sqrt();
    let quartiles = (quantile(counts, 0.75) - quantile(counts, 0.25)) / 1.34;
    let spread = if quartiles > 0.0 { deviation.min(quartiles) } else { deviation };
    (0.9 * spread * total.powf(-0.2)).max(1.0)
}

fn quantile(counts: &[f64], share: f64) -> f64 {
    let wanted = counts.iter().sum::<f64>() * share;
    let mut below = 0.0;
    let place = counts.iter().position(|count| {
        below += count;
        below >= wanted
    });
    place.unwrap_or(counts.len() - 1) as f64
}

fn smoothed(counts: &[f64], bandwidth: f64) -> Vec<f64> {
    let last = counts.len() as i64 - 1;
    let reach = ((4.0 * bandwidth).ceil() as i64).min(last);
    let weight = |distance: i64| (-0.5 * (distance as f64 / bandwidth).powi(2)).exp();
    let weights: Vec<f64> = (0..=reach).map(weight).collect();
    // Each end is a mirror; `reach` is at most `last`, so once is enough.
    let mirrored = |step: i64| if step < 0 { -step } else if step > last { 2 * last - step } else { step } as usize;
    let height = |step: i64| -> f64 {
        (step - reach..=step + reach).map(|k| counts[mirrored(k)] * weights[(k - step).unsigned_abs() as usize]).sum()
    };
    (0..=last).map(height).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_highest_where_most_values_are() {
        let value = |k: i32| if k % 4 == 0 { 10.0 - f64::from(k % 9) / 10.0 } else { 2.0 + f64::from(k % 7) / 10.0 };
        let values: Vec<f64> = (0..1000).map(value).collect();
        let density = Density::of(&values).unwrap();
        let (peak, height) = density.outline().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!((1.9..2.7).contains(&peak) && height == 1.0, "{height} at {peak}");
        assert_eq!(density.at(6.0), 0.0);
        assert!((0.1..0.9).contains(&density.at(9.5)), "{}", density.at(9.5));
    }

    #[test]
    fn a_uniform_spread_is_flat_up_to_its_ends() {
        let values: Vec<f64> = (0..100_000).map(|k| f64::from(k) * 1e-5).collect();
        let density = Density::of(&values).unwrap();
        assert!(density.outline().all(|(_, height)| height > 0.95));
    }

    #[test]
    fn equal_values_have_none() {
        assert!(Density::of(&[]).is_none() && Density::of(&[3.0]).is_none() && Density::of(&[3.0; 9]).is_none());
    }

    #[test]
    fn the_whole_range_of_floats_is_no_overflow() {
        let density = Density::of(&[f64::MIN, 0.0, f64::MAX]).unwrap();
        assert!(density.outline().all(|(value, height)| value.is_finite() && height.is_finite()));
    }
}
