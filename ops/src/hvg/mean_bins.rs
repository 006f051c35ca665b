//! Bins of equal width over a range of values, as `pandas.cut` makes them.

/// Edges of right-closed bins of equal width over a set of values.
pub(super) struct EqualWidthBins {
    edges: Vec<f64>,
}

impl EqualWidthBins {
    /// Bins from the least to the largest of `values`, which are finite and not empty; `count` is at
    /// least 1.
    ///
    /// pandas 3.1, `core/reshape/tile.py`, `_nbins_to_bins`: edges by `numpy.linspace`; the lowest
    /// is lowered by 0.1 % of the range so that the least value falls into the first bin; a single
    /// value is first widened by 0.1 % of itself to both sides.
    pub(super) fn over(values: &[f64], count: usize) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least < largest {
            let mut edges = equally_spaced(least, largest, count);
            edges[0] -= 0.001 * (largest - least);
            return Self { edges };
        }
        let margin = if least == 0.0 { 0.001 } else { 0.001 * least.abs() };
        Self { edges: equally_spaced(least - margin, largest + margin, count) }
    }

    /// Number of the bin that holds `value`, one of the values that the bins were made for.
    pub(super) fn index(&self, value: f64) -> usize {
        let below = self.edges.partition_point(|edge| *edge < value);
        // Where the range is too narrow for the lowest edge to move, the least value lies on it.
        below.saturating_sub(1)
    }
}

/// `count + 1` numbers from `first` to `last`, rounded as in `numpy.linspace`.
fn equally_spaced(first: f64, last: f64, count: usize) -> Vec<f64> {
    let step = (last - first) / count as f64;
    let mut numbers: Vec<f64> = (0..=count).map(|i| i as f64 * step + first).collect();
    numbers[count] = last;
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(values: &[f64], count: usize) -> Vec<usize> {
        let bins = EqualWidthBins::over(values, count);
        values.iter().map(|value| bins.index(*value)).collect()
    }

    #[test]
    fn bins_are_closed_on_the_right() {
        // pandas.cut([0, 1, 2, 3, 4], 4): (-0.004, 1], (1, 2], (2, 3], (3, 4]
        assert_eq!(indices(&[0.0, 1.0, 2.0, 3.0, 4.0], 4), [0, 0, 1, 2, 3]);
        assert_eq!(indices(&[0.0, 1.0000001, 4.0], 4), [0, 1, 3]);
    }

    #[test]
    fn equal_values_share_the_bin_in_the_middle() {
        // pandas.cut([2, 2, 2], 20) puts all of them into the tenth bin, (1.9998, 2.0].
        assert_eq!(indices(&[2.0, 2.0, 2.0], 20), [9, 9, 9]);
        assert_eq!(indices(&[0.0, 0.0], 20), [9, 9]);
    }

    #[test]
    fn every_value_has_a_bin_when_the_range_is_one_rounding_unit() {
        let next = 1.0_f64.next_up();
        assert!(indices(&[1.0, next], 20).iter().all(|bin| *bin < 20));
    }
}
