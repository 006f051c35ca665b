//! The filters of compressed arrays.

/// What can't be undone among the filters of an array, by name.
///
/// The numbers are those of the HDF Group's registry of filters.
pub(super) fn unsupported(filters: &[u16]) -> Option<String> {
    filters.iter().find_map(|filter| match filter {
        // Deflate (gzip), shuffle, Fletcher's checksum, scale-offset, and LZF.
        1 | 2 | 3 | 6 | 32000 => None,
        4 => Some("szip".into()),
        5 => Some("n-bit".into()),
        32001 => Some("Blosc".into()),
        32004 => Some("LZ4".into()),
        32008 => Some("bitshuffle".into()),
        32013 => Some("ZFP".into()),
        32015 => Some("Zstandard".into()),
        32026 => Some("Blosc2".into()),
        other => Some(format!("filter {other}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_filter_that_cannot_be_undone_is_named() {
        assert_eq!(unsupported(&[]), None);
        assert_eq!(unsupported(&[2, 1, 3]), None);
        assert_eq!(unsupported(&[2, 32015]).as_deref(), Some("Zstandard"));
        assert_eq!(unsupported(&[999]).as_deref(), Some("filter 999"));
    }
}
