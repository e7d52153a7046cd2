//! No damage to a file passes unnoticed, and none makes a reader panic.

#[path = "common/access.rs"]
mod access;

use std::ffi::OsString;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proptest::prelude::*;
use rayon::prelude::*;
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::rules::{self, Rules};
use sowbase::tables::*;
use tempfile::TempDir;

fn rules() -> Rules {
    rules::game("kalah:2x2").unwrap()
}

const HEADER_BYTES: usize = 256;
type HeaderBytes = [u8; HEADER_BYTES];

/// Writes the checksum that a header should have.
fn seal(header: &mut HeaderBytes) {
    let (fields, checksum) = header.split_at_mut(HEADER_BYTES - 8);
    checksum.copy_from_slice(&xxhash_rust::xxh3::xxh3_64(fields).to_le_bytes());
}

/// Names and bytes of files.
type Files = Vec<(OsString, Vec<u8>)>;

/// A folder with the layers 0 to 3 of a board with two pits a row, all files writable.
fn built() -> (TempDir, PathBuf) {
    static FILES: OnceLock<Files> = OnceLock::new();
    placed("kalah-2", FILES.get_or_init(|| files(rules(), false)))
}

/// As [`built`], of a game whose positions can repeat, with bounds.
fn built_with_bounds() -> (TempDir, PathBuf) {
    static FILES: OnceLock<Files> = OnceLock::new();
    placed("oware-2", FILES.get_or_init(|| files(rules::game("oware:2x2").unwrap(), true)))
}

fn files(rules: Rules, bounds: bool) -> Files {
    let dir = tempfile::tempdir().unwrap();
    let plan = BuildPlan::new(&rules, 3, dir.path()).bounds(bounds);
    let folder = build(&plan, &Control::default(), |_| ()).unwrap().folder;
    let read = |file: fs::DirEntry| (file.file_name(), fs::read(file.path()).unwrap());
    fs::read_dir(folder).unwrap().flatten().map(read).collect()
}

fn placed(name: &str, files: &Files) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(name);
    fs::create_dir(&folder).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    (dir, folder)
}

fn replace(file: &Path, bytes: &[u8]) {
    fs::write(file, bytes).unwrap();
}

fn faults(dir: &Path) -> Vec<Finding> {
    verify(dir, false, &Control::default()).unwrap().faults
}

/// The one fault of a folder, said of this file.
fn fault(folder: &Path, file: &Path) -> Fault {
    let mut faults = faults(folder);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].file, file);
    faults.pop().unwrap().fault
}

/// Opens the set and probes every position of layer 3; the results do not matter.
fn probe_all(dir: &Path) {
    for access in access::ALL {
        let numbering = Numbering::new(2, 3).unwrap();
        if let Ok(set) = TableSet::open_with(&[dir.into()], &rules(), access) {
            for index in 0..numbering.layer(3).size() {
                let _ = set.probe(&numbering.position(3, index));
            }
        }
    }
    let _ = contents(dir);
    let _ = stats(dir, None, &Control::default());
    let _ = verify(dir, true, &Control::default());
}

#[test]
fn every_flipped_bit_is_reported() {
    let sets: [fn() -> (TempDir, PathBuf); 2] = [built, built_with_bounds];
    let [values, with_bounds] = sets;
    for (built, name) in [
        (values, file_name(3, Quantity::Value)),
        (values, MANIFEST.into()),
        (with_bounds, file_name(3, Quantity::Lower)),
        (with_bounds, MANIFEST.into()),
    ] {
        let length = fs::metadata(built().1.join(&name)).unwrap().len() as usize;
        (0..length).into_par_iter().chunks(512).for_each(|places| {
            let (dir, folder) = built();
            assert!(faults(dir.path()).is_empty());
            let file = folder.join(&name);
            // Alone, so that reading the others takes no time.
            if name != MANIFEST {
                for other in fs::read_dir(&folder).unwrap().flatten().filter(|other| other.path() != file) {
                    fs::remove_file(other.path()).unwrap();
                }
                assert!(faults(&folder).is_empty());
            }
            let sound = fs::read(&file).unwrap();
            let mut flipped = fs::OpenOptions::new().write(true).open(&file).unwrap();
            for place in places {
                let mut put = |byte| {
                    flipped.seek(SeekFrom::Start(place as u64)).unwrap();
                    flipped.write_all(&[byte]).unwrap();
                };
                for bit in 0..8 {
                    put(sound[place] ^ 1 << bit);
                    let found = faults(&folder);
                    assert!(
                        found.iter().any(|found| found.file == file),
                        "byte {place}, bit {bit} of {name}"
                    );
                }
                put(sound[place]);
            }
            assert!(faults(&folder).is_empty());
        });
    }
}

