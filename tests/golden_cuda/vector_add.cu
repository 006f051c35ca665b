struct wc_slice_f32 { const f32* p; u64 n; };
struct wc_slice_mut_f32 { f32* p; u64 n; };
extern "C" __global__ void vector_add_(const f32* __restrict__ a_p, u64 a_n, const f32* __restrict__ b_p, u64 b_n, f32* __restrict__ c_p, u64 c_n, wc_env wc_e)
{
  wc_slice_f32 a_ = { a_p, a_n };
  wc_slice_f32 b_ = { b_p, b_n };
  wc_slice_mut_f32 c_ = { c_p, c_n };
  u64 i_ = wc_global_id();
  if ((i_ < c_.n)) {
    if (i_ >= a_.n) wc_fault(wc_e, 1u, i_, a_.n);
    f32 wc_t1 = a_.p[i_];
    if (i_ >= b_.n) wc_fault(wc_e, 2u, i_, b_.n);
    f32 wc_t2 = b_.p[i_];
    if (i_ >= c_.n) wc_fault(wc_e, 4u, i_, c_.n);
    c_.p[i_] = (wc_t1 + wc_t2);
  }
}
