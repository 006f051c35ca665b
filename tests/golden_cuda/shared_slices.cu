struct wc_slice_u64 { const u64* p; u64 n; };
struct wc_slice_mut_u64 { u64* p; u64 n; };
struct wc_array_u8_5 { u8 v[5]; };
struct wc_slice_mut_u8 { u8* p; u64 n; };
struct wc_slice_mut_bool { bool* p; u64 n; };
extern "C" __global__ void shared_slices_(const u64* __restrict__ x_p, u64 x_n, u32 k_, u64* __restrict__ out_p, u64 out_n, wc_env wc_e, u64 wc_start0, u64 wc_length0, u64 wc_start1, u64 wc_length1, u64 wc_start2, u64 wc_length2)
{
  extern __shared__ __align__(16) u8 wc_shared[];
  wc_slice_u64 x_ = { x_p, x_n };
  wc_slice_mut_u64 out_ = { out_p, out_n };
  __shared__ wc_array_u8_5 fixed_;
  wc_slice_mut_u8 bytes_ = { (u8*)(wc_shared + wc_start0), wc_length0 };
  wc_slice_mut_u64 wide_ = { (u64*)(wc_shared + wc_start1), wc_length1 };
  wc_slice_mut_bool flags_ = { (bool*)(wc_shared + wc_start2), wc_length2 };
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
  u64 mine_ = wc_t1;
  if ((t_ < 5ull)) {
    if (t_ >= 5ull) wc_fault(wc_e, 3u, t_, 5ull);
    fixed_.v[t_] = ((u8)t_);
  }
  if ((t_ + 3ull) >= bytes_.n) wc_fault(wc_e, 5u, (t_ + 3ull), bytes_.n);
  bytes_.p[(t_ + 3ull)] = ((u8)mine_);
  if (t_ >= flags_.n) wc_fault(wc_e, 7u, t_, flags_.n);
  flags_.p[t_] = (((u64)(mine_ % 2ull)) == 1ull);
  u64 wc_t3 = wide_.n;
  u64 wc_t4 = wc_block_size();
  if (wc_t4 == (u64)0) wc_fault(wc_e, 9u, 0ull, 0ull);
  u64 wc_t5 = ((u64)(wc_t3 / wc_t4));
  for (u64 wc_t7 = 0ull; wc_t7 < wc_t5; wc_t7 = wc_add_u64(wc_t7, (u64)1ull)) {
    u64 k_2_ = wc_t7;
    __syncthreads();
    u64 wc_t8 = (t_ + (k_2_ * wc_block_size()));
    u64 wc_t9 = wide_.n;
    if (wc_t9 == (u64)0) wc_fault(wc_e, 15u, 0ull, 0ull);
    u64 wc_t10 = ((u64)(wc_t8 % wc_t9));
    if (wc_t10 >= wide_.n) wc_fault(wc_e, 16u, wc_t10, wide_.n);
    wide_.p[wc_t10] = (mine_ + k_2_);
  }
  __syncthreads();
  u64 wc_t11 = (t_ + 1ull);
  u64 wc_t12 = wc_block_size();
  if (wc_t12 == (u64)0) wc_fault(wc_e, 20u, 0ull, 0ull);
  u64 wc_t13 = ((u64)(wc_t11 % wc_t12));
  u64 other_ = wc_t13;
  if ((i_ < out_.n)) {
    if (other_ >= flags_.n) wc_fault(wc_e, 21u, other_, flags_.n);
    bool wc_t14 = flags_.p[other_];
    u64 wc_t15;
    if (wc_t14) {
      wc_t15 = 1ull;
    } else {
      wc_t15 = 0ull;
    }
    u64 odd_ = wc_t15;
    u64 wc_t16 = ((wide_.n - wc_block_size()) + other_);
    if (wc_t16 >= wide_.n) wc_fault(wc_e, 25u, wc_t16, wide_.n);
    u64 wc_t17 = wc_once_u64(wide_.p[wc_t16]);
    if ((other_ + 3ull) >= bytes_.n) wc_fault(wc_e, 28u, (other_ + 3ull), bytes_.n);
    u8 wc_t18 = wc_once_u8(bytes_.p[(other_ + 3ull)]);
    if (((u64)(t_ % 5ull)) >= 5ull) wc_fault(wc_e, 32u, ((u64)(t_ % 5ull)), 5ull);
    u8 wc_t19 = wc_once_u8(fixed_.v[((u64)(t_ % 5ull))]);
    if (i_ >= out_.n) wc_fault(wc_e, 34u, i_, out_.n);
    out_.p[i_] = ((((wc_t17 * 3ull) + ((u64)wc_t18)) + odd_) + ((u64)wc_t19));
  }
}
