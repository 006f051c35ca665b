struct wc_slice_mut_u32 { u32* p; u64 n; };
extern "C" __global__ void __launch_bounds__(256, 2) flat_block_(u32* __restrict__ out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_mut_u32 out_ = { out_p, out_n };
  u64 i_ = wc_global_id();
  if ((i_ < out_.n)) {
    if (i_ >= out_.n) wc_fault(wc_e, 8u, i_, out_.n);
    out_.p[i_] = ((u32)(((((u64)threadIdx.y) * 32ull) + ((u64)threadIdx.x)) + (((u64)blockDim.y) * 1000ull)));
  }
}
