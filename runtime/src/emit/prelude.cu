// The part that every kernel's text starts with. Header-free.
typedef signed char i8; typedef short i16; typedef int i32; typedef long long i64;
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long long u64;
typedef float f32; typedef double f64;
#define WC_FN static __device__ __forceinline__

// The fault that a launch reports: the lowest (launch, block, thread) of those recorded. `words`: the values of a panic's
// message. Behind them is the state of the cooperative launch that runs; see `wc_sync_grid`.
struct wc_record {
    u32 lock; u32 site; u64 launch; u64 block; u64 thread; u64 index; u64 length; u64 words[16];
    u64 grid_blocks; u32 grid_generation; u32 grid_faulted;
};
#ifdef WC_PRINTS
struct wc_output;
struct wc_env { wc_record* record; u64 launch; wc_output* output; u64 capacity; };
#else
struct wc_env { wc_record* record; u64 launch; };
#endif

#ifdef WC_ONE_DIMENSION
// Launches of one dimension are compiled apart: their indices cost next to nothing.
WC_FN u64 wc_thread_rank() { return (u64)threadIdx.x; }
WC_FN u64 wc_block_rank() { return (u64)blockIdx.x; }
WC_FN u64 wc_block_size() { return (u64)blockDim.x; }
WC_FN u64 wc_grid_size() { return (u64)gridDim.x; }
#else
WC_FN u64 wc_thread_rank() { return ((u64)threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
WC_FN u64 wc_block_rank() { return ((u64)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
WC_FN u64 wc_block_size() { return (u64)blockDim.x * blockDim.y * blockDim.z; }
WC_FN u64 wc_grid_size() { return (u64)gridDim.x * gridDim.y * gridDim.z; }
#endif
WC_FN u64 wc_global_id() { return wc_block_rank() * wc_block_size() + wc_thread_rank(); }
WC_FN u64 wc_global_warp_id() { return wc_block_rank() * ((wc_block_size() + 31) / 32) + wc_thread_rank() / 32; }

// Records the fault, if it is the lowest. `lock` is odd while a record is written, so a read between two equal even
// values is whole.
WC_FN void wc_record_fault(wc_env e, u32 site, u64 index, u64 length, const u64* words, u32 count) {
    u64 block = wc_block_rank(), thread = wc_thread_rank();
    volatile wc_record* r = e.record;
    for (;;) {
        u32 version = r->lock;
        __threadfence();
        u64 l = r->launch, b = r->block, t = r->thread;
        __threadfence();
        if ((version & 1u) != 0u || r->lock != version) continue;
        bool lower = e.launch < l || (e.launch == l && (block < b || (block == b && thread < t)));
        if (!lower) break;
        if (atomicCAS((u32*)&r->lock, version, version + 1u) == version) {
            __threadfence();
            r->launch = e.launch; r->block = block; r->thread = thread;
            r->site = site; r->index = index; r->length = length;
            for (u32 k = 0; k < count; ++k) r->words[k] = words[k];
            __threadfence();
            atomicExch((u32*)&r->lock, version + 2u);
            break;
        }
    }
    r->grid_faulted = 1u;
}

// These end the thread; the others and the context live on.
static __device__ __noinline__ void wc_fault(wc_env e, u32 site, u64 index, u64 length) {
    wc_record_fault(e, site, index, length, 0, 0u);
    asm volatile("exit;");
}
static __device__ __noinline__ void wc_panic(wc_env e, u32 site, const u64* words, u32 count) {
    wc_record_fault(e, site, 0ull, 0ull, words, count);
    asm volatile("exit;");
}

// Integers: signed arithmetic is done unsigned, where it wraps; narrow types are not promoted to int.
#define WC_INT(T, W) \
    WC_FN T wc_add_##T(T a, T b) { return (T)((W)a + (W)b); } \
    WC_FN T wc_sub_##T(T a, T b) { return (T)((W)a - (W)b); } \
    WC_FN T wc_mul_##T(T a, T b) { return (T)((W)a * (W)b); } \
    WC_FN T wc_neg_##T(T a) { return (T)((W)0 - (W)a); } \
    WC_FN T wc_shl_##T(T a, u32 s) { return (T)((W)a << (s & (sizeof(T) * 8 - 1))); } \
    WC_FN T wc_shr_##T(T a, u32 s) { return (T)(a >> (s & (sizeof(T) * 8 - 1))); } \
    WC_FN T wc_min_##T(T a, T b) { return b < a ? b : a; } \
    WC_FN T wc_max_##T(T a, T b) { return b > a ? b : a; }
WC_INT(i8, u32) WC_INT(i16, u32) WC_INT(i32, u32) WC_INT(i64, u64)
WC_INT(u8, u32) WC_INT(u16, u32) WC_INT(u32, u32) WC_INT(u64, u64)
WC_FN i32 wc_abs_i32(i32 a) { return a < 0 ? wc_neg_i32(a) : a; }
WC_FN i64 wc_abs_i64(i64 a) { return a < 0 ? wc_neg_i64(a) : a; }
WC_FN u32 wc_ctz_u32(u32 x) { return x == 0u ? 32u : (u32)__clz((int)__brev(x)); }
WC_FN u32 wc_ctz_u64(u64 x) { return x == 0ull ? 64u : (u32)__clzll((long long)__brevll(x)); }

// Floats: NaN is ignored, -0 is below +0.
WC_FN bool wc_is_nan_f32(f32 x) { return x != x; }
WC_FN bool wc_is_nan_f64(f64 x) { return x != x; }
WC_FN bool wc_is_finite_f32(f32 x) { return (__float_as_uint(x) & 0x7f800000u) != 0x7f800000u; }
WC_FN bool wc_is_finite_f64(f64 x) { return ((u64)__double_as_longlong(x) & 0x7ff0000000000000ull) != 0x7ff0000000000000ull; }
WC_FN u32 wc_to_bits_f32(f32 x) { return x != x ? 0x7fc00000u : __float_as_uint(x); }
WC_FN u64 wc_to_bits_f64(f64 x) { return x != x ? 0x7ff8000000000000ull : (u64)__double_as_longlong(x); }
WC_FN bool wc_negative_f32(f32 x) { return (__float_as_uint(x) >> 31) != 0u; }
WC_FN bool wc_negative_f64(f64 x) { return ((u64)__double_as_longlong(x) >> 63) != 0ull; }
#define WC_FLOAT(T) \
    WC_FN T wc_min_##T(T a, T b) { return (a < b || b != b || (a == b && wc_negative_##T(a))) ? a : b; } \
    WC_FN T wc_max_##T(T a, T b) { return (a > b || b != b || (a == b && !wc_negative_##T(a))) ? a : b; }
WC_FLOAT(f32) WC_FLOAT(f64)

// Casts from floats saturate, and NaN is 0. `above` is the first float that is too large.
#define WC_CAST(F, T, below, above, low, high) \
    WC_FN T wc_cast_##F##_##T(F x) { return x != x ? (T)0 : x >= above ? high : x <= below ? low : (T)x; }
#define WC_CASTS(F) \
    WC_CAST(F, i8, (F)-128.0, (F)128.0, (i8)-128, (i8)127) \
    WC_CAST(F, i16, (F)-32768.0, (F)32768.0, (i16)-32768, (i16)32767) \
    WC_CAST(F, i32, (F)-2147483648.0, (F)2147483648.0, (i32)0x80000000u, (i32)0x7fffffff) \
    WC_CAST(F, i64, (F)-9223372036854775808.0, (F)9223372036854775808.0, (i64)0x8000000000000000ull, (i64)0x7fffffffffffffffll) \
    WC_CAST(F, u8, (F)0.0, (F)256.0, (u8)0, (u8)255) \
    WC_CAST(F, u16, (F)0.0, (F)65536.0, (u16)0, (u16)65535) \
    WC_CAST(F, u32, (F)0.0, (F)4294967296.0, 0u, 0xffffffffu) \
    WC_CAST(F, u64, (F)0.0, (F)18446744073709551616.0, 0ull, 0xffffffffffffffffull)
WC_CASTS(f32) WC_CASTS(f64)

// An index that was loaded from memory others may write is loaded once: the check and the access see the same value.
#define WC_ONCE(T, R) WC_FN T wc_once_##T(T x) { asm volatile("" : "+" R(x)); return x; }
WC_ONCE(i16, "h") WC_ONCE(u16, "h") WC_ONCE(i32, "r") WC_ONCE(u32, "r") WC_ONCE(i64, "l") WC_ONCE(u64, "l")
WC_FN i8 wc_once_i8(i8 x) { return (i8)wc_once_i32(x); }
WC_FN u8 wc_once_u8(u8 x) { return (u8)wc_once_u32(x); }
