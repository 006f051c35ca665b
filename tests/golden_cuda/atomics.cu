struct wc_slice_u64 { const u64* p; u64 n; };
struct wc_slice_mut_u32 { u32* p; u64 n; };
struct wc_slice_mut_i32 { i32* p; u64 n; };
struct wc_slice_mut_u64 { u64* p; u64 n; };
struct wc_slice_mut_i64 { i64* p; u64 n; };
extern "C" __global__ void atomics_(const u64* __restrict__ x_p, u64 x_n, u32* words_p, u64 words_n, i32* signed_p, u64 signed_n, u64* longs_p, u64 longs_n, i64* negative_p, u64 negative_n, u32* taken_p, u64 taken_n, wc_env wc_e)
{
  wc_slice_u64 x_ = { x_p, x_n };
  wc_slice_mut_u32 words_ = { words_p, words_n };
  wc_slice_mut_i32 signed_ = { signed_p, signed_n };
  wc_slice_mut_u64 longs_ = { longs_p, longs_n };
  wc_slice_mut_i64 negative_ = { negative_p, negative_n };
  wc_slice_mut_u32 taken_ = { taken_p, taken_n };
  u64 i_ = wc_global_id();
  if ((i_ >= x_.n)) {
    return;
  }
  if (i_ >= x_.n) wc_fault(wc_e, 1u, i_, x_.n);
  u64 wc_t1 = x_.p[i_];
  u64 value_ = wc_t1;
  if (0ull >= words_.n) wc_fault(wc_e, 2u, 0ull, words_.n);
  u32 wc_t2 = wc_atomic_add((&words_.p[0ull]), 1u);
  u32 ticket_ = wc_t2;
  if (((u64)ticket_) >= taken_.n) wc_fault(wc_e, 4u, ((u64)ticket_), taken_.n);
  u32 wc_t3 = wc_atomic_add((&taken_.p[((u64)ticket_)]), 1u);
  if (1ull >= words_.n) wc_fault(wc_e, 6u, 1ull, words_.n);
  u32 wc_t4 = wc_atomic_sub((&words_.p[1ull]), ((u32)value_));
  if (2ull >= words_.n) wc_fault(wc_e, 8u, 2ull, words_.n);
  u32 wc_t5 = wc_atomic_min((&words_.p[2ull]), ((u32)value_));
  if (3ull >= words_.n) wc_fault(wc_e, 10u, 3ull, words_.n);
  u32 wc_t6 = wc_atomic_max((&words_.p[3ull]), ((u32)value_));
  if (4ull >= words_.n) wc_fault(wc_e, 12u, 4ull, words_.n);
  u32 wc_t7 = wc_atomic_or((&words_.p[4ull]), wc_shl_u32(1u, (u32)((u32)((u64)(value_ % 32ull)))));
  if (5ull >= words_.n) wc_fault(wc_e, 16u, 5ull, words_.n);
  u32 wc_t8 = wc_atomic_and((&words_.p[5ull]), ((u32)(~wc_shl_u32(1u, (u32)((u32)((u64)(value_ % 31ull)))))));
  if (6ull >= words_.n) wc_fault(wc_e, 21u, 6ull, words_.n);
  u32 wc_t9 = wc_atomic_xor((&words_.p[6ull]), ((u32)value_));
  if (0ull >= signed_.n) wc_fault(wc_e, 23u, 0ull, signed_.n);
  i32 wc_t10 = wc_atomic_min((&signed_.p[0ull]), ((i32)value_));
  if (1ull >= signed_.n) wc_fault(wc_e, 25u, 1ull, signed_.n);
  i32 wc_t11 = wc_atomic_max((&signed_.p[1ull]), ((i32)value_));
  if (2ull >= signed_.n) wc_fault(wc_e, 27u, 2ull, signed_.n);
  i32 wc_t12 = wc_atomic_add((&signed_.p[2ull]), ((i32)value_));
  if (0ull >= longs_.n) wc_fault(wc_e, 29u, 0ull, longs_.n);
  u64 wc_t13 = wc_atomic_add((&longs_.p[0ull]), value_);
  if (1ull >= longs_.n) wc_fault(wc_e, 31u, 1ull, longs_.n);
  u64 wc_t14 = wc_atomic_max((&longs_.p[1ull]), value_);
  if (0ull >= negative_.n) wc_fault(wc_e, 33u, 0ull, negative_.n);
  i64 wc_t15 = wc_atomic_min((&negative_.p[0ull]), ((i64)value_));
  if (1ull >= negative_.n) wc_fault(wc_e, 35u, 1ull, negative_.n);
  i64 wc_t16 = wc_atomic_add((&negative_.p[1ull]), wc_shr_i64(((i64)value_), (u32)20));
  if (2ull >= longs_.n) wc_fault(wc_e, 38u, 2ull, longs_.n);
  u64 wc_t17 = wc_once_u64(longs_.p[2ull]);
  u64 old_ = wc_t17;
  for (;;) {
    if (2ull >= longs_.n) wc_fault(wc_e, 39u, 2ull, longs_.n);
    u64 wc_t18 = wc_atomic_cas((&longs_.p[2ull]), old_, (old_ * ((u64)(value_ | 1ull))));
    u64 seen_ = wc_t18;
    if ((seen_ == old_)) {
      break;
    }
    old_ = seen_;
  }
}
