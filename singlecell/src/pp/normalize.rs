//! `normalize_total` and `log1p`

use crate::Error;
use crate::data::Uns;
use crate::pipeline::{DeviceData, Step};
use warpcell_ops::normalize::{log1p, median_of_positive, normalize_total};
use warpcell_ops::qc::cell_qc;

/// Scales each cell to the same sum.
#[derive(Clone, Copy, Debug)]
pub struct NormalizeTotal {
    /// The sum; nothing for the median of the cells' sums that are not 0.
    pub target_sum: Option<f64>,
}

impl Step for NormalizeTotal {
    fn name(&self) -> &'static str {
        "normalize_total"
    }

    fn check(&self, _: &DeviceData) -> Result<(), Error> {
        match self.target_sum {
            Some(target) if !(target > 0.0 && target.is_finite()) => Err(Error::Step {
                step: self.name(),
                problem: format!("target_sum is {target}; give a positive number, such as 10000"),
            }),
            _ => Ok(()),
        }
    }

    fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
        let totals = cell_qc(&data.x)?.total;
        let target = match self.target_sum {
            Some(target) => target,
            None => median_of_positive(&totals)?.ok_or_else(|| Error::Step {
                step: self.name(),
                problem: "no cell has any count, so there is no median to scale to; filter the cells first".into(),
            })?,
        };
        Ok(normalize_total(&mut data.x, &totals, target)?)
    }
}

/// The natural logarithm of 1 + x.
#[derive(Clone, Copy, Debug)]
pub struct Log1p;

impl Step for Log1p {
    fn name(&self) -> &'static str {
        "log1p"
    }

    fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
        if data.uns.contains_key("log1p") {
            let problem = "the data were logarithmised before (`uns` has `log1p`); give raw counts".into();
            return Err(Error::Step { step: self.name(), problem });
        }
        log1p(&mut data.x)?;
        data.uns.insert("log1p".into(), Uns::from([]));
        Ok(())
    }
}
