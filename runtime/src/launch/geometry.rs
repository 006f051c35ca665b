//! Sizes of a launch, and what no device can run.

use super::plan::{Plan, SharedSlice};
use crate::error::Error;

/// Threads in a block, where neither the launch nor the kernel says.
const DEFAULT_BLOCK: [usize; 3] = [256, 1, 1];

/// The most threads a block can have.
const MAX_BLOCK: usize = 1024;

/// The most shared memory that arrays of constant size can have, on every device (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
const MAX_STATIC_SHARED: usize = 48 * 1024;

/// A size in up to three dimensions: `n`, `(x, y)` or `(x, y, z)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim3(pub [usize; 3]);

impl From<usize> for Dim3 {
    fn from(x: usize) -> Dim3 {
        Dim3([x, 1, 1])
    }
}
impl From<(usize, usize)> for Dim3 {
    fn from((x, y): (usize, usize)) -> Dim3 {
        Dim3([x, y, 1])
    }
}
impl From<(usize, usize, usize)> for Dim3 {
    fn from((x, y, z): (usize, usize, usize)) -> Dim3 {
        Dim3([x, y, z])
    }
}

/// The sizes of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub grid: [usize; 3],
    pub block: [usize; 3],
    /// Bytes of the kernel's shared arrays.
    pub static_shared: usize,
    /// Bytes of its shared slices.
    pub dynamic_shared: usize,
    pub slices: Vec<SharedSlice>,
    /// Whether all blocks are resident at a time.
    pub cooperative: bool,
}

impl Geometry {
    /// Where the shared slices start on a device that puts them behind the shared arrays.
    pub(crate) fn dynamic_start(&self) -> usize {
        Plan::dynamic_start(self.static_shared)
    }

    /// One of blocks of this size, for asking a device.
    pub(crate) fn of_block(block: [usize; 3], dynamic_shared: usize) -> Geometry {
        let grid = [1; 3];
        Geometry { grid, block, static_shared: 0, dynamic_shared, slices: Vec::new(), cooperative: true }
    }

    pub(crate) fn blocks(&self) -> usize {
        self.grid.iter().product()
    }

    pub(crate) fn threads_per_block(&self) -> usize {
        self.block.iter().product()
    }
}

/// The block's size: what the launch says, which must be what the kernel says.
pub(super) fn block(
    kernel: &'static str,
    asked: Option<[usize; 3]>,
    required: Option<[usize; 3]>,
) -> Result<[usize; 3], Error> {
    if let (Some(found), Some(required)) = (asked, required)
        && found != required
    {
        return Err(Error::BlockSize { kernel, required, found });
    }
    let block = asked.or(required).unwrap_or(DEFAULT_BLOCK);
    let size = block.iter().try_fold(1usize, |size, dim| size.checked_mul(*dim)).unwrap_or(usize::MAX);
    if size == 0 || size > MAX_BLOCK || block[2] > 64 {
        let deep = block[2] > 64 && size <= MAX_BLOCK;
        return Err(Error::Limit {
            kernel,
            what: match size {
                0 => "the block size (which must not be 0)",
                _ if deep => "the block's z",
                _ => "the block size",
            },
            value: if deep { block[2] } else { size } as u64,
            limit: if deep { 64 } else { MAX_BLOCK as u64 },
            help: "use `.block(256)` and more blocks",
        });
    }
    Ok(block)
}

/// The number of blocks; 0 in any dimension is allowed, and runs nothing.
pub(super) fn grid(
    kernel: &'static str,
    asked: Option<[usize; 3]>,
    threads: Option<usize>,
    block: [usize; 3],
) -> Result<[usize; 3], Error> {
    let grid = match (asked, threads) {
        (Some(grid), _) => grid,
        (None, Some(threads)) => [threads.div_ceil(block.iter().product()), 1, 1],
        (None, None) => [1, 1, 1],
    };
    for (what, value, limit) in [
        ("the grid's x", grid[0], i32::MAX as usize),
        ("the grid's y", grid[1], 65_535),
        ("the grid's z", grid[2], 65_535),
    ] {
        if value > limit {
            return Err(Error::Limit {
                kernel,
                what,
                value: value as u64,
                limit: limit as u64,
                help: "let each thread do more, in a loop with a step of `global_size()`",
            });
        }
    }
    Ok(grid)
}

/// Whether a block can have so much shared memory, of which the device has `limit` bytes for each.
pub(super) fn check_shared(kernel: &'static str, geometry: &Geometry, limit: usize) -> Result<(), Error> {
    if geometry.static_shared > MAX_STATIC_SHARED {
        return Err(Error::Limit {
            kernel,
            what: "the size of its shared arrays, in bytes,",
            value: geometry.static_shared as u64,
            limit: MAX_STATIC_SHARED as u64,
            help: "declare the largest with `shared_slice::<T>(n)`, which can have more",
        });
    }
    let bytes = if geometry.dynamic_shared == 0 {
        geometry.static_shared
    } else {
        geometry.dynamic_start().saturating_add(geometry.dynamic_shared)
    };
    if bytes > limit { Err(Error::shared_memory(kernel, bytes as u64, limit as u64)) } else { Ok(()) }
}

/// Whether all blocks fit on the device, which holds `limit` at a time.
pub(super) fn check_resident(kernel: &'static str, geometry: &Geometry, limit: usize) -> Result<(), Error> {
    if geometry.blocks() <= limit {
        return Ok(());
    }
    Err(Error::Limit {
        kernel,
        what: "the number of blocks that are to be on the device at a time",
        value: geometry.blocks() as u64,
        limit: limit as u64,
        help: "launch as many as `Device::resident_blocks` says, and let each thread do more, in a loop with a step of \
               `global_size()`",
    })
}
