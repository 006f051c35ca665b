struct wc_slice_mut_u64 { u64* p; u64 n; };
struct wc_slice_u64 { const u64* p; u64 n; };
struct wc_array_u64_64 { u64 v[64]; };
struct wc_array_u64_3 { u64 v[3]; };
static __device__ __forceinline__ void reverse_fn(wc_env wc_e, wc_slice_mut_u64 x_)
{
  u64 n_ = x_.n;
  for (u64 wc_t2 = 0ull; wc_t2 < ((u64)(n_ / 2ull)); wc_t2 = wc_add_u64(wc_t2, (u64)1ull)) {
    u64 k_ = wc_t2;
    if (k_ >= x_.n) wc_fault(wc_e, 1u, k_, x_.n);
    u64 wc_t3 = wc_once_u64(x_.p[k_]);
    u64 low_ = wc_t3;
    if (((n_ - 1ull) - k_) >= x_.n) wc_fault(wc_e, 4u, ((n_ - 1ull) - k_), x_.n);
    u64 wc_t4 = wc_once_u64(x_.p[((n_ - 1ull) - k_)]);
    if (k_ >= x_.n) wc_fault(wc_e, 5u, k_, x_.n);
    x_.p[k_] = wc_t4;
    if (((n_ - 1ull) - k_) >= x_.n) wc_fault(wc_e, 8u, ((n_ - 1ull) - k_), x_.n);
    x_.p[((n_ - 1ull) - k_)] = low_;
  }
}

static __device__ __forceinline__ u64 sum_fn(wc_env wc_e, wc_slice_u64 x_)
{
  u64 sum_ = 0ull;
  u64 wc_t1 = x_.n;
  for (u64 wc_t3 = 0ull; wc_t3 < wc_t1; wc_t3 = wc_add_u64(wc_t3, (u64)1ull)) {
    u64 k_ = wc_t3;
    if (k_ >= x_.n) wc_fault(wc_e, 9u, k_, x_.n);
    u64 wc_t4 = x_.p[k_];
    sum_ = (sum_ + wc_t4);
  }
  return sum_;
}

extern "C" __global__ void slices_(const u64* __restrict__ x_p, u64 x_n, u64* out_p, u64 out_n, u64* sums_p, u64 sums_n, wc_env wc_e)
{
  wc_slice_u64 x_ = { x_p, x_n };
  wc_slice_mut_u64 out_ = { out_p, out_n };
  wc_slice_mut_u64 sums_ = { sums_p, sums_n };
  __shared__ wc_array_u64_64 tile_;
  u64 t_ = wc_thread_rank();
  u64 start_ = (wc_block_rank() * 64ull);
  u64 end_ = wc_min_u64((start_ + 64ull), x_.n);
  u64 count_ = (end_ - start_);
  if ((t_ < count_)) {
    if ((start_ + t_) >= x_.n) wc_fault(wc_e, 18u, (start_ + t_), x_.n);
    u64 wc_t1 = x_.p[(start_ + t_)];
    if (t_ >= 64ull) wc_fault(wc_e, 19u, t_, 64ull);
    tile_.v[t_] = wc_t1;
  }
  __syncthreads();
  if ((t_ == 0ull)) {
    if (end_ > out_.n || start_ > end_) wc_fault(wc_e, 21u, end_ > out_.n ? end_ : start_, out_.n);
    wc_slice_mut_u64 wc_t2 = wc_slice_mut_u64{out_.p + start_, end_ - start_};
    wc_slice_mut_u64 own_ = wc_t2;
    u64 wc_t3 = own_.n;
    for (u64 wc_t5 = 0ull; wc_t5 < wc_t3; wc_t5 = wc_add_u64(wc_t5, (u64)1ull)) {
      u64 k_ = wc_t5;
      if (k_ >= 64ull) wc_fault(wc_e, 22u, k_, 64ull);
      u64 wc_t6 = wc_once_u64(tile_.v[k_]);
      if (k_ >= own_.n) wc_fault(wc_e, 23u, k_, own_.n);
      own_.p[k_] = wc_t6;
    }
    if (end_ > out_.n || start_ > end_) wc_fault(wc_e, 24u, end_ > out_.n ? end_ : start_, out_.n);
    wc_slice_mut_u64 wc_t7 = wc_slice_mut_u64{out_.p + start_, end_ - start_};
    reverse_fn(wc_e, wc_t7);
    wc_array_u64_3 wc_t8;
    wc_t8.v[0] = 1ull;
    wc_t8.v[1] = 2ull;
    wc_t8.v[2] = 3ull;
    wc_array_u64_3 local_ = wc_t8;
    if (3ull > 3ull || 0ull > 3ull) wc_fault(wc_e, 26u, 3ull > 3ull ? 3ull : 0ull, 3ull);
    wc_slice_mut_u64 wc_t9 = wc_slice_mut_u64{local_.v + 0ull, 3ull - 0ull};
    reverse_fn(wc_e, wc_t9);
    if (count_ > 64ull || 0ull > count_) wc_fault(wc_e, 28u, count_ > 64ull ? count_ : 0ull, 64ull);
    wc_slice_mut_u64 wc_t10 = wc_slice_mut_u64{tile_.v + 0ull, count_ - 0ull};
    reverse_fn(wc_e, wc_t10);
    if (end_ > x_.n || start_ > end_) wc_fault(wc_e, 30u, end_ > x_.n ? end_ : start_, x_.n);
    wc_slice_u64 wc_t11 = wc_slice_u64{x_.p + start_, end_ - start_};
    u64 wc_t12 = sum_fn(wc_e, wc_t11);
    if (end_ > x_.n || end_ > end_) wc_fault(wc_e, 32u, end_ > x_.n ? end_ : end_, x_.n);
    wc_slice_u64 wc_t13 = wc_slice_u64{x_.p + end_, end_ - end_};
    u64 wc_t14 = sum_fn(wc_e, wc_t13);
    if (0ull >= 3ull) wc_fault(wc_e, 35u, 0ull, 3ull);
    u64 wc_t15 = local_.v[0ull];
    if (3ull > 3ull || 1ull > 3ull) wc_fault(wc_e, 38u, 3ull > 3ull ? 3ull : 1ull, 3ull);
    wc_slice_u64 wc_t16 = wc_slice_u64{local_.v + 1ull, 3ull - 1ull};
    u64 wc_t17 = sum_fn(wc_e, wc_t16);
    if (count_ > 64ull || 0ull > count_) wc_fault(wc_e, 41u, count_ > 64ull ? count_ : 0ull, 64ull);
    wc_slice_u64 wc_t18 = wc_slice_u64{tile_.v + 0ull, count_ - 0ull};
    u64 wc_t19 = sum_fn(wc_e, wc_t18);
    u64 all_ = ((((wc_t12 + wc_t14) + (wc_t15 * 100ull)) + wc_t17) + wc_t19);
    if (((end_ - 1ull) + 1ull) > out_.n || start_ > ((end_ - 1ull) + 1ull)) wc_fault(wc_e, 45u, ((end_ - 1ull) + 1ull) > out_.n ? ((end_ - 1ull) + 1ull) : start_, out_.n);
    wc_slice_u64 wc_t20 = wc_slice_u64{out_.p + start_, ((end_ - 1ull) + 1ull) - start_};
    u64 wc_t21 = sum_fn(wc_e, wc_t20);
    if (wc_block_rank() >= sums_.n) wc_fault(wc_e, 49u, wc_block_rank(), sums_.n);
    sums_.p[wc_block_rank()] = (all_ + wc_t21);
  }
}
