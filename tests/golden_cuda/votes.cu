struct wc_slice_mut_u32 { u32* p; u64 n; };
extern "C" __global__ void votes_(u64 zeros_, u32* out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_mut_u32 out_ = { out_p, out_n };
  bool holds_ = (wc_thread_rank() >= zeros_);
  u32 wc_t1 = (u32)__syncthreads_count(holds_);
  u32 count_ = wc_t1;
  bool wc_t2 = (__syncthreads_and(holds_) != 0);
  bool and_ = wc_t2;
  bool wc_t3 = (__syncthreads_or(holds_) != 0);
  bool or_ = wc_t3;
  if (wc_global_id() >= out_.n) wc_fault(wc_e, 12u, wc_global_id(), out_.n);
  out_.p[wc_global_id()] = ((count_ + (((u32)and_) * 1000u)) + (((u32)or_) * 2000u));
}
