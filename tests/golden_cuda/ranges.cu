struct wc_slice_u64 { const u64* p; u64 n; };
struct wc_slice_mut_u64 { u64* p; u64 n; };
extern "C" __global__ void ranges_(const u64* __restrict__ x_p, u64 x_n, u64* __restrict__ out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_u64 x_ = { x_p, x_n };
  wc_slice_mut_u64 out_ = { out_p, out_n };
  u64 i_ = wc_global_id();
  if ((i_ >= x_.n)) {
    return;
  }
  if (i_ >= x_.n) wc_fault(wc_e, 1u, i_, x_.n);
  u64 wc_t1 = x_.p[i_];
  u8 a_ = ((u8)((u64)(wc_t1 % 9ull)));
  if (i_ >= x_.n) wc_fault(wc_e, 3u, i_, x_.n);
  u64 wc_t2 = x_.p[i_];
  u8 wc_t3 = ((u8)wc_shr_u64(wc_t2, (u32)8));
  u8 wc_t4 = (u8)9;
  if (wc_t4 == (u8)0) wc_fault(wc_e, 5u, 0ull, 0ull);
  u8 wc_t5 = ((u8)(wc_t3 % wc_t4));
  u8 b_ = wc_t5;
  if (i_ >= x_.n) wc_fault(wc_e, 6u, i_, x_.n);
  u64 wc_t6 = x_.p[i_];
  u64 step_ = (((u64)(wc_shr_u64(wc_t6, (u32)16) % 4ull)) + 1ull);
  u64 h_ = 1ull;
  for (u8 wc_t8 = a_; wc_t8 < b_; wc_t8 = wc_add_u8(wc_t8, (u8)1ull)) {
    u8 k_ = wc_t8;
    h_ = ((h_ * 31ull) + ((u64)k_));
  }
  bool wc_t9_any = a_ <= b_;
  u64 wc_t9 = ((u64)b_ - (u64)a_);
  for (u8 wc_t10 = a_; wc_t9_any; wc_t9_any = wc_t9-- != 0ull, wc_t10 = wc_add_u8(wc_t10, (u8)1ull)) {
    u8 k_2_ = wc_t10;
    h_ = ((h_ * 31ull) + ((u64)k_2_));
  }
  bool wc_t11_any = a_ < b_;
  u64 wc_t11 = ((u64)b_ - (u64)a_ - 1ull);
  for (u8 wc_t12 = wc_sub_u8(b_, (u8)1); wc_t11_any; wc_t11_any = wc_t11-- != 0ull, wc_t12 = wc_sub_u8(wc_t12, (u8)1ull)) {
    u8 k_3_ = wc_t12;
    h_ = ((h_ * 31ull) + ((u64)k_3_));
  }
  bool wc_t13_any = a_ <= b_;
  u64 wc_t13 = ((u64)b_ - (u64)a_);
  for (u8 wc_t14 = b_; wc_t13_any; wc_t13_any = wc_t13-- != 0ull, wc_t14 = wc_sub_u8(wc_t14, (u8)1ull)) {
    u8 k_4_ = wc_t14;
    h_ = ((h_ * 31ull) + ((u64)k_4_));
  }
  u64 wc_t15 = step_;
  if (wc_t15 == 0ull) wc_fault(wc_e, 18u, 0ull, 0ull);
  bool wc_t16_any = a_ < b_;
  u64 wc_t16 = ((u64)b_ - (u64)a_ - 1ull) / wc_t15;
  for (u8 wc_t17 = a_; wc_t16_any; wc_t16_any = wc_t16-- != 0ull, wc_t17 = wc_add_u8(wc_t17, (u8)wc_t15)) {
    u8 k_5_ = wc_t17;
    h_ = ((h_ * 31ull) + ((u64)k_5_));
  }
  u64 wc_t18 = step_;
  if (wc_t18 == 0ull) wc_fault(wc_e, 21u, 0ull, 0ull);
  bool wc_t19_any = a_ <= b_;
  u64 wc_t19 = ((u64)b_ - (u64)a_) / wc_t18;
  for (u8 wc_t20 = b_; wc_t19_any; wc_t19_any = wc_t19-- != 0ull, wc_t20 = wc_sub_u8(wc_t20, (u8)wc_t18)) {
    u8 k_6_ = wc_t20;
    h_ = ((h_ * 31ull) + ((u64)k_6_));
  }
  bool wc_t21_any = (u8)250 <= (u8)255;
  u64 wc_t21 = ((u64)(u8)255 - (u64)(u8)250);
  for (u8 wc_t22 = (u8)250; wc_t21_any; wc_t21_any = wc_t21-- != 0ull, wc_t22 = wc_add_u8(wc_t22, (u8)1ull)) {
    u8 k_7_ = wc_t22;
    h_ = ((h_ * 31ull) + ((u64)k_7_));
  }
  bool wc_t23_any = ((i8)(-128)) <= ((i8)(-126));
  u64 wc_t23 = ((u64)((i8)(-126)) - (u64)((i8)(-128)));
  for (i8 wc_t24 = ((i8)(-126)); wc_t23_any; wc_t23_any = wc_t23-- != 0ull, wc_t24 = wc_sub_i8(wc_t24, (i8)1ull)) {
    i8 k_8_ = wc_t24;
    h_ = ((h_ * 31ull) + ((u64)k_8_));
  }
  u64 wc_t25 = 2ull;
  if (wc_t25 == 0ull) wc_fault(wc_e, 29u, 0ull, 0ull);
  bool wc_t26_any = wc_sub_i32(2147483647, 3) < 2147483647;
  u64 wc_t26 = ((u64)2147483647 - (u64)wc_sub_i32(2147483647, 3) - 1ull) / wc_t25;
  for (i32 wc_t27 = wc_sub_i32(2147483647, 3); wc_t26_any; wc_t26_any = wc_t26-- != 0ull, wc_t27 = wc_add_i32(wc_t27, (i32)wc_t25)) {
    i32 k_9_ = wc_t27;
    h_ = ((h_ * 31ull) + ((u64)k_9_));
  }
  for (u64 wc_t29 = 0ull; wc_t29 < 3ull; wc_t29 = wc_add_u64(wc_t29, (u64)1ull)) {
    u64 k_10_ = wc_t29;
    k_10_ = (k_10_ * 2ull);
    h_ = ((h_ * 31ull) + k_10_);
  }
  for (u64 wc_t31 = 0ull; wc_t31 < 0ull; wc_t31 = wc_add_u64(wc_t31, (u64)1ull)) {
    u64 k_11_ = wc_t31;
    h_ = (h_ + (k_11_ + 1ull));
  }
  u64 wc_t32 = h_;
  if (i_ >= out_.n) wc_fault(wc_e, 37u, i_, out_.n);
  out_.p[i_] = wc_t32;
}
