// Atomics of 32 and 64 bits, signed ones on the bits where the result is the same.
#define WC_ATOMIC_ACCESS(T, U) \
    WC_FN T wc_atomic_load(const T* p) { return *(const volatile T*)p; } \
    WC_FN void wc_atomic_store(T* p, T x) { *(volatile T*)p = x; } \
    WC_FN U wc_atomic_swap(T* p, U c, U x) { return atomicCAS((U*)p, c, x); }
WC_ATOMIC_ACCESS(i32, u32) WC_ATOMIC_ACCESS(u32, u32) WC_ATOMIC_ACCESS(i64, u64) WC_ATOMIC_ACCESS(u64, u64)
WC_ATOMIC_ACCESS(f32, u32) WC_ATOMIC_ACCESS(f64, u64)

#define WC_ATOMICS(T, U) \
    WC_FN T wc_atomic_add(T* p, T x) { return (T)atomicAdd((U*)p, (U)x); } \
    WC_FN T wc_atomic_sub(T* p, T x) { return (T)atomicAdd((U*)p, (U)0 - (U)x); } \
    WC_FN T wc_atomic_min(T* p, T x) { return atomicMin(p, x); } \
    WC_FN T wc_atomic_max(T* p, T x) { return atomicMax(p, x); } \
    WC_FN T wc_atomic_and(T* p, T x) { return (T)atomicAnd((U*)p, (U)x); } \
    WC_FN T wc_atomic_or(T* p, T x) { return (T)atomicOr((U*)p, (U)x); } \
    WC_FN T wc_atomic_xor(T* p, T x) { return (T)atomicXor((U*)p, (U)x); } \
    WC_FN T wc_atomic_exch(T* p, T x) { return (T)atomicExch((U*)p, (U)x); } \
    WC_FN T wc_atomic_cas(T* p, T c, T x) { return (T)wc_atomic_swap(p, (U)c, (U)x); }
WC_ATOMICS(i32, u32) WC_ATOMICS(u32, u32) WC_ATOMICS(i64, u64) WC_ATOMICS(u64, u64)

WC_FN u32 wc_atomic_inc(u32* p, u32 limit) { return atomicInc(p, limit); }
WC_FN u32 wc_atomic_dec(u32* p, u32 limit) { return atomicDec(p, limit); }

// What CUDA lacks is a loop around a compare-and-swap. It ends at once where nothing would change.
#define WC_ATOMIC_LOOP(NAME, T, U, BITS, VALUE, NEXT) \
    WC_FN T wc_atomic_##NAME(T* p, T x) { \
        U seen = BITS(wc_atomic_load(p)); \
        for (;;) { \
            T old = VALUE(seen); \
            U next = BITS(NEXT); \
            if (next == seen) return old; \
            U found = wc_atomic_swap(p, seen, next); \
            if (found == seen) return old; \
            seen = found; \
        } \
    }
#define WC_SAME(X) (X)
#define WC_F32_BITS(X) __float_as_uint(X)
#define WC_F32_VALUE(X) __uint_as_float(X)
#define WC_F64_BITS(X) ((u64)__double_as_longlong(X))
#define WC_F64_VALUE(X) __longlong_as_double((long long)(X))
WC_ATOMIC_LOOP(inc, u64, u64, WC_SAME, WC_SAME, old >= x ? 0ull : old + 1ull)
WC_ATOMIC_LOOP(dec, u64, u64, WC_SAME, WC_SAME, (old == 0ull || old > x) ? x : old - 1ull)
WC_ATOMIC_LOOP(min, f32, u32, WC_F32_BITS, WC_F32_VALUE, wc_min_f32(old, x))
WC_ATOMIC_LOOP(max, f32, u32, WC_F32_BITS, WC_F32_VALUE, wc_max_f32(old, x))
WC_ATOMIC_LOOP(min, f64, u64, WC_F64_BITS, WC_F64_VALUE, wc_min_f64(old, x))
WC_ATOMIC_LOOP(max, f64, u64, WC_F64_BITS, WC_F64_VALUE, wc_max_f64(old, x))

// Floats are swapped by their bits, where every NaN is the same: one that is there may have other bits than the one that
// is asked for.
#define WC_ATOMIC_FLOATS(T, U, BITS, VALUE) \
    WC_FN T wc_atomic_add(T* p, T x) { return atomicAdd(p, x); } \
    WC_FN T wc_atomic_exch(T* p, T x) { return VALUE(atomicExch((U*)p, BITS(x))); } \
    WC_FN T wc_atomic_cas(T* p, T c, T x) { \
        U wanted = BITS(c); \
        for (;;) { \
            U found = wc_atomic_swap(p, wanted, BITS(x)); \
            T old = VALUE(found); \
            if (found == wanted || c == c || old == old) return old; \
            wanted = found; \
        } \
    }
WC_ATOMIC_FLOATS(f32, u32, WC_F32_BITS, WC_F32_VALUE) WC_ATOMIC_FLOATS(f64, u64, WC_F64_BITS, WC_F64_VALUE)
