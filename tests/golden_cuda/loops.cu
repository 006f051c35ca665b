struct wc_slice_u64 { const u64* p; u64 n; };
struct wc_slice_mut_u64 { u64* p; u64 n; };
extern "C" __global__ void loops_(const u64* __restrict__ x_p, u64 x_n, u64* __restrict__ out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_u64 x_ = { x_p, x_n };
  wc_slice_mut_u64 out_ = { out_p, out_n };
  u64 i_ = wc_global_id();
  if ((i_ >= x_.n)) {
    return;
  }
  u64 odd_ = 0ull;
  for (u64 wc_t2 = 0ull; wc_t2 < 100ull; wc_t2 = wc_add_u64(wc_t2, (u64)1ull)) {
    u64 k_ = wc_t2;
    if ((((u64)(k_ % 2ull)) == 0ull)) {
      continue;
    }
    if ((k_ > 10ull)) {
      break;
    }
    odd_ = (odd_ + k_);
  }
  if (i_ >= x_.n) wc_fault(wc_e, 3u, i_, x_.n);
  u64 wc_t3 = x_.p[i_];
  u64 limit_ = ((u64)(wc_t3 % 50ull));
  u64 k_2_ = 0ull;
  u64 wc_t4;
  for (;;) {
    if (((k_2_ * k_2_) >= limit_)) {
      wc_t4 = k_2_;
      break;
    }
    k_2_ = (k_2_ + 1ull);
  }
  u64 first_ = wc_t4;
  u64 steps_ = 0ull;
  if (i_ >= x_.n) wc_fault(wc_e, 7u, i_, x_.n);
  u64 wc_t5 = x_.p[i_];
  u64 collatz_ = (((u64)(wc_t5 % 100ull)) + 1ull);
  while ((collatz_ != 1ull)) {
    u64 wc_t6;
    if ((((u64)(collatz_ % 2ull)) == 0ull)) {
      wc_t6 = ((u64)(collatz_ / 2ull));
    } else {
      wc_t6 = ((3ull * collatz_) + 1ull);
    }
    collatz_ = wc_t6;
    steps_ = (steps_ + 1ull);
  }
  u64 pairs_ = 0ull;
  for (u64 wc_t8 = 0ull; wc_t8 < limit_; wc_t8 = wc_add_u64(wc_t8, (u64)1ull)) {
    u64 a_ = wc_t8;
    for (u64 wc_t10 = 0ull; wc_t10 < limit_; wc_t10 = wc_add_u64(wc_t10, (u64)1ull)) {
      u64 b_ = wc_t10;
      if ((b_ > a_)) {
        break;
      }
      pairs_ = (pairs_ + 1ull);
    }
  }
  u64 wc_t11 = (((odd_ + (first_ * 100ull)) + (steps_ * 10000ull)) + (pairs_ * 10000000ull));
  if (i_ >= out_.n) wc_fault(wc_e, 22u, i_, out_.n);
  out_.p[i_] = wc_t11;
}
