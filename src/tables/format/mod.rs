//! The bytes of a layer file; `docs/FORMAT.md` explains them field by field.
//!
//! A file is a header of fixed length, the canonical rule text, one checksum a block, and the
//! values. All of its layout follows from the pits, the seeds and the length of the rule text, so a
//! header is accepted only if it equals the one that would be written for them: bytes become a
//! [`RawHeader`], and that a [`Header`], which cannot be wrong about sizes and places.

mod name;
mod writer;

use xxhash_rust::xxh3::xxh3_64;

use super::error::Fault;
use crate::rules::{FourRows, MAX_PITS, RuleKind, Rules, Switches};
pub(super) use name::{EXTENSION, layer_of};
pub use name::{LayerName, NoLayerName, Quantity, file_name};
pub(super) use writer::{PartFile, part_name, remove_if_there, sync_folder};
pub use writer::{try_name, write_layer, write_whole};

/// First bytes of a layer file: a byte that no text has, the name, and the line ends and the
/// end-of-file mark that transfers in text mode change.
const MAGIC: [u8; 8] = *b"\x89SOW\r\n\x1a\n";
/// Version of the format that is written and read.
pub const FORMAT_VERSION: u32 = 1;
/// Bytes of a header.
pub(in crate::tables) const HEADER_BYTES: usize = 256;
/// Values a checksum covers; the last block of a file may be shorter.
pub(in crate::tables) const BLOCK_BYTES: usize = 1 << 20;
/// The values begin at a multiple of this, so that they can be mapped.
const PAGE_BYTES: u64 = 4096;
/// The numbering of [`crate::index`].
const INDEX_SCHEME: u16 = 1;
/// Values as they are, one signed byte each.
const CODEC_RAW: u8 = 0;
/// Most seeds of a layer whose values fit a signed byte.
pub(in crate::tables) const MAX_SEEDS: u32 = 127;
/// First line of the rule text of a game of four rows.
pub(in crate::tables) const FOUR_ROWS: &str = "four rows";
/// Longest rule text, in bytes.
const MAX_RULE_BYTES: u64 = 1 << 16;
/// Bytes for the version of the program that wrote a file.
const GENERATOR_BYTES: usize = 16;
/// Bytes kept for later versions, all 0.
const RESERVED_BYTES: usize = 96;

/// A part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tables) struct Section {
    /// Place of its first byte.
    pub offset: u64,
    /// Bytes.
    pub length: u64,
}

/// The fields of a header as they stand in the file, not yet believed.
#[derive(Clone, Debug, PartialEq, Eq)]
// Its fields are explained in docs/FORMAT.md, in this order.
struct RawHeader {
    magic: [u8; 8],
    version: u32,
    header_length: u32,
    file_length: u64,
    fingerprint: u128,
    pits: u16,
    index_scheme: u16,
    seeds: u32,
    positions: u64,
    value_offset: i16,
    value_step: i16,
    value_bits: u8,
    codec: u8,
    flags: u16,
    block_bytes: u32,
    section_count: u32,
    rules: Section,
    checksums: Section,
    values: Section,
    values_checksum: u128,
    generator: [u8; GENERATOR_BYTES],
    reserved: [u8; RESERVED_BYTES],
    checksum: u64,
}

/// Takes fields from the front of a header.
struct Fields<'a>(&'a [u8; HEADER_BYTES], usize);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut field = [0; N];
        field.copy_from_slice(&self.0[self.1..self.1 + N]);
        self.1 += N;
        field
    }
    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
    fn section(&mut self) -> Section {
        Section { offset: self.u64(), length: self.u64() }
    }
}

impl RawHeader {
    /// The fields of a header.
    fn read(bytes: &[u8; HEADER_BYTES]) -> RawHeader {
        let mut fields = Fields(bytes, 0);
        RawHeader {
            magic: fields.take(),
            version: u32::from_le_bytes(fields.take()),
            header_length: u32::from_le_bytes(fields.take()),
            file_length: fields.u64(),
            fingerprint: u128::from_le_bytes(fields.take()),
            pits: u16::from_le_bytes(fields.take()),
            index_scheme: u16::from_le_bytes(fields.take()),
            seeds: u32::from_le_bytes(fields.take()),
            positions: fields.u64(),
            value_offset: i16::from_le_bytes(fields.take()),
            value_step: i16::from_le_bytes(fields.take()),
            value_bits: u8::from_le_bytes(fields.take()),
            codec: u8::from_le_bytes(fields.take()),
            flags: u16::from_le_bytes(fields.take()),
            block_bytes: u32::from_le_bytes(fields.take()),
            section_count: u32::from_le_bytes(fields.take()),
            rules: fields.section(),
            checksums: fields.section(),
            values: fields.section(),
            values_checksum: u128::from_le_bytes(fields.take()),
            generator: fields.take(),
            reserved: fields.take(),
            checksum: fields.u64(),
        }
    }

