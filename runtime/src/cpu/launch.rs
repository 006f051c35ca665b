//! Runs the blocks of a launch over the cores.

use super::grid::run_together;
use super::output::recorded;
use super::{Abandoned, Arena, Args, Block, BlockFn, CpuForms, Faulted, Progress};
use crate::launch::Geometry;
use crate::output::Printed;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How the CPU backend runs kernels. The default is what is fastest; the rest is for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuOptions {
    /// Run kernels as one future a thread, even where they can be split into phases.
    pub futures: bool,
    /// Use this instruction set instead of the best that the processor has.
    pub instruction_set: Option<InstructionSet>,
    /// Run on that many workers instead of all cores.
    pub workers: Option<usize>,
}

/// What the CPU forms are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// What every processor of the target has.
    Base,
    /// AVX2 and FMA.
    V3,
}

impl InstructionSet {
    /// The best that this processor has.
    pub(crate) fn detect() -> InstructionSet {
        #[cfg(target_arch = "x86_64")]
        if ["avx2", "fma", "bmi1", "bmi2", "lzcnt", "popcnt"].iter().all(|feature| has(feature)) {
            return InstructionSet::V3;
        }
        InstructionSet::Base
    }
}

#[cfg(target_arch = "x86_64")]
fn has(feature: &str) -> bool {
    match feature {
        "avx2" => is_x86_feature_detected!("avx2"),
        "fma" => is_x86_feature_detected!("fma"),
        "bmi1" => is_x86_feature_detected!("bmi1"),
        "bmi2" => is_x86_feature_detected!("bmi2"),
        "lzcnt" => is_x86_feature_detected!("lzcnt"),
        _ => is_x86_feature_detected!("popcnt"),
    }
}

/// The function that runs a block.
enum Form {
    Safe(BlockFn),
    #[cfg(target_arch = "x86_64")]
    V3(unsafe fn(&Args<'_>, &Block<'_>)),
}

impl Form {
    fn choose(forms: &CpuForms, options: CpuOptions) -> Form {
        let Some(phases) = forms.phases.as_ref().filter(|_| !options.futures) else {
            return Form::Safe(forms.futures);
        };
        #[cfg(target_arch = "x86_64")]
        if options.instruction_set != Some(InstructionSet::Base) && InstructionSet::detect() == InstructionSet::V3 {
            return Form::V3(phases.v3);
        }
        Form::Safe(phases.base)
    }

    fn run(&self, args: &Args<'_>, block: &Block<'_>) {
        match self {
            Form::Safe(function) => function(args, block),
            // SAFETY: `choose` has found that the processor has the features the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Form::V3(function) => unsafe { function(args, block) },
        }
    }
}

/// What all workers of a launch share.
struct Shared<'a> {
    form: Form,
    args: &'a Args<'a>,
    geometry: &'a Geometry,
    next: AtomicUsize,
    step: usize,
    total: usize,
    /// The words that what is printed may still take.
    room: Arc<AtomicUsize>,
    outcome: Mutex<Outcome>,
    progress: Progress,
}

/// What a launch leaves behind.
#[derive(Default)]
pub(crate) struct Outcome {
    /// That of the lowest block that had one.
    pub fault: Option<Faulted>,
    pub printed: Printed,
    panic: Option<Box<dyn Any + Send>>,
}

/// Runs a launch to its end. Its threads can print `room` words.
///
/// # Panics
/// If the kernel's own code panicked.
pub(crate) fn run(forms: &CpuForms, options: CpuOptions, args: &Args<'_>, geometry: &Geometry, room: usize) -> Outcome {
    let total = geometry.blocks();
    let threads = total * geometry.threads_per_block();
    let workers = options.workers.unwrap_or_else(rayon::current_num_threads).min(total);
    let shared = Shared {
        form: Form::choose(forms, options),
        args,
        geometry,
        next: AtomicUsize::new(0),
        step: (total / (workers.max(1) * 16)).clamp(1, 64),
        total,
        room: Arc::new(AtomicUsize::new(room)),
        outcome: Mutex::default(),
        progress: Progress::new(),
    };
    // A launch this small is done before other cores have woken up.
    const ALONE: usize = 2048;
    if geometry.cooperative {
        let run = |block: &Block<'_>| shared.form.run(args, block);
        run_together(geometry, &shared.progress, run, |payload| record(&shared.outcome, payload));
    } else if workers <= 1 || threads <= ALONE {
        work_and_record(&shared);
    } else {
        rayon::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|_| work_and_record(&shared));
            }
        });
    }
    let mut outcome = shared.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(panic) = outcome.panic.take() {
        std::panic::resume_unwind(panic);
    }
    outcome
}

thread_local! {
    /// The shared memory of the blocks this worker runs.
    static ARENA: Arena = Arena::new();
}

/// Runs blocks, and keeps what they have printed.
fn work_and_record(shared: &Shared<'_>) {
    let mut printed = recorded(&shared.room, || work(shared));
    if !printed.records.is_empty() || printed.dropped > 0 {
        let mut outcome = lock(&shared.outcome);
        outcome.printed.records.append(&mut printed.records);
        outcome.printed.dropped += printed.dropped;
    }
}

fn lock(outcome: &Mutex<Outcome>) -> MutexGuard<'_, Outcome> {
    outcome.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes blocks in ascending order from one counter until there are none, or one has faulted.
fn work(shared: &Shared<'_>) {
    shared.progress.workers_start(1);
    take_blocks(shared);
    shared.progress.worker_ends();
}

fn take_blocks(shared: &Shared<'_>) {
    ARENA.with(|arena| {
        loop {
            let first = shared.next.fetch_add(shared.step, Ordering::Relaxed);
            if first >= shared.total {
                return;
            }
            for rank in first..(first + shared.step).min(shared.total) {
                let block = Block::new(rank, shared.geometry, arena, None, &shared.progress);
                if let Err(payload) = catch_unwind(AssertUnwindSafe(|| shared.form.run(shared.args, &block))) {
                    // All lower blocks have been started, so the lowest fault will be among those recorded.
                    shared.next.store(shared.total, Ordering::Relaxed);
                    record(&shared.outcome, payload);
                    shared.progress.faults();
                    return;
                }
            }
        }
    });
}

fn record(outcome: &Mutex<Outcome>, payload: Box<dyn Any + Send>) {
    let mut outcome = lock(outcome);
    match payload.downcast::<Faulted>() {
        Ok(fault) => {
            if outcome.fault.as_ref().is_none_or(|known| fault.block_rank < known.block_rank) {
                outcome.fault = Some(*fault);
            }
        }
        Err(payload) if payload.is::<Abandoned>() => {}
        Err(panic) => outcome.panic = Some(panic),
    }
}
