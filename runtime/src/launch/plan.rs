//! What a kernel asks of a launch: its requirements, and how long its shared slices are.

use super::Geometry;
use crate::error::Error;
use std::fmt::Debug;

/// Evaluates what a kernel asks of one launch, when the geometry is known. Generated code calls it.
pub struct Plan {
    kernel: &'static str,
    geometry: Geometry,
    /// What the launch gives to `dynamic_shared`, in bytes.
    given: Option<usize>,
    /// The first thing that is wrong.
    problem: Option<Error>,
}

/// Alignment of the first shared slice, and so of 16-byte loads from it.
const ALIGNMENT: usize = 16;

/// Where a shared slice lies in the block's dynamic shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SharedSlice {
    /// Its first byte.
    pub offset: usize,
    /// Elements.
    pub len: usize,
}

macro_rules! sizes {
    ($($name:ident: |$geometry:ident| $value:expr;)*) => {$(
        #[doc = concat!("The built-in `", stringify!($name), "()`.")]
        pub fn $name(&self) -> usize {
            let $geometry = &self.geometry;
            $value
        }
    )*};
}

impl Plan {
    pub(super) fn new(kernel: &'static str, geometry: Geometry, given: Option<usize>) -> Plan {
        Plan { kernel, geometry, given, problem: None }
    }

    pub(super) fn finish(self) -> Result<Geometry, Error> {
        match self.problem {
            Some(problem) => Err(problem),
            None => Ok(self.geometry),
        }
    }

    sizes! {
        block_dim_x: |geometry| geometry.block[0];
        block_dim_y: |geometry| geometry.block[1];
        block_dim_z: |geometry| geometry.block[2];
        grid_dim_x: |geometry| geometry.grid[0];
        grid_dim_y: |geometry| geometry.grid[1];
        grid_dim_z: |geometry| geometry.grid[2];
        block_size: |geometry| geometry.block.iter().product();
        grid_size: |geometry| geometry.grid.iter().product();
        global_size: |geometry| geometry.grid.iter().product::<usize>() * geometry.block.iter().product::<usize>();
    }

    /// Notes an unmet requirement; one that has no value, as its arithmetic overflows, is unmet.
    pub fn require(&mut self, condition: &'static str, met: Option<bool>, values: &[(&'static str, &dyn Debug)]) {
        if met == Some(true) || self.problem.is_some() {
            return;
        }
        let values = values.iter().map(|(name, value)| (*name, format!("{value:?}"))).collect();
        self.problem = Some(Error::Requirement { kernel: self.kernel, condition, values });
    }

    /// The next shared slice, of `len` elements; none if its arithmetic overflows.
    pub fn shared_slice<T>(&mut self, len: Option<usize>) {
        let start = self.geometry.dynamic_shared.next_multiple_of(align_of::<T>());
        let end = len.and_then(|len| len.checked_mul(size_of::<T>())?.checked_add(start));
        let Some((len, end)) = len.zip(end).filter(|(_, end)| isize::try_from(*end).is_ok()) else {
            self.problem.get_or_insert(Error::shared_memory(self.kernel, u64::MAX, u64::MAX));
            return;
        };
        self.geometry.slices.push(SharedSlice { offset: start, len });
        self.geometry.dynamic_shared = end;
    }

    /// The slice of what the launch gives.
    pub fn dynamic_shared<T>(&mut self) {
        match self.given.take() {
            Some(bytes) => self.shared_slice::<T>(Some(bytes / size_of::<T>())),
            None => {
                let problem = "it uses `dynamic_shared`, so give its size with `.shared_memory(bytes)`";
                self.problem.get_or_insert(Error::Device { kernel: self.kernel, problem });
            }
        }
    }

    /// The first byte behind static shared memory of `bytes` at which shared slices can start.
    pub(crate) fn dynamic_start(bytes: usize) -> usize {
        bytes.next_multiple_of(ALIGNMENT)
    }
}
