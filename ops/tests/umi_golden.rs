//! Counts of distinct UMIs against those of UMI-tools, where the reference data is there.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use warpcell_ops::umi::{ReadTable, count_unique, pack_umi};
use warpcell_runtime::Device;

/// A bag of UMIs, and how many of them UMI-tools finds distinct.
struct Bag {
    umis: Vec<u64>,
    reads: Vec<u32>,
    unique: u64,
}

/// Nothing if a UMI has an N: for UMI-tools it is a fifth letter.
fn parse(line: &str) -> Option<Bag> {
    let bag: Value = serde_json::from_str(line).unwrap();
    let umis = bag["umis"].as_array().unwrap().iter().map(|umi| pack_umi(umi.as_str().unwrap().as_bytes()));
    Some(Bag {
        umis: umis.collect::<Option<_>>()?,
        reads: bag["counts"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap() as u32).collect(),
        unique: bag["umi_tools"]["unique"]["n"].as_u64().unwrap(),
    })
}

#[test]
fn distinct_umis_are_those_of_umi_tools() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/umi/bags.jsonl.gz");
    let Ok(file) = File::open(&path) else {
        return eprintln!("skipped: {} is not there", path.display());
    };
    let lines: Vec<String> = BufReader::new(GzDecoder::new(file)).lines().collect::<Result<_, _>>().unwrap();
    let bags: Vec<Bag> = lines.iter().filter_map(|line| parse(line)).collect();
    eprintln!("{} of {} bags have a UMI with N and are left out", lines.len() - bags.len(), lines.len());
    assert!(bags.len() > 1000);

    // Bag b is cell b and gene b % 7 of one table; every UMI is there twice, as distinct ones must be counted once.
    let (mut cell, mut gene, mut umi, mut reads) = (vec![], vec![], vec![], vec![]);
    for (b, bag) in bags.iter().enumerate().chain(bags.iter().enumerate()) {
        cell.resize(cell.len() + bag.umis.len(), b as u32);
        gene.resize(cell.len(), (b % 7) as u32);
        umi.extend(&bag.umis);
        reads.extend(&bag.reads);
    }
    let device = Device::cpu();
    let (cell, gene) = (device.upload(&cell).unwrap(), device.upload(&gene).unwrap());
    let (umi, reads) = (device.upload(&umi).unwrap(), device.upload(&reads).unwrap());
    let table = ReadTable { cell: &cell, gene: &gene, umi: &umi, reads: &reads };
    let counts = count_unique(&table, bags.len(), 7).unwrap();

    let indptr = counts.indptr.download().unwrap();
    let (indices, data) = (counts.indices.download().unwrap(), counts.data.download().unwrap());
    let mut entry = 0;
    for (b, bag) in bags.iter().enumerate() {
        if bag.unique > 0 {
            assert_eq!((u64::from(indices[entry]), data[entry] as u64), (b as u64 % 7, bag.unique), "bag {b}");
            entry += 1;
        }
        assert_eq!(indptr[b + 1] as usize, entry, "bag {b}");
    }
}
