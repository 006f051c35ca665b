// Warp shuffles of any width, in groups of w lanes.
#define WC_SHUFFLES(T, C) \
    WC_FN T wc_shfl(u32 m, T x, u32 k, u32 w) { return (T)__shfl_sync(m, (C)x, (int)(k & 31u), (int)w); } \
    WC_FN T wc_shfl_up(u32 m, T x, u32 k, u32 w) { return (T)__shfl_up_sync(m, (C)x, k & 31u, (int)w); } \
    WC_FN T wc_shfl_down(u32 m, T x, u32 k, u32 w) { return (T)__shfl_down_sync(m, (C)x, k & 31u, (int)w); } \
    WC_FN T wc_shfl_xor(u32 m, T x, u32 k, u32 w) { return (T)__shfl_xor_sync(m, (C)x, (int)(k & 31u), (int)w); }
WC_SHUFFLES(bool, int) WC_SHUFFLES(i8, int) WC_SHUFFLES(i16, int) WC_SHUFFLES(i32, int) WC_SHUFFLES(i64, long long)
WC_SHUFFLES(u8, unsigned) WC_SHUFFLES(u16, unsigned) WC_SHUFFLES(u32, unsigned) WC_SHUFFLES(u64, unsigned long long)
WC_SHUFFLES(f32, float) WC_SHUFFLES(f64, double)

// Matches compare bits; every NaN is the same. If all lanes match, the answer is the lanes that are there.
#define WC_MATCHES(T, C) \
    WC_FN u32 wc_match_any(u32 m, T x) { return __match_any_sync(m, C(x)); } \
    WC_FN u32 wc_match_all(u32 m, T x) { \
        int all; \
        __match_all_sync(m, C(x), &all); \
        u32 present = __ballot_sync(m, 1); \
        return all != 0 ? present : 0u; \
    }
WC_MATCHES(bool, (u32)) WC_MATCHES(i8, (u32)) WC_MATCHES(i16, (u32)) WC_MATCHES(i32, (u32)) WC_MATCHES(i64, (u64))
WC_MATCHES(u8, (u32)) WC_MATCHES(u16, (u32)) WC_MATCHES(u32, (u32)) WC_MATCHES(u64, (u64))
WC_MATCHES(f32, wc_to_bits_f32) WC_MATCHES(f64, wc_to_bits_f64)

// Reductions of integers, where the order does not matter: a tree over a whole warp, one lane after the other else.
#define WC_REDUCE(NAME, T, COMBINED) \
    WC_FN T wc_reduce_##NAME(u32 m, T a) { \
        u32 present = __ballot_sync(m, 1); \
        if (present == 0xffffffffu) { \
            _Pragma("unroll") \
            for (u32 k = 16u; k > 0u; k /= 2u) { T b = wc_shfl_xor(m, a, k, 32u); a = COMBINED; } \
            return a; \
        } \
        T own = a; \
        a = wc_shfl(m, own, wc_ctz_u32(present), 32u); \
        for (u32 rest = present & (present - 1u); rest != 0u; rest &= rest - 1u) { \
            T b = wc_shfl(m, own, wc_ctz_u32(rest), 32u); \
            a = COMBINED; \
        } \
        return a; \
    }
#define WC_REDUCTIONS(T) \
    WC_REDUCE(add, T, wc_add_##T(a, b)) WC_REDUCE(min, T, wc_min_##T(a, b)) WC_REDUCE(max, T, wc_max_##T(a, b)) \
    WC_REDUCE(and, T, a & b) WC_REDUCE(or, T, a | b) WC_REDUCE(xor, T, a ^ b)
WC_REDUCTIONS(i64) WC_REDUCTIONS(u64)
#if __CUDA_ARCH__ >= 800
#define WC_REDUCE_NATIVE(NAME, T, C) WC_FN T wc_reduce_##NAME(u32 m, T x) { return (T)__reduce_##NAME##_sync(m, (C)x); }
#define WC_REDUCTIONS_NATIVE(T) \
    WC_REDUCE_NATIVE(add, T, T) WC_REDUCE_NATIVE(min, T, T) WC_REDUCE_NATIVE(max, T, T) \
    WC_REDUCE_NATIVE(and, T, u32) WC_REDUCE_NATIVE(or, T, u32) WC_REDUCE_NATIVE(xor, T, u32)
WC_REDUCTIONS_NATIVE(i32) WC_REDUCTIONS_NATIVE(u32)
#else
WC_REDUCTIONS(i32) WC_REDUCTIONS(u32)
#endif
