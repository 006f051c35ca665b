//! Where a thread stands.

use super::{Site, Waits};

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

/// What a CPU form does besides what its kernel says.
pub trait Mode: Copy + 'static {
    /// What each of its threads carries along.
    type Company<'b>: Copy;
}

/// Nothing: the fast forms.
#[derive(Clone, Copy)]
pub struct Fast;
impl Mode for Fast {
    type Company<'b> = ();
}

/// Its threads are futures, which can wait for each other and be watched.
#[derive(Clone, Copy)]
pub struct Careful;
impl Mode for Careful {
    type Company<'b> = &'b Waits;
}

/// One thread of a block, as the CPU forms pass it around.
pub struct Thread<'b, M: Mode = Fast> {
    index: &'b Index,
    company: M::Company<'b>,
    /// The places in the source of the function that runs.
    sites: &'static [Site],
    /// The place of the current call.
    site: u32,
    x: usize,
    y: usize,
    z: usize,
    rank: usize,
}

impl<M: Mode> Clone for Thread<'_, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M: Mode> Copy for Thread<'_, M> {}

static HOST: Index =
    Index { block: [0; 3], block_dim: [1; 3], grid_dim: [1; 3], block_rank: 0, block_size: 1, grid_size: 1, base: 0 };

impl<'b> Thread<'b> {
    /// The thread at these coordinates.
    #[inline(always)]
    pub(crate) fn new(index: &'b Index, sites: &'static [Site], x: usize, y: usize, z: usize) -> Thread<'b> {
        let rank = (z * index.block_dim[1] + y) * index.block_dim[0] + x;
        Thread { index, company: (), sites, site: 0, x, y, z, rank }
    }

    pub(crate) fn careful(self, waits: &'b Waits) -> Thread<'b, Careful> {
        let Thread { index, sites, site, x, y, z, rank, company: () } = self;
        Thread { index, company: waits, sites, site, x, y, z, rank }
    }

    /// What stands for a thread when a device function is called on the host.
    pub fn host() -> Thread<'static> {
        Thread::new(&HOST, &[], 0, 0, 0)
    }
}

impl<'b> Thread<'b, Careful> {
    /// What it waits with.
    pub(crate) fn waits(self) -> &'b Waits {
        self.company
    }
}

impl<'b, M: Mode> Thread<'b, M> {
    /// The same thread, in a function whose places are `sites`.
    #[inline(always)]
    pub fn of(self, sites: &'static [Site]) -> Thread<'b, M> {
        Thread { sites, ..self }
    }

    /// The same thread, at the call at that place.
    #[inline(always)]
    pub fn at(self, site: u32) -> Thread<'b, M> {
        Thread { site, ..self }
    }

    /// A place of the function that runs.
    pub(crate) fn site(self, number: u32) -> &'static Site {
        &self.sites[number as usize]
    }

    /// Whether it stands for a call on the host.
    pub(crate) fn is_host(self) -> bool {
        std::ptr::eq(self.index, &HOST)
    }

    /// The place of the current call.
    pub(crate) fn place(self) -> &'static Site {
        self.site(self.site)
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
}
