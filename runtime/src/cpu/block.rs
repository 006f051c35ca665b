//! One block of a launch on the CPU.

use super::grid::GridBarrier;
use super::{Index, Progress, Site, Thread};
use crate::lang::{GpuType, Shared};
use crate::launch::{Geometry, SharedSlice};
use std::alloc::Layout;
use std::cell::{Cell, UnsafeCell};

/// A block: its indices and its shared memory.
pub struct Block<'a> {
    index: Index,
    arena: &'a Arena,
    used: Cell<usize>,
    geometry: &'a Geometry,
    /// Where the blocks of a cooperative launch wait for each other.
    grid: Option<&'a GridBarrier<'a>>,
    /// The places in the kernel's source.
    sites: Cell<&'static [Site]>,
    progress: &'a Progress,
}

impl<'a> Block<'a> {
    /// Block number `rank` of a launch.
    pub(crate) fn new(
        rank: usize,
        geometry: &'a Geometry,
        arena: &'a Arena,
        grid: Option<&'a GridBarrier<'a>>,
        progress: &'a Progress,
    ) -> Block<'a> {
        let (grid_dim, block, block_size) = (geometry.grid, geometry.block, geometry.threads_per_block());
        let index = Index {
            block: [rank % grid_dim[0], rank / grid_dim[0] % grid_dim[1], rank / (grid_dim[0] * grid_dim[1])],
            block_dim: block,
            grid_dim,
            block_rank: rank,
            block_size,
            grid_size: geometry.blocks(),
            base: rank * block_size,
        };
        Block { index, arena, used: Cell::new(0), geometry, grid, sites: Cell::new(&[]), progress }
    }

    /// Says which places the kernel's source has; generated code does so at the block's start.
    #[inline(always)]
    pub fn of(&self, sites: &'static [Site]) {
        self.sites.set(sites);
    }

    /// Where the blocks of a cooperative launch wait for each other.
    pub(super) fn grid(&self) -> Option<&'a GridBarrier<'a>> {
        self.grid
    }

    /// The progress of the launch.
    pub(super) fn progress(&self) -> &'a Progress {
        self.progress
    }

    /// Threads along x.
    #[inline(always)]
    pub fn dim_x(&self) -> usize {
        self.index.block_dim[0]
    }

    /// Threads along y.
    #[inline(always)]
    pub fn dim_y(&self) -> usize {
        self.index.block_dim[1]
    }

    /// Threads along z.
    #[inline(always)]
    pub fn dim_z(&self) -> usize {
        self.index.block_dim[2]
    }

    /// Threads in all.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.index.block_size
    }

    /// The thread at these coordinates.
    #[inline(always)]
    pub fn thread(&self, x: usize, y: usize, z: usize) -> Thread<'_> {
        Thread::new(&self.index, self.sites.get(), x, y, z)
    }

    /// The thread of that number.
    #[inline(always)]
    pub fn thread_at(&self, rank: usize) -> Thread<'_> {
        let [x, y, _] = self.index.block_dim;
        if x == self.index.block_size {
            return Thread::new(&self.index, self.sites.get(), rank, 0, 0);
        }
        Thread::new(&self.index, self.sites.get(), rank % x, rank / x % y, rank / (x * y))
    }

    /// The number of warps; the last may be partial.
    #[inline(always)]
    pub fn warps(&self) -> usize {
        self.size().div_ceil(32)
    }

    /// The number of lanes of a warp.
    #[inline(always)]
    pub fn lanes(&self, warp: usize) -> usize {
        (self.size() - warp * 32).min(32)
    }

    /// The bits of the lanes of a warp.
    #[inline(always)]
    pub fn lane_mask(&self, warp: usize) -> u32 {
        u32::MAX >> (32 - self.lanes(warp))
    }

    /// A thread by warp and lane.
    #[inline(always)]
    pub fn lane(&self, warp: usize, lane: usize) -> Thread<'_> {
        self.thread_at(warp * 32 + lane)
    }

    /// How many of the first threads have a global id below `len`. For a block of several rows it says 0: they are run
    /// one by one, with checks.
    #[inline(always)]
    pub fn in_range(&self, len: usize) -> usize {
        if self.dim_y() * self.dim_z() == 1 { len.saturating_sub(self.index.base).min(self.dim_x()) } else { 0 }
    }

    /// The next shared array. Generated code asks for each once, at the block's start.
    pub fn shared<T: GpuType>(&self) -> &Shared<T> {
        let layout = Layout::new::<T>();
        let start = self.used.get().next_multiple_of(layout.align());
        self.used.set(start + layout.size());
        &self.arena.array::<T>(start, 1)[0]
    }

    /// The shared slice of that number. Generated code asks for each once, at the block's start.
    pub fn shared_slice<T: GpuType>(&self, number: usize) -> &[Shared<T>] {
        let SharedSlice { offset, len } = self.geometry.slices[number];
        self.arena.array::<T>(self.geometry.dynamic_start() + offset, len)
    }
}

/// The layout of a shared array.
pub fn shared_layout<T: GpuType>() -> Layout {
    Layout::new::<T>()
}

/// The bytes of shared arrays of these layouts, one after the other.
pub fn static_shared(arrays: &[Layout]) -> usize {
    arrays.iter().fold(0, |used, layout| used.next_multiple_of(layout.align()).saturating_add(layout.size()))
}

/// The most shared memory a block can have: that of the largest devices.
pub(crate) const ARENA_BYTES: usize = 227 * 1024;

/// The shared memory of the blocks that one worker runs, one after the other.
pub struct Arena(UnsafeCell<Box<[u64]>>);

impl Arena {
    /// Enough for any kernel.
    pub(crate) fn new() -> Arena {
        Arena(UnsafeCell::new(vec![0; ARENA_BYTES / 8].into_boxed_slice()))
    }

    /// `count` values in a row.
    fn array<T: GpuType>(&self, start: usize, count: usize) -> &[Shared<T>] {
        let layout = Layout::new::<T>();
        let bytes = layout.size() * count;
        assert!(
            start + bytes <= ARENA_BYTES && start.is_multiple_of(layout.align()) && layout.align() <= 8,
            "the launch has checked how much shared memory the kernel has"
        );
        // SAFETY: the range is inside the arena and aligned (checked above), and no other shared array or slice of this
        // block overlaps it (`Block::shared` hands out disjoint ranges, and the shared slices lie behind all of these, one
        // after the other; see `Plan`). The memory is initialised, and zeroed where not every bit pattern is a value.
        unsafe {
            let array = (*self.0.get()).as_mut_ptr().cast::<u8>().add(start);
            if !T::ANY_BITS {
                array.write_bytes(0, bytes);
            }
            std::slice::from_raw_parts(array.cast::<Shared<T>>(), count)
        }
    }
}