    /// The bytes of the header, with the checksum of this record.
    fn bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(self.magic);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(self.header_length.to_le_bytes());
        bytes.extend(self.file_length.to_le_bytes());
        bytes.extend(self.fingerprint.to_le_bytes());
        bytes.extend(self.pits.to_le_bytes());
        bytes.extend(self.index_scheme.to_le_bytes());
        bytes.extend(self.seeds.to_le_bytes());
        bytes.extend(self.positions.to_le_bytes());
        bytes.extend(self.value_offset.to_le_bytes());
        bytes.extend(self.value_step.to_le_bytes());
        bytes.extend([self.value_bits, self.codec]);
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.block_bytes.to_le_bytes());
        bytes.extend(self.section_count.to_le_bytes());
        for section in [self.rules, self.checksums, self.values] {
            bytes.extend(section.offset.to_le_bytes());
            bytes.extend(section.length.to_le_bytes());
        }
        bytes.extend(self.values_checksum.to_le_bytes());
        bytes.extend(self.generator);
        bytes.extend(self.reserved);
        bytes.extend(self.checksum.to_le_bytes());
        bytes.try_into().expect("the fields fill the header")
    }

    /// What the field `checksum` should hold: xxh3-64 of all bytes before it.
    fn expected_checksum(&self) -> u64 {
        xxh3_64(&self.bytes()[..HEADER_BYTES - 8])
    }
}

/// A header whose every field fits the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pits: u8,
    name: LayerName,
    fingerprint: u128,
    values_checksum: u128,
    generator: [u8; GENERATOR_BYTES],
    positions: u64,
    rules: Section,
    checksums: Section,
    values: Section,
}

impl Header {
    /// The header of a layer that this program writes. `None` if the layer has more seeds than a
    /// value can count, or more positions than fit 64 bits.
    pub(in crate::tables) fn new(rules: &Rules, name: LayerName, values_checksum: u128) -> Option<Header> {
        let mut generator = [0; GENERATOR_BYTES];
        let version = env!("CARGO_PKG_VERSION").as_bytes();
        let kept = version.len().min(GENERATOR_BYTES);
        generator[..kept].copy_from_slice(&version[..kept]);
        let rule_bytes = rules.canonical().len() as u64;
        let header = Header::of_layer(rules.player_pits(), name, rule_bytes)?;
        Some(Header { fingerprint: rules.fingerprint(), values_checksum, generator, ..header })
    }

    /// The layout of a layer.
    fn of_layer(pits: u8, name: LayerName, rule_bytes: u64) -> Option<Header> {
        let sound =
            (1..=MAX_PITS).contains(&pits.into()) && name.seeds <= MAX_SEEDS && rule_bytes <= MAX_RULE_BYTES;
        if !sound {
            return None;
        }
        let positions = layer_positions(pits, name.seeds)?;
        let rules = Section { offset: HEADER_BYTES as u64, length: rule_bytes };
        let blocks = positions.div_ceil(BLOCK_BYTES as u64);
        let checksums = Section {
            offset: rules.offset.checked_add(rule_bytes)?.checked_next_multiple_of(8)?,
            length: blocks.checked_mul(8)?,
        };
        let end = checksums.offset.checked_add(checksums.length)?;
        let values = Section { offset: end.checked_next_multiple_of(PAGE_BYTES)?, length: positions };
        values.offset.checked_add(values.length)?;
        let (fingerprint, values_checksum, generator) = (0, 0, [0; GENERATOR_BYTES]);
        Some(Header {
            pits,
            name,
            fingerprint,
            values_checksum,
            generator,
            positions,
            rules,
            checksums,
            values,
        })
    }

