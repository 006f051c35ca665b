// The barrier of all blocks of a cooperative launch. Threads and blocks that have ended are not waited for; if a thread
// faults, those that wait leave.
static __shared__ volatile u32 wc_grid_leader;
static __shared__ u32 wc_grid_ended;

WC_FN void wc_grid_enter() {
    if (wc_thread_rank() == 0ull) wc_grid_ended = 0u;
    __syncthreads();
}

// Counts a block that has arrived (`one` = 1) or ended (`one` = 1 << 32). The last of all lets the others go on.
static __device__ __noinline__ void wc_grid_count(wc_env e, u64 one) {
    u64 now = atomicAdd(&e.record->grid_blocks, one) + one;
    u64 arrived = now & 0xffffffffull;
    if (arrived == 0ull || arrived + (now >> 32) != wc_grid_size()) return;
    atomicAdd(&e.record->grid_blocks, 0ull - arrived);
    __threadfence();
    atomicAdd(&e.record->grid_generation, 1u);
}

// A thread ends; with the last of a block, the block does.
WC_FN void wc_grid_leave(wc_env e) {
    __threadfence();
    if (atomicAdd(&wc_grid_ended, 1u) + 1u == (u32)wc_block_size()) wc_grid_count(e, 1ull << 32);
}

static __device__ __noinline__ void wc_sync_grid(wc_env e) {
    const u32 nobody = 0xffffffffu;
    u32 rank = (u32)wc_thread_rank();
    // Any one of the threads that are here; the first may have ended.
    wc_grid_leader = rank;
    __syncthreads();
    if (wc_grid_leader == rank) {
        volatile wc_record* r = e.record;
        u32 generation = r->grid_generation;
        __threadfence();
        wc_grid_count(e, 1ull);
        while (r->grid_generation == generation && r->grid_faulted == 0u) __nanosleep(32);
        __threadfence();
        if (r->grid_generation == generation) wc_grid_leader = nobody;
    }
    __syncthreads();
    if (wc_grid_leader == nobody) asm volatile("exit;");
}
