//! Layers in the forms of other programs: each is read here by a few lines of its own, and files that
//! others may have written are compared or refused.

#[path = "common/access.rs"]
mod access;
#[path = "common/layers.rs"]
mod layers;
#[path = "common/made.rs"]
mod made;
#[path = "common/program.rs"]
#[cfg(feature = "cli")]
mod program;

use std::fs;
use std::path::Path;

use access::MAPPED;
use made::{Made, PLAIN, bytes_of};
use sowbase::control::Control;
use sowbase::tables::*;
use xxhash_rust::xxh3::xxh3_128;

/// The array of a file of NumPy's format 1.0 with signed bytes.
fn read_npy(path: &Path) -> Vec<i8> {
    let bytes = fs::read(path).unwrap();
    assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
    let length = usize::from(bytes[8]) + 256 * usize::from(bytes[9]);
    let (header, values) = bytes[10..].split_at(length);
    assert_eq!((10 + length) % 64, 0);
    let text = String::from_utf8(header.to_vec()).unwrap();
    let dictionary = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({},), }}", values.len());
    assert_eq!((text.trim_end(), text.ends_with('\n')), (&*dictionary, true));
    values.iter().map(|byte| *byte as i8).collect()
}

#[test]
fn plain_layouts_hold_all_values_by_index() {
    for made in [Made::built("kalah:3x3", 6), Made::built("kalah:6x4", 7), Made::made_up("awari", 3)] {
        let bytes = bytes_of(&made.values);
        for layout in PLAIN {
            let name = layout.file_name(&made.rules, made.seeds);
            let file = made.path(&name);
            let exported = made.export(layout, &name).unwrap();
            assert_eq!((&exported.file, exported.entries), (&file, bytes.len() as u64));
            assert_eq!(exported.bytes, fs::metadata(&file).unwrap().len());
            assert_eq!(exported.checksum, xxh3_128(&bytes));
            match layout {
                Layout::Npy => assert_eq!(read_npy(&file), made.values),
                Layout::Csv => check_csv(&made, &fs::read_to_string(&file).unwrap()),
                _ => assert_eq!(fs::read(&file).unwrap(), bytes),
            }
            let compared = made.compare(layout, &name).unwrap();
            assert_eq!(compared, Compared { entries: bytes.len() as u64, different: 0, first: None });
        }
    }
}

fn check_csv(made: &Made, text: &str) {
    let mut lines = text.lines();
    let pits = usize::from(made.rules.pits());
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!((columns[0], columns[1], columns[pits]), ("index", "own1", &*format!("own{pits}")));
    assert_eq!((columns[pits + 1], columns[2 * pits + 1]), ("opponent1", "value"));
    let mut count = 0;
    for ((index, value), line) in (0..).zip(&made.values).zip(lines) {
        let numbers: Vec<i64> = line.split(',').map(|word| word.parse().unwrap()).collect();
        let position = made.position(index);
        let mut expected = vec![index as i64];
        expected.extend(position.own.iter().chain(position.opponent.iter()).map(|&pit| i64::from(pit)));
        expected.push((*value).into());
        assert_eq!(numbers, expected);
        count += 1;
    }
    assert_eq!((count, text.lines().count()), (made.values.len(), made.values.len() + 1));
}

#[test]
fn a_record_tells_what_a_file_holds() {
    let made = Made::made_up("awari:6x3", 6);
    let exported = made.export(Layout::Vu, "scores.6").unwrap();
    assert_eq!(exported.record, made.path("scores.6.json"));
    let text = fs::read_to_string(&exported.record).unwrap();
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    let expected = serde_json::json!({
        "game": "awari:6x3", "rules": made.rules.id(), "rule_text": made.rules.canonical(), "layer": 6,
        "positions": 12376, "file": "scores.6", "format": "vu", "entries": 12375,
        "order": "colexicographic-reachable", "dtype": "int8",
        "checksum": format!("{:032x}", xxh3_128(&fs::read(&exported.file).unwrap())),
        "layer_checksum": format!("{:032x}", xxh3_128(&bytes_of(&made.values))),
        "generator": format!("sowbase {}", env!("CARGO_PKG_VERSION")),
    });
    assert_eq!(record, expected);
    // Whatever the file is called.
    let name = if cfg!(windows) { "layer \u{e9}.npy" } else { "layer \\\"\u{e9}\n\t.npy" };
    made.export(Layout::Npy, name).unwrap();
    let text = fs::read_to_string(made.path(&format!("{name}.json"))).unwrap();
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(record["file"], name);
    assert_eq!((&record["order"], &record["entries"]), (&"index".into(), &12376.into()));
    assert_eq!(record["checksum"], record["layer_checksum"]);
}