#[test]
fn a_value_that_changed_is_not_given() {
    let (dir, folder) = built();
    let file = folder.join(file_name(3, Quantity::Value));
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    replace(&file, &bytes);
    let position = Numbering::new(2, 3).unwrap().position(3, 0);
    for access in access::ALL {
        let set = TableSet::open_with(&[dir.path().into()], &rules(), access).unwrap();
        assert!(matches!(set.probe(&position), Err(TableError::Corrupt { .. })));
        assert!(matches!(set.load(3, &Control::default()), Err(TableError::Corrupt { .. })));
        assert!(set.check(&Control::default()).is_err());
    }
    assert!(stats(dir.path(), None, &Control::default()).is_err());
    assert!(folder_checksums(dir.path(), &Control::default()).is_err());
}

#[test]
fn a_value_beyond_the_seeds_in_play_is_not_given() {
    let (dir, folder) = built();
    let file = folder.join(file_name(3, Quantity::Value));
    fs::remove_file(&file).unwrap();
    let numbering = Numbering::new(2, 3).unwrap();
    let mut values = vec![0; numbering.layer(3).size() as usize];
    values[7] = -4;
    write_layer(&file, &rules(), 3, Quantity::Value, &values, &Control::default()).unwrap();
    let fault = |error| match error {
        TableError::Corrupt { fault, .. } => fault.to_string(),
        error => panic!("{error}"),
    };
    for access in access::ALL {
        let set = TableSet::open_with(&[dir.path().into()], &rules(), access).unwrap();
        let probed = set.probe(&numbering.position(3, 0)).map_err(fault);
        let loaded = set.load(3, &Control::default()).map(drop).map_err(fault);
        let expected = Err("position 7 has the value -4, which no position of its layer can have".to_owned());
        assert_eq!((probed.map(drop), loaded), (expected.clone(), expected));
        assert_eq!(set.check_values(&Control::default()).is_err(), access != Access::Read);
    }
}

#[test]
fn every_other_length_is_reported() {
    let (dir, folder) = built();
    let file = folder.join(file_name(3, Quantity::Value));
    let sound = fs::read(&file).unwrap();
    for length in 0..sound.len() {
        replace(&file, &sound[..length]);
        assert!(
            matches!(fault(&folder, &file), Fault::NoHeader { .. } | Fault::Length { .. }),
            "{length} bytes"
        );
        assert!(TableSet::open(&[dir.path().into()], &rules()).is_err());
    }
    replace(&file, &[&sound[..], &[0]].concat());
    assert!(matches!(fault(&folder, &file), Fault::Length { .. }));
}

