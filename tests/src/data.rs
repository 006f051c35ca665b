//! Inputs that hold what goes wrong: NaN, zeros of both signs, denormals, infinities, extremes.

/// A hash of a number: the same on every machine.
pub fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const F32: [f32; 16] = [
    f32::NAN,
    0.0,
    -0.0,
    1e-40,
    -1e-45,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1.0,
    -1.0,
    0.1,
    -7.5,
    2_147_483_648.0,
    16_777_217.0,
];

/// `n` floats: every second one special, the others of all magnitudes.
pub fn f32s(n: usize, seed: u64) -> Vec<f32> {
    (0..n as u64)
        .map(|i| {
            let bits = mix(i ^ seed << 32);
            if bits & 1 == 0 { F32[(bits >> 8) as usize % F32.len()] } else { f32::from_bits((bits >> 16) as u32) }
        })
        .collect()
}

/// `n` floats: every second one special, the others of all magnitudes.
pub fn f64s(n: usize, seed: u64) -> Vec<f64> {
    (0..n as u64)
        .map(|i| {
            let bits = mix(i ^ seed << 32);
            let special = f64::from(F32[(bits >> 8) as usize % F32.len()]);
            if bits & 1 == 0 { special } else { f64::from_bits(mix(bits)) }
        })
        .collect()
}

/// `n` integers of all magnitudes, with the extremes among them. They fit `bits` bits.
pub fn u64s(n: usize, seed: u64) -> Vec<u64> {
    (0..n as u64)
        .map(|i| {
            let bits = mix(i ^ seed << 32);
            match bits & 15 {
                0 => 0,
                1 => u64::MAX,
                2 => 1,
                3 => 1 << 63,
                4 => 0x8080_8080_8080_8080,
                shift => bits >> (shift * 4),
            }
        })
        .collect()
}