#[test]
fn differences_are_counted_and_the_first_is_shown() {
    let made = Made::built("kalah:3x3", 6);
    for layout in PLAIN {
        made.export(layout, "right").unwrap();
        let mut bytes = fs::read(made.path("right")).unwrap();
        if layout == Layout::Csv {
            let text = String::from_utf8(bytes).unwrap();
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            for index in [100, 200, 300] {
                let (start, _) = lines[index + 1].rsplit_once(',').unwrap();
                lines[index + 1] = format!("{start},77");
            }
            // Line ends of other systems are no difference.
            bytes = (lines.join("\r\n") + "\r\n").into_bytes();
        } else {
            let header = bytes.len() - made.values.len();
            [100, 200, 300].iter().for_each(|index| bytes[header + index] = 77);
        }
        fs::write(made.path("wrong"), bytes).unwrap();
        let compared = made.compare(layout, "wrong").unwrap();
        let first = Difference {
            entry: 100,
            position: made.position(100),
            found: 77,
            expected: made.values[100].into(),
        };
        assert_eq!(compared.first, Some(first), "{layout}");
        assert_eq!((compared.entries, compared.different), (made.values.len() as u64, 3));
        fs::remove_file(made.path("right")).unwrap();
        fs::remove_file(made.path("right.json")).unwrap();
    }
}

