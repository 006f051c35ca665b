struct wc_slice_mut_u32 { u32* p; u64 n; };
extern "C" __global__ void __launch_bounds__(64) grid_rows_(u64 columns_, u32* matrix_p, u64 matrix_n, wc_env wc_e)
{
  wc_slice_mut_u32 matrix_ = { matrix_p, matrix_n };
  wc_grid_enter();
  u64 c_ = wc_global_id();
  u64 wc_t1 = matrix_.n;
  u64 wc_t2 = columns_;
  if (wc_t2 == (u64)0) wc_fault(wc_e, 1u, 0ull, 0ull);
  u64 wc_t3 = ((u64)(wc_t1 / wc_t2));
  for (u64 wc_t5 = 1ull; wc_t5 < wc_t3; wc_t5 = wc_add_u64(wc_t5, (u64)1ull)) {
    u64 r_ = wc_t5;
    if ((c_ < columns_)) {
      if ((((((r_ - 1ull) * columns_) + columns_) - 1ull) - c_) >= matrix_.n) wc_fault(wc_e, 7u, (((((r_ - 1ull) * columns_) + columns_) - 1ull) - c_), matrix_.n);
      u32 wc_t6 = wc_once_u32(matrix_.p[(((((r_ - 1ull) * columns_) + columns_) - 1ull) - c_)]);
      if (((r_ * columns_) + c_) >= matrix_.n) wc_fault(wc_e, 11u, ((r_ * columns_) + c_), matrix_.n);
      matrix_.p[((r_ * columns_) + c_)] = (wc_t6 + 1u);
    }
    wc_sync_grid(wc_e);
  }
  wc_grid_leave(wc_e);
}
