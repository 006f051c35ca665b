struct wc_slice_u64 { const u64* p; u64 n; };
struct wc_slice_mut_u64 { u64* p; u64 n; };
struct wc_array_u64_256 { u64 v[256]; };
extern "C" __global__ void tree_(const u64* __restrict__ x_p, u64 x_n, u64* sums_p, u64 sums_n, wc_env wc_e)
{
  wc_slice_u64 x_ = { x_p, x_n };
  wc_slice_mut_u64 sums_ = { sums_p, sums_n };
  __shared__ wc_array_u64_256 tile_;
  u64 t_ = wc_thread_rank();
  u64 i_ = wc_global_id();
  u64 wc_t1;
  if ((i_ < x_.n)) {
    if (i_ >= x_.n) wc_fault(wc_e, 2u, i_, x_.n);
    u64 wc_t2 = x_.p[i_];
    wc_t1 = wc_t2;
  } else {
    wc_t1 = 0ull;
  }
  if (t_ >= 256ull) wc_fault(wc_e, 3u, t_, 256ull);
  tile_.v[t_] = wc_t1;
  __syncthreads();
  u64 half_ = ((u64)(256ull / 2ull));
  while ((half_ > 0ull)) {
    if ((t_ < half_)) {
      u64 wc_t3 = (t_ + half_);
      if (wc_t3 >= 256ull) wc_fault(wc_e, 7u, wc_t3, 256ull);
      u64 wc_t4 = wc_once_u64(tile_.v[wc_t3]);
      if (t_ >= 256ull) wc_fault(wc_e, 8u, t_, 256ull);
      tile_.v[t_] = (tile_.v[t_] + wc_t4);
    }
    __syncthreads();
    half_ = ((u64)(half_ / 2ull));
  }
  if ((t_ == 0ull)) {
    if (0ull >= 256ull) wc_fault(wc_e, 12u, 0ull, 256ull);
    u64 wc_t5 = wc_once_u64(tile_.v[0ull]);
    if (wc_block_rank() >= sums_.n) wc_fault(wc_e, 14u, wc_block_rank(), sums_.n);
    sums_.p[wc_block_rank()] = wc_t5;
  }
}