    /// The fields as they are written.
    fn raw(&self) -> RawHeader {
        let mut raw = RawHeader {
            magic: MAGIC,
            version: FORMAT_VERSION,
            header_length: HEADER_BYTES as u32,
            file_length: self.file_length(),
            fingerprint: self.fingerprint,
            pits: self.pits.into(),
            index_scheme: INDEX_SCHEME,
            seeds: self.name.seeds,
            positions: self.positions,
            value_offset: 0,
            value_step: 1,
            value_bits: 8,
            codec: CODEC_RAW,
            flags: self.name.quantity.flags(),
            block_bytes: BLOCK_BYTES as u32,
            section_count: 3,
            rules: self.rules,
            checksums: self.checksums,
            values: self.values,
            values_checksum: self.values_checksum,
            generator: self.generator,
            reserved: [0; RESERVED_BYTES],
            checksum: 0,
        };
        raw.checksum = raw.expected_checksum();
        raw
    }

    /// Pits of one player, 1..=40.
    pub fn pits(&self) -> u8 {
        self.pits
    }

    /// Seeds in the pits of every position, 0..=127.
    pub fn seeds(&self) -> u32 {
        self.name.seeds
    }

    /// What the entries are.
    pub fn quantity(&self) -> Quantity {
        self.name.quantity
    }

    /// The layer and what the entries are.
    pub fn name(&self) -> LayerName {
        self.name
    }

    /// xxh3-128 of the canonical rule text.
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// xxh3-128 of the decoded values, one signed byte each, in index order.
    pub fn values_checksum(&self) -> u128 {
        self.values_checksum
    }

    /// Version of the program that wrote the file.
    pub fn generator(&self) -> String {
        let end = self.generator.iter().position(|byte| *byte == 0).unwrap_or(GENERATOR_BYTES);
        String::from_utf8_lossy(&self.generator[..end]).into_owned()
    }

    /// Positions of the layer.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Bytes of the file.
    pub fn file_length(&self) -> u64 {
        self.values.offset + self.values.length
    }

    /// Where the canonical rule text stands.
    pub(in crate::tables) fn rules(&self) -> Section {
        self.rules
    }

    /// Where the checksums of the blocks stand: xxh3-64, 8 bytes a block.
    pub(in crate::tables) fn checksums(&self) -> Section {
        self.checksums
    }

    /// Where the values stand.
    pub(in crate::tables) fn values(&self) -> Section {
        self.values
    }

    /// Number of blocks.
    pub(in crate::tables) fn blocks(&self) -> u64 {
        self.checksums.length / 8
    }

    /// The indices of the positions of a block: its first one, and their number.
    pub(in crate::tables) fn block(&self, block: u64) -> (u64, usize) {
        let first = block * BLOCK_BYTES as u64;
        (first, (self.positions - first).min(BLOCK_BYTES as u64) as usize)
    }
}

impl TryFrom<&[u8; HEADER_BYTES]> for Header {
    type Error = Fault;

    fn try_from(bytes: &[u8; HEADER_BYTES]) -> Result<Header, Fault> {
        RawHeader::read(bytes).try_into()
    }
}

impl TryFrom<RawHeader> for Header {
    type Error = Fault;

    /// What a later version may have changed is told apart first, then the checksum is compared;
    /// only a writer's mistake is left for the fields.
    fn try_from(raw: RawHeader) -> Result<Header, Fault> {
        if raw.magic != MAGIC {
            return Err(Fault::NoTable);
        }
        if raw.version > FORMAT_VERSION {
            // A damaged version number must not pass for a later version.
            let ours = RawHeader { version: FORMAT_VERSION, ..raw };
            return Err(match raw.checksum == ours.expected_checksum() {
                true => Fault::HeaderChecksum,
                false => Fault::NewerVersion { found: raw.version },
            });
        }
        if raw.checksum != raw.expected_checksum() {
            return Err(Fault::HeaderChecksum);
        }
        if raw.index_scheme != INDEX_SCHEME {
            return Err(Fault::UnknownIndex { scheme: raw.index_scheme });
        }
        if (raw.codec, raw.value_bits) != (CODEC_RAW, 8) {
            return Err(Fault::UnknownCodec { codec: raw.codec, bits: raw.value_bits });
        }
        let quantity = Quantity::from_flags(raw.flags).ok_or(Fault::UnknownQuantity { flags: raw.flags })?;
        let name = LayerName { seeds: raw.seeds, quantity };
        let pits = u8::try_from(raw.pits).ok();
        let layout = pits.and_then(|pits| Header::of_layer(pits, name, raw.rules.length));
        let header = layout.ok_or_else(|| Fault::Field {
            field: "pits, seeds, rule text",
            found: format!("{}, {}, {} bytes", raw.pits, raw.seeds, raw.rules.length),
            expected: format!("1 to {MAX_PITS}, 0 to {MAX_SEEDS}, at most {MAX_RULE_BYTES} bytes"),
        })?;
        let header = Header {
            fingerprint: raw.fingerprint,
            values_checksum: raw.values_checksum,
            generator: raw.generator,
            ..header
        };
        compare(&raw, &header.raw())?;
        Ok(header)
    }
}

