struct wc_slice_i32 { const i32* p; u64 n; };
struct wc_slice_mut_i32 { i32* p; u64 n; };
extern "C" __global__ void operators_i32_(const i32* __restrict__ a_p, u64 a_n, const i32* __restrict__ b_p, u64 b_n, i32* out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_i32 a_ = { a_p, a_n };
  wc_slice_i32 b_ = { b_p, b_n };
  wc_slice_mut_i32 out_ = { out_p, out_n };
  u64 i_ = wc_global_id();
  if ((i_ >= a_.n)) {
    return;
  }
  if (i_ >= a_.n) wc_fault(wc_e, 1u, i_, a_.n);
  i32 wc_t1 = a_.p[i_];
  i32 x_ = wc_t1;
  if (i_ >= b_.n) wc_fault(wc_e, 2u, i_, b_.n);
  i32 wc_t2 = b_.p[i_];
  i32 y_ = wc_t2;
  i32 wc_t3;
  if ((y_ == 0)) {
    wc_t3 = 3;
  } else {
    wc_t3 = y_;
  }
  i32 divisor_ = wc_t3;
  i32 wc_t4;
  if ((x_ == ((i32)0x80000000u))) {
    wc_t4 = 7;
  } else {
    wc_t4 = x_;
  }
  i32 dividend_ = wc_t4;
  u64 at_ = (i_ * 12ull);
  if (at_ >= out_.n) wc_fault(wc_e, 5u, at_, out_.n);
  out_.p[at_] = wc_add_i32(x_, y_);
  if ((at_ + 1ull) >= out_.n) wc_fault(wc_e, 8u, (at_ + 1ull), out_.n);
  out_.p[(at_ + 1ull)] = wc_sub_i32(x_, y_);
  if ((at_ + 2ull) >= out_.n) wc_fault(wc_e, 11u, (at_ + 2ull), out_.n);
  out_.p[(at_ + 2ull)] = wc_mul_i32(x_, y_);
  i32 wc_t5 = dividend_;
  i32 wc_t6 = divisor_;
  if (wc_t6 == (i32)0 || (wc_t5 == ((i32)0x80000000u) && wc_t6 == (i32)-1)) wc_fault(wc_e, 12u, 0ull, 0ull);
  i32 wc_t7 = ((i32)(wc_t5 / wc_t6));
  if ((at_ + 3ull) >= out_.n) wc_fault(wc_e, 14u, (at_ + 3ull), out_.n);
  out_.p[(at_ + 3ull)] = wc_t7;
  i32 wc_t8 = dividend_;
  i32 wc_t9 = divisor_;
  if (wc_t9 == (i32)0 || (wc_t8 == ((i32)0x80000000u) && wc_t9 == (i32)-1)) wc_fault(wc_e, 15u, 0ull, 0ull);
  i32 wc_t10 = ((i32)(wc_t8 % wc_t9));
  if ((at_ + 4ull) >= out_.n) wc_fault(wc_e, 17u, (at_ + 4ull), out_.n);
  out_.p[(at_ + 4ull)] = wc_t10;
  if ((at_ + 5ull) >= out_.n) wc_fault(wc_e, 19u, (at_ + 5ull), out_.n);
  out_.p[(at_ + 5ull)] = ((i32)(x_ & y_));
  if ((at_ + 6ull) >= out_.n) wc_fault(wc_e, 21u, (at_ + 6ull), out_.n);
  out_.p[(at_ + 6ull)] = ((i32)(x_ | y_));
  if ((at_ + 7ull) >= out_.n) wc_fault(wc_e, 24u, (at_ + 7ull), out_.n);
  out_.p[(at_ + 7ull)] = ((i32)(x_ ^ ((i32)(~y_))));
  if ((at_ + 8ull) >= out_.n) wc_fault(wc_e, 27u, (at_ + 8ull), out_.n);
  out_.p[(at_ + 8ull)] = wc_shl_i32(x_, (u32)y_);
  if ((at_ + 9ull) >= out_.n) wc_fault(wc_e, 30u, (at_ + 9ull), out_.n);
  out_.p[(at_ + 9ull)] = wc_shr_i32(x_, (u32)((u32)y_));
  if ((at_ + 10ull) >= out_.n) wc_fault(wc_e, 36u, (at_ + 10ull), out_.n);
  out_.p[(at_ + 10ull)] = wc_add_i32(wc_add_i32(((i32)(x_ < y_)), wc_mul_i32(((i32)(x_ == y_)), 2)), wc_mul_i32(((i32)(x_ >= y_)), 4));
  i32 z_ = x_;
  z_ = wc_add_i32(z_, y_);
  z_ = wc_mul_i32(z_, 3);
  z_ = wc_sub_i32(z_, 100);
  z_ = ((i32)(z_ / 7));
  z_ = ((i32)(z_ % 50));
  z_ = wc_shl_i32(z_, (u32)1);
  z_ = ((i32)(z_ | 1));
  z_ = ((i32)(z_ & 126));
  z_ = ((i32)(z_ ^ y_));
  z_ = wc_shr_i32(z_, (u32)1);
  i32 wc_t11 = z_;
  if ((at_ + 11ull) >= out_.n) wc_fault(wc_e, 45u, (at_ + 11ull), out_.n);
  out_.p[(at_ + 11ull)] = wc_t11;
}
