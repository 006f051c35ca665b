struct wc_slice_f32 { const f32* p; u64 n; };
struct wc_slice_mut_u64 { u64* p; u64 n; };
extern "C" __global__ void casts_f32_(const f32* __restrict__ x_p, u64 x_n, u64* out_p, u64 out_n, wc_env wc_e)
{
  wc_slice_f32 x_ = { x_p, x_n };
  wc_slice_mut_u64 out_ = { out_p, out_n };
  u64 i_ = wc_global_id();
  if ((i_ < x_.n)) {
    u64 at_ = (i_ * 9ull);
    if (i_ >= x_.n) wc_fault(wc_e, 2u, i_, x_.n);
    f32 wc_t1 = x_.p[i_];
    if (at_ >= out_.n) wc_fault(wc_e, 3u, at_, out_.n);
    out_.p[at_] = ((u64)wc_cast_f32_i8(wc_t1));
    if (i_ >= x_.n) wc_fault(wc_e, 4u, i_, x_.n);
    f32 wc_t2 = x_.p[i_];
    if ((at_ + 1ull) >= out_.n) wc_fault(wc_e, 6u, (at_ + 1ull), out_.n);
    out_.p[(at_ + 1ull)] = ((u64)wc_cast_f32_i16(wc_t2));
    if (i_ >= x_.n) wc_fault(wc_e, 7u, i_, x_.n);
    f32 wc_t3 = x_.p[i_];
    if ((at_ + 2ull) >= out_.n) wc_fault(wc_e, 9u, (at_ + 2ull), out_.n);
    out_.p[(at_ + 2ull)] = ((u64)wc_cast_f32_i32(wc_t3));
    if (i_ >= x_.n) wc_fault(wc_e, 10u, i_, x_.n);
    f32 wc_t4 = x_.p[i_];
    if ((at_ + 3ull) >= out_.n) wc_fault(wc_e, 12u, (at_ + 3ull), out_.n);
    out_.p[(at_ + 3ull)] = ((u64)wc_cast_f32_i64(wc_t4));
    if (i_ >= x_.n) wc_fault(wc_e, 13u, i_, x_.n);
    f32 wc_t5 = x_.p[i_];
    if ((at_ + 4ull) >= out_.n) wc_fault(wc_e, 15u, (at_ + 4ull), out_.n);
    out_.p[(at_ + 4ull)] = ((u64)wc_cast_f32_u8(wc_t5));
    if (i_ >= x_.n) wc_fault(wc_e, 16u, i_, x_.n);
    f32 wc_t6 = x_.p[i_];
    if ((at_ + 5ull) >= out_.n) wc_fault(wc_e, 18u, (at_ + 5ull), out_.n);
    out_.p[(at_ + 5ull)] = ((u64)wc_cast_f32_u16(wc_t6));
    if (i_ >= x_.n) wc_fault(wc_e, 19u, i_, x_.n);
    f32 wc_t7 = x_.p[i_];
    if ((at_ + 6ull) >= out_.n) wc_fault(wc_e, 21u, (at_ + 6ull), out_.n);
    out_.p[(at_ + 6ull)] = ((u64)wc_cast_f32_u32(wc_t7));
    if (i_ >= x_.n) wc_fault(wc_e, 22u, i_, x_.n);
    f32 wc_t8 = x_.p[i_];
    if ((at_ + 7ull) >= out_.n) wc_fault(wc_e, 24u, (at_ + 7ull), out_.n);
    out_.p[(at_ + 7ull)] = wc_cast_f32_u64(wc_t8);
    if (i_ >= x_.n) wc_fault(wc_e, 25u, i_, x_.n);
    f32 wc_t9 = x_.p[i_];
    if ((at_ + 8ull) >= out_.n) wc_fault(wc_e, 28u, (at_ + 8ull), out_.n);
    out_.p[(at_ + 8ull)] = wc_to_bits_f64(((f64)wc_t9));
  }
}
