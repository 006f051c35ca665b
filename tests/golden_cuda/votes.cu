struct wc_slice_u64 { const u64* p; u64 n; };
struct wc_slice_mut_u64 { u64* p; u64 n; };
extern "C" __global__ void votes_(const u64* __restrict__ x_p, u64 x_n, u64* __restrict__ out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_u64 x_ = { x_p, x_n };
  wc_slice_mut_u64 out_ = { out_p, out_n };
  u64 i_ = wc_global_id();
  bool wc_t2 = (i_ < x_.n);
  if (wc_t2) {
    if (i_ >= x_.n) wc_fault(wc_e, 1u, i_, x_.n);
    u64 wc_t1 = x_.p[i_];
    wc_t2 = (((u64)(wc_t1 % 2ull)) == 0ull);
  }
  bool even_ = wc_t2;
  u32 wc_t3 = __ballot_sync(4294967295u, even_);
  u32 ballot_ = wc_t3;
  bool wc_t4 = (__all_sync(4294967295u, (even_ || (i_ >= x_.n))) != 0);
  bool all_ = wc_t4;
  bool wc_t5 = (__any_sync(4294967295u, even_) != 0);
  bool any_ = wc_t5;
  if ((i_ < out_.n)) {
    if (i_ >= out_.n) wc_fault(wc_e, 13u, i_, out_.n);
    out_.p[i_] = ((((u64)ballot_) + wc_shl_u64(((u64)all_), (u32)32)) + wc_shl_u64(((u64)any_), (u32)33));
  }
}