#[test]
fn files_that_are_something_else_are_named() {
    let (dir, folder) = built();
    let file = folder.join(file_name(3, Quantity::Value));
    let sound = fs::read(&file).unwrap();
    // By the places of the fields in docs/FORMAT.md.
    let with_header = |change: fn(&mut HeaderBytes)| {
        let mut header: HeaderBytes = *sound.first_chunk().unwrap();
        change(&mut header);
        seal(&mut header);
        replace(&file, &[&header[..], &sound[HEADER_BYTES..]].concat());
        let opened = TableSet::open(&[dir.path().into()], &rules());
        assert!(opened.as_ref().err().is_none_or(|error| error.to_string().contains("3.sow")), "{opened:?}");
        (fault(&folder, &file), opened)
    };
    replace(&file, &[b'#'; 5000]);
    assert!(matches!(fault(&folder, &file), Fault::NoTable));
    let newer = with_header(|header| header[8] = 7);
    assert!(matches!(newer, (Fault::NewerVersion { found: 7 }, Err(TableError::NewerVersion { .. }))));
    let codec = with_header(|header| header[61] = 3);
    assert!(matches!(codec, (Fault::UnknownCodec { codec: 3, .. }, Err(TableError::Unsupported { .. }))));
    let scheme = with_header(|header| header[42] = 2);
    assert!(matches!(scheme.0, Fault::UnknownIndex { scheme: 2 }));
    let quantity = with_header(|header| header[62] = 3);
    assert!(matches!(quantity, (Fault::UnknownQuantity { flags: 3 }, Err(TableError::Unsupported { .. }))));
    assert!(matches!(with_header(|header| header[62] = 1).0, Fault::OtherLayer { .. }));
    assert!(matches!(with_header(|header| header[24] ^= 1).0, Fault::RuleText));
    assert!(matches!(with_header(|header| header[48] += 1).0, Fault::Field { field: "positions", .. }));
    assert!(matches!(with_header(|header| header[161] = 1).0, Fault::Field { field: "reserved", .. }));
    assert!(matches!(with_header(|header| header[120] ^= 1).0, Fault::Values));
    // A later version and a table of other rules are not the builder's to replace.
    let _ = with_header(|header| header[8] = 7);
    let plan = BuildPlan::new(&rules(), 3, dir.path());
    assert!(build(&plan, &Control::default(), |_| ()).is_err());
    // Another layer, another game.
    fs::copy(folder.join(file_name(2, Quantity::Value)), dir.path().join("copy")).unwrap();
    replace(&file, &fs::read(dir.path().join("copy")).unwrap());
    assert!(matches!(fault(&folder, &file), Fault::OtherLayer { found: LayerName { seeds: 2, .. } }));
    let mut other = rules();
    other.set("empty-capture", "yes").unwrap();
    let size = Numbering::new(2, 3).unwrap().layer(3).size() as usize;
    write_layer(&file, &other, 3, Quantity::Value, &vec![0; size], &Control::default()).unwrap();
    assert!(matches!(fault(&folder, &file), Fault::OtherRules { .. }));
}

#[test]
fn what_is_no_table_by_name_is_passed_over() {
    let (dir, folder) = built();
    for name in
        ["4.sow.part", "04.sow", "notes.sow", "README", "4.SOW", "4.lower", "4.value.sow", "4.Upper.sow"]
    {
        fs::write(folder.join(name), "anything").unwrap();
        fs::write(dir.path().join(name), "anything").unwrap();
    }
    let report = verify(dir.path(), true, &Control::default()).unwrap();
    assert_eq!((report.files, report.faults.len()), (4, 0), "{:?}", report.faults);
    // A folder of that name is no table, and is not read as one.
    fs::create_dir(folder.join(file_name(4, Quantity::Value))).unwrap();
    assert!(matches!(fault(&folder, &folder.join(file_name(4, Quantity::Value))), Fault::Unreadable(_)));
}

#[test]
fn a_file_that_is_gone_is_missed() {
    let (dir, folder) = built();
    fs::remove_file(folder.join(file_name(1, Quantity::Value))).unwrap();
    assert!(matches!(fault(dir.path(), &folder.join(MANIFEST)), Fault::Manifest(_)));
}

/// Random files to try: `PROPTEST_CASES`, for long runs, or 300.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..6000), keep in 0..300_usize) {
        let (dir, folder) = built();
        let file = folder.join(file_name(3, Quantity::Value));
        let sound = fs::read(&file).unwrap();
        let keep = keep.min(bytes.len());
        let damaged = [&sound[..keep], &bytes[keep..]].concat();
        replace(&file, &damaged);
        replace(&folder.join(MANIFEST), &bytes);
        probe_all(dir.path());
    }

    /// Headers that pass the checksum, so that the checks behind it are reached.
    #[test]
    fn random_headers_never_make_a_reader_panic(
        changes in proptest::collection::vec((8..248_usize, any::<u8>()), 1..4),
        resize in any::<bool>(),
    ) {
        let (dir, folder) = built();
        let file = folder.join(file_name(3, Quantity::Value));
        let sound = fs::read(&file).unwrap();
        let mut header: HeaderBytes = *sound.first_chunk().unwrap();
        for (at, byte) in changes {
            header[at] = byte;
        }
        seal(&mut header);
        let mut bytes = [&header[..], &sound[HEADER_BYTES..]].concat();
        let length = u64::from_le_bytes(*header[16..].first_chunk().unwrap());
        if resize && length < 100_000 {
            bytes.resize(length as usize, 0);
        }
        replace(&file, &bytes);
        probe_all(dir.path());
    }
}