#[test]
fn a_name_is_only_taken_when_all_is_well() {
    let made = Made::built("kalah:3x3", 6);
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(made.dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    // Nothing is replaced unasked: neither a file nor a record.
    for taken in ["layer.raw", "layer.raw.json"] {
        fs::write(made.path(taken), "mine").unwrap();
        let error = made.export(Layout::Raw, "layer.raw").unwrap_err();
        assert!(matches!(&error, ExchangeError::Exists { path } if *path == made.path(taken)), "{error}");
        assert_eq!(fs::read(made.path(taken)).unwrap(), b"mine");
        fs::remove_file(made.path(taken)).unwrap();
    }
    fs::write(made.path("layer.raw"), "mine").unwrap();
    let layer = made.layer(MAPPED);
    let control = Control::default();
    export(&layer, &made.rules, Layout::Raw, &made.path("layer.raw"), true, &control).unwrap();
    assert_eq!(fs::read(made.path("layer.raw")).unwrap(), bytes_of(&made.values));
    // A folder is never replaced, and a stop leaves nothing.
    fs::create_dir(made.path("folder")).unwrap();
    let error = export(&layer, &made.rules, Layout::Raw, &made.path("folder"), true, &control).unwrap_err();
    assert!(matches!(error, ExchangeError::NoFile { .. }), "{error}");
    assert!(matches!(made.compare(Layout::Raw, "folder").unwrap_err(), ExchangeError::NoFile { .. }));
    let before = names();
    control.stop();
    for layout in PLAIN {
        let stopped = export(&layer, &made.rules, layout, &made.path("stopped"), false, &control);
        assert!(stopped.unwrap_err().is_stop());
        let stopped = compare(&layer, &made.rules, Layout::Raw, &made.path("layer.raw"), &control);
        assert!(stopped.unwrap_err().is_stop());
    }
    assert_eq!(names(), before);
    // Values whose record cannot be written do not stay either.
    fs::create_dir(made.path("alone.json.part")).unwrap();
    let before = names();
    for layout in PLAIN {
        let error = made.export(layout, "alone").unwrap_err();
        assert!(matches!(error, ExchangeError::Table(TableError::Io { .. })), "{error}");
    }
    assert_eq!(names(), before);
    // A damaged layer is not passed on.
    let mut bytes = fs::read(made.path("table.sow")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(made.path("damaged.sow"), bytes).unwrap();
    let damaged = Layer::open(&made.path("damaged.sow"), MAPPED).unwrap();
    let before = names();
    for layout in PLAIN {
        let control = Control::default();
        let error = export(&damaged, &made.rules, layout, &made.path("bad"), false, &control).unwrap_err();
        assert!(matches!(error, ExchangeError::Table(TableError::Corrupt { .. })), "{error}");
        let error =
            compare(&damaged, &made.rules, Layout::Raw, &made.path("layer.raw"), &control).unwrap_err();
        assert!(matches!(error, ExchangeError::Table(TableError::Corrupt { .. })), "{error}");
    }
    assert_eq!(names(), before);
}

#[test]
fn files_of_a_wrong_length_are_refused_with_both_numbers() {
    let made = Made::made_up("awari", 6);
    let of_layer = |found: usize, expected: usize| [found.to_string(), expected.to_string()];
    for (layout, length) in [(Layout::Vu, 12375), (Layout::Raw, 12376)] {
        for found in [0, 1, length - 1, length + 1, 2 * length] {
            let said = made.refuses(layout, &vec![0; found]);
            for number in of_layer(found, length) {
                assert!(said.contains(&format!(" {number}")), "{said}");
            }
        }
    }
    made.export(Layout::Npy, "layer.npy").unwrap();
    let array = fs::read(made.path("layer.npy")).unwrap();
    for cut in (0..array.len()).step_by(1009).chain(0..140) {
        made.refuses(Layout::Npy, &array[..cut]);
    }
    let said = made.refuses(Layout::Npy, &[&array[..], b"x"].concat());
    assert!(said.contains("12377 bytes of values") && said.contains("12376"), "{said}");
    made.export(Layout::Csv, "layer.csv").unwrap();
    let text = fs::read(made.path("layer.csv")).unwrap();
    for cut in (0..text.len()).step_by(50_021).chain(0..200) {
        made.refuses(Layout::Csv, &text[..cut]);
    }
    let said = made.refuses(Layout::Csv, &[&text[..], b"\n"].concat());
    assert!(said.contains("12377 lines of values") && said.contains("12376"), "{said}");
}

#[test]
fn arrays_of_other_kinds_are_refused() {
    let made = Made::built("kalah:3x3", 2);
    let values = bytes_of(&made.values);
    assert_eq!(values.len(), 21);
    let array = |version: u8, header: &str| {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.bytes());
        bytes.extend(&values);
        bytes
    };
    // Others write the same header in other words.
    for (version, header) in [
        (1, "{'descr': '|i1', 'fortran_order': False, 'shape': (21,), }\n"),
        (1, "{\"shape\": (21,), \"fortran_order\": True, \"descr\": \"i1\"}"),
        (2, "{'descr': '|i1', 'fortran_order': False, 'shape': (21,)}          \n"),
        (3, "{'fortran_order':False,'descr':'|i1','shape':(21,)}\n"),
    ] {
        fs::write(made.path("foreign"), array(version, header)).unwrap();
        assert_eq!(made.compare(Layout::Npy, "foreign").unwrap().different, 0, "{header}");
    }
    for (version, header) in [
        (1, "{'descr': '|u1', 'fortran_order': False, 'shape': (21,), }\n"),
        (1, "{'descr': '<i2', 'fortran_order': False, 'shape': (21,), }\n"),
        (1, "{'descr': '|i1', 'fortran_order': False, 'shape': (3, 7), }\n"),
        (1, "{'descr': '|i1', 'fortran_order': False, 'shape': (20,), }\n"),
        (1, "{'descr': '|i1', 'fortran_order': False, 'shape': (99999999999999999999,), }\n"),
        (1, "{'descr': '|i1', 'fortran_order': False, 'shape': (-21,), }\n"),
        (1, "{'descr': '|i1', 'fortran_order': False, 'shape': (), }\n"),
        (1, "{'descr': '|i1', 'fortran_order': False}\n"),
        (1, "{'fortran_order': False, 'shape': (21,)}\n"),
        (1, "{}"),
        (1, ""),
        (1, "\u{e9}"),
        (4, "{'descr': '|i1', 'fortran_order': False, 'shape': (21,), }\n"),
    ] {
        made.refuses(Layout::Npy, &array(version, header));
    }
    made.refuses(Layout::Npy, b"\x93NUMPY\x02\x00\xff\xff\xff\xff");
    made.refuses(Layout::Npy, b"\x93NUMPY\x01\x00\x02\x00\xff\xff");
    let mut random = fastrand::Rng::with_seed(1);
    let right = array(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (21,), }\n");
    for _ in 0..2_000 {
        let mut bytes = right.clone();
        let at = random.usize(..bytes.len());
        bytes[at] = random.u8(..);
        fs::write(made.path("foreign"), bytes).unwrap();
        // Refused or compared, but never more.
        let _ = made.compare(Layout::Npy, "foreign");
    }
}

#[test]
fn texts_of_other_kinds_are_refused() {
    let made = Made::built("kalah:2x3", 2);
    made.export(Layout::Csv, "layer.csv").unwrap();
    let text = fs::read_to_string(made.path("layer.csv")).unwrap();
    assert!(text.starts_with("index,own1,own2,opponent1,opponent2,value\n0,0,0,0,2,-2\n"), "{text}");
    for (from, to, part) in [
        ("own1", "own3", "first line"),
        ("\n0,0,0,0,2,", "\n1,0,0,0,2,", "line 2"),
        ("\n0,0,0,0,2,", "\n0,0,0,1,1,", "line 2"),
        ("0,0,0,0,2,-2", "0,0,0,0,2,", "line 2"),
        ("0,0,0,0,2,-2", "0,0,0,0,2", "line 2"),
        ("0,0,0,0,2,-2", "0,0,0,0,2,-2,", "line 2"),
        ("0,0,0,0,2,-2", "0,0,0,0,2,128", "line 2"),
        ("0,0,0,0,2,-2", "0,0,0,0,2,-2.0", "line 2"),
        ("0,0,0,0,2,-2", "", "line 2"),
        ("0,0,0,0,2,-2", &"0".repeat(5000), "line 2 is too long"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text);
        let said = made.refuses(Layout::Csv, wrong.as_bytes());
        assert!(said.contains(part), "{said}");
    }
    made.refuses(Layout::Csv, &[&text.as_bytes()[..50], b"\xff\xfe\x00", &text.as_bytes()[50..]].concat());
    made.refuses(Layout::Csv, &[0; 5000]);
    // The end of the last line may be missing.
    fs::write(made.path("foreign"), text.trim_end()).unwrap();
    assert_eq!(made.compare(Layout::Csv, "foreign").unwrap().different, 0);
}

#[cfg(feature = "cli")]
mod through_the_program {
    use super::*;
    use crate::program::{Program, keys, text};

    #[test]
    fn layers_go_out_and_are_compared() {
        let program = Program::new();
        program.says(&["build", "kalah:3x2", "--seeds-up-to", "5", "--quiet"]);
        let layer = ["kalah:3x2", "--layer", "5", "--format"];
        let [of, exporting, importing] = [&layer[..], &["export"], &["import"]];
        let exporting = [exporting, of].concat();
        let importing = [importing, of].concat();
        let answer = program.json(&[&exporting[..], &["npy", "--json"]].concat());
        assert_eq!(
            keys(&answer),
            ["game", "rules", "layer", "format", "file", "record", "entries", "bytes", "checksum", "seconds"]
        );
        assert_eq!((&answer["entries"], &answer["bytes"]), (&252.into(), &(128 + 252).into()));
        assert!(program.path("kalah-3-5.npy").exists() && program.path("kalah-3-5.npy.json").exists());
        let said = program.fails(&[&exporting[..], &["npy"]].concat(), 2);
        assert!(said.contains("--force"), "{said}");
        program.says(&[&exporting[..], &["npy", "--force"]].concat());
        let info = program.json(&["info", "databases", "--json"]);
        assert_eq!(info["layers"][5]["checksum"], answer["checksum"]);
        for format in ["raw", "csv"] {
            let said = program.says(&[&exporting[..], &[format, "--out", "layer"]].concat());
            assert!(said.contains("252 values of layer 5"), "{said}");
            program.says(&[&importing[..], &[format, "--check", "layer"]].concat());
            fs::remove_file(program.path("layer.json")).unwrap();
            fs::rename(program.path("layer"), program.path(format)).unwrap();
        }
        let equal = program.json(&[&importing[..], &["csv", "--check", "csv", "--json"]].concat());
        assert_eq!(
            keys(&equal),
            ["game", "rules", "layer", "format", "file", "equal", "entries", "different", "seconds"]
        );
        assert_eq!(equal["equal"], true);
        let mut bytes = fs::read(program.path("raw")).unwrap();
        bytes[7] = 100;
        fs::write(program.path("raw"), bytes).unwrap();
        let output = program.run(&[&importing[..], &["raw", "--check", "raw", "--json"]].concat());
        assert_eq!(output.status.code(), Some(1));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&answer["equal"], &answer["different"]), (&false.into(), &1.into()));
        assert_eq!(keys(&answer["first"]), ["entry", "position", "found", "expected"]);
        assert_eq!((&answer["first"]["entry"], &answer["first"]["found"]), (&7.into(), &100.into()));
        let output = program.run(&[&importing[..], &["raw", "--check", "raw"]].concat());
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stdout).contains("1 of 252 values"), "{}", text(&output.stdout));
        program.fails(&[&importing[..], &["npy", "--check", "raw"]].concat(), 2);
        program.fails(&[&importing[..], &["raw", "--check", "nothing"]].concat(), 2);
        program.fails(&[&importing[..], &["raw"]].concat(), 2);
        program.fails(&[&importing[..], &["xyz", "--check", "raw"]].concat(), 2);
        let said = program.fails(&[&exporting[..], &["vu"]].concat(), 2);
        assert!(said.contains("awari"), "{said}");
        let said = program.fails(&["export", "kalah:3x2", "--layer", "6", "--format", "raw"], 2);
        assert!(said.contains("--seeds-up-to 6"), "{said}");
        program.fails(&["export", "kalah:3x3", "--layer", "99", "--format", "raw", "--tables", "."], 2);
        program.fails(&[&exporting[..], &["raw", "--out", "nowhere/file"]].concat(), 2);
    }
}
