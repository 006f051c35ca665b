struct wc_slice_mut_u64 { u64* p; u64 n; };
struct wc_slice_u64 { const u64* p; u64 n; };
struct wc_array_u64_1 { u64 v[1]; };
struct wc_array_u64_4 { u64 v[4]; };
static __device__ __forceinline__ u64 next_fn(wc_env wc_e, wc_slice_mut_u64 counter_)
{
  if (0ull >= counter_.n) wc_fault(wc_e, 0u, 0ull, counter_.n);
  u64 wc_t1 = wc_once_u64(counter_.p[0ull]);
  if (0ull >= counter_.n) wc_fault(wc_e, 3u, 0ull, counter_.n);
  counter_.p[0ull] = ((wc_t1 * 3ull) + 1ull);
  if (0ull >= counter_.n) wc_fault(wc_e, 4u, 0ull, counter_.n);
  u64 wc_t2 = wc_once_u64(counter_.p[0ull]);
  return wc_t2;
}

extern "C" __global__ void evaluation_(const u64* __restrict__ x_p, u64 x_n, u64* __restrict__ out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_u64 x_ = { x_p, x_n };
  wc_slice_mut_u64 out_ = { out_p, out_n };
  u64 i_ = wc_global_id();
  if ((i_ >= x_.n)) {
    return;
  }
  if (i_ >= x_.n) wc_fault(wc_e, 6u, i_, x_.n);
  u64 wc_t1 = x_.p[i_];
  wc_array_u64_1 wc_t2;
  wc_t2.v[0] = ((u64)(wc_t1 % 10ull));
  wc_array_u64_1 state_ = wc_t2;
  u64 y_ = 1ull;
  if (1ull > 1ull || 0ull > 1ull) wc_fault(wc_e, 8u, 1ull > 1ull ? 1ull : 0ull, 1ull);
  wc_slice_mut_u64 wc_t3 = wc_slice_mut_u64{state_.v + 0ull, 1ull - 0ull};
  u64 wc_t4 = next_fn(wc_e, wc_t3);
  if (1ull > 1ull || 0ull > 1ull) wc_fault(wc_e, 11u, 1ull > 1ull ? 1ull : 0ull, 1ull);
  wc_slice_mut_u64 wc_t5 = wc_slice_mut_u64{state_.v + 0ull, 1ull - 0ull};
  u64 wc_t6 = next_fn(wc_e, wc_t5);
  if (1ull > 1ull || 0ull > 1ull) wc_fault(wc_e, 15u, 1ull > 1ull ? 1ull : 0ull, 1ull);
  wc_slice_mut_u64 wc_t7 = wc_slice_mut_u64{state_.v + 0ull, 1ull - 0ull};
  u64 wc_t8 = next_fn(wc_e, wc_t7);
  u64 a_ = (((wc_t4 * 100ull) + (wc_t6 * 10ull)) + wc_t8);
  u64 wc_t10 = y_;
  u64 wc_t9;
  {
    y_ = 5ull;
    wc_t9 = (y_ * 2ull);
  }
  u64 b_ = ((wc_t10 + wc_t9) + y_);
  wc_array_u64_4 wc_t11;
  #pragma unroll
  for (int wc_k = 0; wc_k < 4; ++wc_k) wc_t11.v[wc_k] = 0ull;
  wc_array_u64_4 z_ = wc_t11;
  if (1ull > 1ull || 0ull > 1ull) wc_fault(wc_e, 21u, 1ull > 1ull ? 1ull : 0ull, 1ull);
  wc_slice_mut_u64 wc_t12 = wc_slice_mut_u64{state_.v + 0ull, 1ull - 0ull};
  u64 wc_t13 = next_fn(wc_e, wc_t12);
  if (1ull > 1ull || 0ull > 1ull) wc_fault(wc_e, 23u, 1ull > 1ull ? 1ull : 0ull, 1ull);
  wc_slice_mut_u64 wc_t14 = wc_slice_mut_u64{state_.v + 0ull, 1ull - 0ull};
  u64 wc_t15 = next_fn(wc_e, wc_t14);
  if (((u64)(wc_t15 % 4ull)) >= 4ull) wc_fault(wc_e, 26u, ((u64)(wc_t15 % 4ull)), 4ull);
  z_.v[((u64)(wc_t15 % 4ull))] = wc_t13;
  u64 c_ = 2ull;
  u64 wc_t16;
  {
    u64 d_ = (c_ * 10ull);
    wc_t16 = (d_ + 1ull);
  }
  c_ = (c_ + wc_t16);
  if (0ull >= 4ull) wc_fault(wc_e, 32u, 0ull, 4ull);
  u64 wc_t17 = z_.v[0ull];
  if (1ull >= 4ull) wc_fault(wc_e, 34u, 1ull, 4ull);
  u64 wc_t18 = z_.v[1ull];
  if (2ull >= 4ull) wc_fault(wc_e, 37u, 2ull, 4ull);
  u64 wc_t19 = z_.v[2ull];
  if (3ull >= 4ull) wc_fault(wc_e, 40u, 3ull, 4ull);
  u64 wc_t20 = z_.v[3ull];
  u64 wc_t21 = ((((((a_ + (b_ * 7ull)) + wc_t17) + (wc_t18 * 3ull)) + (wc_t19 * 5ull)) + (wc_t20 * 11ull)) + c_);
  if (i_ >= out_.n) wc_fault(wc_e, 44u, i_, out_.n);
  out_.p[i_] = wc_t21;
}