/// Reports the first field that differs.
fn compare(found: &RawHeader, expected: &RawHeader) -> Result<(), Fault> {
    macro_rules! fields {
        ($($field:ident)+) => {
            $(if found.$field != expected.$field {
                return Err(Fault::Field {
                    field: stringify!($field),
                    found: format!("{:?}", found.$field),
                    expected: format!("{:?}", expected.$field),
                });
            })+
        };
    }
    fields!(magic version header_length file_length fingerprint pits index_scheme seeds positions);
    fields!(value_offset value_step value_bits codec flags block_bytes section_count);
    fields!(rules checksums values values_checksum generator reserved checksum);
    Ok(())
}

/// Positions with `seeds` seeds in the 2 * `pits` pits: C(seeds + 2 pits - 1, 2 pits - 1).
pub(super) fn layer_positions(pits: u8, seeds: u32) -> Option<u64> {
    let others = 2 * u128::from(pits) - 1;
    let mut count = 1_u128;
    for k in 1..=u128::from(seeds) {
        // The product of k numbers in a row is a multiple of k!, so each step divides exactly.
        count = count.checked_mul(others + k)? / k;
    }
    u64::try_from(count).ok()
}

/// The rules of a canonical text, as long as this program knows all of its switches. The name is
/// not part of the text and is left as given, the seeds of the start are as few as can be.
pub(super) fn parse_rules(text: &str, name: &str) -> Option<Rules> {
    let mut lines = text.lines();
    let has_four_rows = match lines.next()? {
        "two rows" => false,
        FOUR_ROWS => true,
        _ => return None,
    };
    let pits: u8 = lines.next()?.strip_prefix("pits=")?.parse().ok()?;
    let mut rules = match has_four_rows {
        true => {
            let four_rows = FourRows::plain(lines.next()?.strip_prefix("game=")?)?;
            let seeds = *four_rows.boards().seeds.start();
            Rules::nameless(pits / 2, seeds, RuleKind::FourRows(four_rows))
        }
        false => Rules::nameless(pits, 1, RuleKind::TwoRows(Switches::default())),
    }
    .ok()?
    .called(name);
    for line in lines {
        let (key, value) = line.split_once('=')?;
        rules.set(key, value).ok()?;
    }
    (rules.canonical() == text).then_some(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_on_which_a_game_is_not_played_have_no_rules() {
        for pits in 1..=40 {
            let omweso = format!("four rows\npits={pits}\ngame=omweso\n");
            assert_eq!(
                parse_rules(&omweso, "").is_some(),
                pits % 2 == 0 && (4..=16).contains(&pits),
                "{pits}"
            );
            let hands = format!("four rows\npits={pits}\ngame=bao-kiswahili\n");
            assert_eq!(parse_rules(&hands, "").is_some(), pits == 16, "{pits}");
            assert!(parse_rules(&format!("two rows\npits={pits}\n"), "").is_some(), "{pits}");
        }
        assert!(
            ["0", "41", "256"]
                .iter()
                .all(|pits| parse_rules(&format!("two rows\npits={pits}\n"), "").is_none())
        );
    }

    proptest::proptest! {
        #[test]
        fn headers_are_believed_only_if_they_are_written_so(
            changes in proptest::collection::vec((8..248_usize, proptest::prelude::any::<u8>()), 1..4),
        ) {
            let rules = crate::rules::game("kalah:2x2").unwrap();
            let name = LayerName { seeds: 3, quantity: Quantity::Value };
            let mut bytes = Header::new(&rules, name, 5).unwrap().raw().bytes();
            changes.into_iter().for_each(|(at, byte)| bytes[at] = byte);
            let mut raw = RawHeader::read(&bytes);
            raw.checksum = raw.expected_checksum();
            if let Ok(believed) = Header::try_from(&raw.bytes()) {
                assert_eq!(believed.raw(), raw);
                assert_eq!(believed.values().offset + believed.values().length, believed.file_length());
            }
        }
    }
}
