struct wc_slice_f32 { const f32* p; u64 n; };
struct wc_slice_mut_f32 { f32* p; u64 n; };
static __device__ __forceinline__ f32 blend_fn(wc_env wc_e, f32 x_, f32 weight_)
{
  return ((x_ * weight_) + ((f32)(__longlong_as_double((long long)0x3fb999999999999aull)) * (1.0f - weight_)));
}

extern "C" __global__ void scaled_(f32 weight_, const f32* __restrict__ x_p, u64 x_n, f32* __restrict__ out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_f32 x_ = { x_p, x_n };
  wc_slice_mut_f32 out_ = { out_p, out_n };
  u64 i_ = wc_global_id();
  if ((i_ < out_.n)) {
    f32 sum_ = 0.0f;
    for (i32 wc_t2 = 0; wc_t2 < 3; wc_t2 = wc_add_i32(wc_t2, (i32)1ull)) {
      i32 _unused_ = wc_t2;
      if (i_ >= x_.n) wc_fault(wc_e, 6u, i_, x_.n);
      f32 wc_t3 = x_.p[i_];
      f32 wc_t4 = blend_fn(wc_e, wc_t3, weight_);
      sum_ = (sum_ + wc_t4);
    }
    f32 wc_t5 = wc_max_f32(sum_, 0.0f);
    if (i_ >= out_.n) wc_fault(wc_e, 10u, i_, out_.n);
    out_.p[i_] = wc_t5;
  }
}
