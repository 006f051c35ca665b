//! Where a thread stands.

use super::Waits;

/// The indices of a block, shared by its threads.
#[derive(Clone, Debug)]
pub struct Index {
    /// `blockIdx`
    pub block: [usize; 3],
    /// `blockDim`
    pub block_dim: [usize; 3],
    /// `gridDim`
    pub grid_dim: [usize; 3],
    /// The block's number, `x` fastest.
    pub block_rank: usize,
    /// Threads in a block.
    pub block_size: usize,
    /// Blocks in the grid.
    pub grid_size: usize,
    /// The global id of the block's first thread.
    pub base: usize,
}

/// One thread of a block, as the CPU forms pass it around.
#[derive(Clone, Copy)]
pub struct Thread<'b> {
    index: &'b Index,
    waits: Option<&'b Waits>,
    x: usize,
    y: usize,
    z: usize,
    rank: usize,
}

static HOST: Index =
    Index { block: [0; 3], block_dim: [1; 3], grid_dim: [1; 3], block_rank: 0, block_size: 1, grid_size: 1, base: 0 };

impl<'b> Thread<'b> {
    /// The thread at these coordinates.
    #[inline(always)]
    pub(crate) fn new(index: &'b Index, x: usize, y: usize, z: usize) -> Thread<'b> {
        let rank = (z * index.block_dim[1] + y) * index.block_dim[0] + x;
        Thread { index, waits: None, x, y, z, rank }
    }

    pub(crate) fn with_waits(self, waits: &'b Waits) -> Thread<'b> {
        Thread { waits: Some(waits), ..self }
    }

    /// What stands for a thread when a device function is called on the host.
    pub fn host() -> Thread<'static> {
        Thread::new(&HOST, 0, 0, 0)
    }

    /// The indices of its block.
    #[inline(always)]
    pub fn index(self) -> &'b Index {
        self.index
    }

    /// `threadIdx.x`
    #[inline(always)]
    pub fn x(self) -> usize {
        self.x
    }

    /// `threadIdx.y`
    #[inline(always)]
    pub fn y(self) -> usize {
        self.y
    }

    /// `threadIdx.z`
    #[inline(always)]
    pub fn z(self) -> usize {
        self.z
    }

    /// Its number in the block.
    #[inline(always)]
    pub fn rank(self) -> usize {
        self.rank
    }

    /// Its lane in its warp.
    #[inline(always)]
    pub fn lane(self) -> u32 {
        (self.rank % 32) as u32
    }

    /// Its number in the launch.
    #[inline(always)]
    pub fn global_id(self) -> usize {
        self.index.base + self.rank
    }

    /// What it waits with. Only the form for futures waits.
    pub(crate) fn waits(self) -> &'b Waits {
        self.waits.expect("only the form for futures waits, and it has what to wait with")
    }
}
