//! UMIs as numbers.

const BASES: [u8; 4] = *b"ACGT";

/// The most bases of a packed UMI.
const MOST_BASES: usize = 32;

/// Packs a UMI of up to 32 bases, two bits each: A = 0, C = 1, G = 2, T = 3, the first base highest. Nothing for other
/// letters (such as N) and longer UMIs. The length is not kept, so UMIs of one table must have the same.
pub fn pack_umi(umi: &[u8]) -> Option<u64> {
    if umi.len() > MOST_BASES {
        return None;
    }
    umi.iter().try_fold(0, |packed, letter| {
        let code = BASES.iter().position(|base| base == letter)?;
        Some(packed << 2 | code as u64)
    })
}

/// The `length` letters of a packed UMI; nothing for more than 32, or if it has more bases than that.
pub fn unpack_umi(packed: u64, length: usize) -> Option<String> {
    if length > MOST_BASES || (length < MOST_BASES && packed >> (2 * length) != 0) {
        return None;
    }
    Some((0..length).rev().map(|k| char::from(BASES[(packed >> (2 * k) & 3) as usize])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn umis_are_packed_two_bits_a_base() {
        assert_eq!(pack_umi(b"ACGT"), Some(0b00_01_10_11));
        assert_eq!(pack_umi(&[b'T'; 12]), Some(0xff_ffff));
        assert_eq!(pack_umi(&[b'T'; 32]), Some(u64::MAX));
        assert_eq!(pack_umi(b"ACGN"), None);
        assert_eq!(pack_umi(&[b'A'; 33]), None);
        assert_eq!(unpack_umi(0b100, 1), None);
        assert_eq!(unpack_umi(0, 33), None);
    }

    proptest! {
        #[test]
        fn unpacking_gives_the_letters_back(umi in "[ACGT]{0,32}") {
            let packed = pack_umi(umi.as_bytes()).unwrap();
            prop_assert_eq!(unpack_umi(packed, umi.len()), Some(umi));
        }
    }
}
