// One turn of waiting for another thread: leaves when one has faulted, and gives up after ten seconds.
static __device__ __noinline__ void wc_wait_turn(wc_env e, u32 site, u64* since) {
    volatile wc_record* r = e.record;
    if (r->launch <= e.launch) asm volatile("exit;");
    u64 now = wc_global_timer();
    if (*since == 0ull) *since = now;
    if (now - *since > 10000000000ull) wc_fault(e, site, 1ull, wc_block_size());
    __nanosleep(20u);
}
// What is read afterwards is read anew.
WC_FN void wc_wait(wc_env e, u32 site, u64* since) { wc_wait_turn(e, site, since); asm volatile("" ::: "memory"); }

#define WC_SPIN(T, NAME, OP) \
    WC_FN void wc_spin_##NAME(wc_env e, u32 site, const T* p, T x) { \
        u64 since = 0ull; \
        while (!(wc_atomic_load(p) OP x)) wc_wait(e, site, &since); \
        __threadfence(); \
    }
#define WC_SPINS(T) WC_SPIN(T, eq, ==) WC_SPIN(T, ne, !=)
WC_SPINS(i32) WC_SPINS(u32) WC_SPINS(i64) WC_SPINS(u64) WC_SPINS(f32) WC_SPINS(f64)
WC_SPIN(i32, ge, >=) WC_SPIN(u32, ge, >=) WC_SPIN(i64, ge, >=) WC_SPIN(u64, ge, >=)

#define WC_LOCK(T) \
    WC_FN void wc_lock(wc_env e, u32 site, T* p) { \
        u64 since = 0ull; \
        while (wc_atomic_swap(p, (T)0, (T)1) != (T)0) wc_wait(e, site, &since); \
        __threadfence(); \
    } \
    WC_FN void wc_unlock(T* p) { __threadfence(); wc_atomic_exch(p, (T)0); }
WC_LOCK(u32) WC_LOCK(u64)
