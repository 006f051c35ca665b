//! What a compiled kernel needs, read from its CUBIN: so it is known without a GPU.
//!
//! A CUBIN is an ELF file. Its section `.nv.info` holds records of a format byte, an attribute byte, a 2-byte size and a
//! value; those of functions hold the number of a symbol and a word (as `cuobjdump -elf` shows them: `EIATTR_REGCOUNT`,
//! `EIATTR_FRAME_SIZE`). Shared arrays lie in `.nv.shared.<kernel>`.

/// What a kernel needs on one architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Registers of each thread.
    pub registers: u32,
    /// Local memory (spilled registers and local arrays that are indexed by a variable), in bytes a thread.
    pub local_bytes: u32,
    /// Shared arrays, in bytes a block.
    pub static_shared_bytes: u32,
}

const SIZED_VALUE: u8 = 4;
const REGISTER_COUNT: u8 = 0x2f;
const FRAME_SIZE: u8 = 0x11;

/// Shared memory that the system has of each block, counted by files that say so by a section.
const RESERVED_SHARED: u64 = 1024;

/// Those of `kernel`, or nothing if the file is not laid out as known.
pub(crate) fn read(cubin: &[u8], kernel: &str) -> Option<Resources> {
    let file = Elf::open(cubin)?;
    let symbol = file.symbol(kernel)?;
    let info = file.content(file.section(".nv.info")?)?;
    let value = |attribute| records(info).find(|record| record.attribute == attribute && record.symbol == symbol);
    let shared = file.section(&format!(".nv.shared.{kernel}")).map_or(0, |section| section.size);
    let reserved = if file.section(".nv.shared.reserved.0").is_some() { RESERVED_SHARED } else { 0 };
    Some(Resources {
        registers: value(REGISTER_COUNT)?.value,
        local_bytes: value(FRAME_SIZE).map_or(0, |record| record.value),
        static_shared_bytes: u32::try_from(shared.saturating_sub(reserved)).ok()?,
    })
}

struct Record {
    attribute: u8,
    symbol: u32,
    value: u32,
}

/// The records of two words.
fn records(mut info: &[u8]) -> impl Iterator<Item = Record> {
    std::iter::from_fn(move || {
        loop {
            let (format, attribute, size) = (*info.first()?, *info.get(1)?, u16_at(info, 2)?);
            let value = if format == SIZED_VALUE { info.get(4..4 + usize::from(size))? } else { &[] };
            info = &info[4 + value.len()..];
            if let (8, Some(symbol), Some(word)) = (value.len(), u32_at(value, 0), u32_at(value, 4)) {
                return Some(Record { attribute, symbol, value: word });
            }
        }
    })
}

/// The sections of a file (ELF-64 object file format, version 1.5, "Sections").
struct Elf<'a> {
    bytes: &'a [u8],
    sections: Vec<Section<'a>>,
}

struct Section<'a> {
    name: &'a [u8],
    offset: u64,
    size: u64,
    link: u32,
}

impl<'a> Elf<'a> {
    fn open(bytes: &'a [u8]) -> Option<Elf<'a>> {
        let (table, size) = (usize::try_from(u64_at(bytes, 40)?).ok()?, usize::from(u16_at(bytes, 58)?));
        let headers: Vec<&[u8]> = (0..usize::from(u16_at(bytes, 60)?))
            .map(|number| bytes.get(table.checked_add(number * size)?..)?.get(..size))
            .collect::<Option<_>>()?;
        let names = headers.get(usize::from(u16_at(bytes, 62)?))?;
        let names = bytes.get(usize::try_from(u64_at(names, 24)?).ok()?..)?;
        let sections = headers.iter().map(|header| {
            Some(Section {
                name: text_at(names, u32_at(header, 0)?)?,
                offset: u64_at(header, 24)?,
                size: u64_at(header, 32)?,
                link: u32_at(header, 40)?,
            })
        });
        Some(Elf { bytes, sections: sections.collect::<Option<_>>()? })
    }

    fn section(&self, name: &str) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| section.name == name.as_bytes())
    }

    fn content(&self, section: &Section<'_>) -> Option<&'a [u8]> {
        let start = usize::try_from(section.offset).ok()?;
        self.bytes.get(start..start.checked_add(usize::try_from(section.size).ok()?)?)
    }

    /// The number of a symbol.
    fn symbol(&self, name: &str) -> Option<u32> {
        let table = self.section(".symtab")?;
        let names = self.content(self.sections.get(table.link as usize)?)?;
        let mut symbols = self.content(table)?.chunks_exact(24);
        let found = symbols.position(|symbol| {
            u32_at(symbol, 0).and_then(|at| text_at(names, at)).is_some_and(|text| text == name.as_bytes())
        })?;
        u32::try_from(found).ok()
    }
}

fn text_at(names: &[u8], at: u32) -> Option<&[u8]> {
    names.get(at as usize..)?.split(|byte| *byte == 0).next()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuda::{Nvrtc, Target};

    const SOURCE: &str = r#"
extern "C" __global__ void __launch_bounds__(256) k(float* a, int n) {
    __shared__ float s[300];
    volatile float l[64];
    for (int i = 0; i < 64; i++) l[i] = a[i * n];
    s[threadIdx.x] = l[n & 63];
    __syncthreads();
    a[threadIdx.x] = s[n] * l[n * 3 & 63];
}"#;

    #[test]
    fn registers_local_and_shared_memory_are_found_for_each_generation() {
        let Ok(nvrtc) = Nvrtc::load().inspect_err(|error| println!("not tested: {error}")) else { return };
        for (major, minor) in [(7, 5), (8, 0), (9, 0), (12, 0)] {
            let cubin = nvrtc.compile("k", SOURCE, Target::Cubin { major, minor }, &[]).unwrap();
            let found = read(&cubin, "k").unwrap();
            assert!((8..=255).contains(&found.registers), "{found:?}");
            assert_eq!((found.local_bytes, found.static_shared_bytes), (256, 1200), "{major}.{minor}");
            assert_eq!(read(&cubin, "other"), None);
        }
    }

    #[test]
    fn other_bytes_hold_nothing() {
        assert_eq!(read(b"", "k"), None);
        assert_eq!(read(&[0xff; 200], "k"), None);
    }
}
