// Loads through the read-only cache.
#define WC_LDG(T, C) WC_FN T wc_ldg(const T* p) { return (T)__ldg((const C*)p); }
WC_LDG(bool, unsigned char) WC_LDG(i8, signed char) WC_LDG(i16, short) WC_LDG(i32, int) WC_LDG(i64, long long)
WC_LDG(u8, unsigned char) WC_LDG(u16, unsigned short) WC_LDG(u32, unsigned) WC_LDG(u64, unsigned long long)
WC_LDG(f32, float) WC_LDG(f64, double)

// Nanoseconds, the same for the whole device.
WC_FN u64 wc_global_timer() { u64 now; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); return now; }
