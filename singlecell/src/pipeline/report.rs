//! What a run took.

use super::{DeviceData, Step};
use crate::Error;
use serde::Serialize;
use std::time::Instant;

/// What a run took.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The steps, in order.
    pub steps: Vec<StepReport>,
}

/// What a step took.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// Its name.
    pub name: &'static str,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Kernels launched.
    pub launches: u64,
    /// Bytes copied to the device.
    pub bytes_to_device: u64,
    /// Bytes copied to the host.
    pub bytes_to_host: u64,
    /// Cells after the step.
    pub n_obs: usize,
    /// Genes after the step.
    pub n_vars: usize,
}

/// Runs a step and measures it.
pub(super) fn measure(step: &dyn Step, data: &mut DeviceData) -> Result<StepReport, Error> {
    let device = data.device.clone();
    let (launches, (to_device, to_host), start) = (device.launches(), device.transferred(), Instant::now());
    step.run(data)?;
    device.synchronize()?;
    let after = device.transferred();
    Ok(StepReport {
        name: step.name(),
        seconds: start.elapsed().as_secs_f64(),
        launches: device.launches() - launches,
        bytes_to_device: after.0 - to_device,
        bytes_to_host: after.1 - to_host,
        n_obs: data.n_obs(),
        n_vars: data.n_vars(),
    })
}
