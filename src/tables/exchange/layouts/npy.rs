//! NumPy's file format for one array: a header that is a Python dictionary, then the values.

use std::io::{self, Read};

/// First bytes of a file.
const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// The values begin at a multiple of this.
const ALIGNMENT: usize = 64;
/// Longer headers are not read; ours has 128 bytes.
const MAX_HEADER: usize = 1 << 16;

/// The header of a file of signed bytes, in version 1.0 of the format.
pub(super) fn header(entries: u64) -> Vec<u8> {
    let mut text = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({entries},), }}");
    let before = MAGIC.len() + 4;
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    text += &" ".repeat(length - 1 - text.len());
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.bytes());
    bytes
}

/// Why the start of a file is no header of signed bytes.
pub(super) enum BadHeader {
    Unreadable(io::Error),
    Wrong(String),
}

impl From<io::Error> for BadHeader {
    fn from(error: io::Error) -> BadHeader {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => BadHeader::Wrong("it ends within its header".into()),
            _ => BadHeader::Unreadable(error),
        }
    }
}

/// Reads a header of any version of the format: its length in bytes, and the number of values.
pub(super) fn read_header(file: &mut impl Read) -> Result<(u64, u64), BadHeader> {
    let wrong = |reason: &str| BadHeader::Wrong(reason.into());
    let mut front = [0; 8];
    file.read_exact(&mut front)?;
    if front[..6] != *MAGIC {
        return Err(wrong("it does not begin as an array of NumPy does"));
    }
    let (length, before) = match front[6] {
        1 => {
            let mut bytes = [0; 2];
            file.read_exact(&mut bytes)?;
            (u16::from_le_bytes(bytes) as usize, 10)
        }
        2 | 3 => {
            let mut bytes = [0; 4];
            file.read_exact(&mut bytes)?;
            (u32::from_le_bytes(bytes) as usize, 12)
        }
        _ => return Err(wrong("its version of the format is unknown")),
    };
    if length > MAX_HEADER {
        return Err(wrong("its header is too long"));
    }
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes)?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("its header is no text"))?;
    let entries = shape(&text).ok_or_else(|| {
        BadHeader::Wrong(format!("its header {:?} is not that of one row of signed bytes (|i1)", text.trim()))
    })?;
    Ok((before + length as u64, entries))
}

/// The length of a row of signed bytes.
fn shape(text: &str) -> Option<u64> {
    let plain: String =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '"' { '\'' } else { c }).collect();
    let inner = plain.strip_prefix('{')?.strip_suffix('}')?;
    let (front, rest) = inner.split_once("'shape':(")?;
    let (shape, back) = rest.split_once(",)")?;
    // One row is the same in both orders.
    let mut others = [front, back].into_iter().flat_map(|part| part.split(',')).filter(|key| !key.is_empty());
    let known = |key: &str| {
        ["'descr':'|i1'", "'descr':'i1'", "'fortran_order':False", "'fortran_order':True"].contains(&key)
    };
    (others.clone().any(|key| key.starts_with("'descr'")) && others.all(known)).then(|| shape.parse().ok())?
}
