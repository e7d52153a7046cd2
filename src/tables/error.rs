//! What can be wrong with tables.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::format::{FORMAT_VERSION, LayerName};
use crate::board::{Overlong, Verdict};
use crate::control::Stopped;
use crate::index::TooLarge;
use crate::machine::size_text;
use crate::retrograde::{TooFar, Unbuildable, Unfinished};

/// What is wrong with one file, said without its name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file does not begin as a table does.
    #[error("it is no table, or its first bytes were damaged as by a transfer in text mode")]
    NoTable,
    /// The file has fewer bytes than a header.
    #[error("it ends after {bytes} bytes, within its header")]
    NoHeader {
        /// Length of the file.
        bytes: u64,
    },
    /// The file was written in a later format.
    #[error("it has format version {found}, and this program reads version {FORMAT_VERSION}")]
    NewerVersion {
        /// Version of the file.
        found: u32,
    },
    /// The values are coded in a way that this program does not know.
    #[error("its values are coded as codec {codec} with {bits} bits, which this program does not know")]
    UnknownCodec {
        /// Number of the codec.
        codec: u8,
        /// Bits of a value.
        bits: u8,
    },
    /// The positions are numbered in a way that this program does not know.
    #[error("its positions are numbered by scheme {scheme}, which this program does not know")]
    UnknownIndex {
        /// Number of the scheme.
        scheme: u16,
    },
    /// The entries are a quantity that this program does not know.
    #[error("its flags say quantity {flags}, which this program does not know")]
    UnknownQuantity {
        /// The field `flags`.
        flags: u16,
    },
    /// The checksum of the header does not fit the header.
    #[error("its header does not match its checksum")]
    HeaderChecksum,
    /// A field of the header contradicts the others.
    #[error("the field `{field}` of its header is {found} and should be {expected}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What the other fields ask for.
        expected: String,
    },
    /// The file is longer or shorter than its header says.
    #[error("it has {found} bytes and should have {expected}")]
    Length {
        /// Length of the file.
        found: u64,
        /// Length by its header.
        expected: u64,
    },
    /// The text of the rules does not fit its fingerprint.
    #[error("its rule text does not match its fingerprint")]
    RuleText,
    /// The rules are none that this program knows.
    #[error("its rule text names a switch or a value that this program does not know")]
    UnknownRules,
    /// Bytes between sections that are not 0.
    #[error("the unused byte {at} is not 0")]
    Padding {
        /// Place in the file, from 0.
        at: u64,
    },
    /// A block of values does not fit its checksum.
    #[error("block {block} (positions from number {first} on) does not match its checksum")]
    Block {
        /// Number of the block, from 0.
        block: u64,
        /// Index of its first position.
        first: u64,
    },
    /// The blocks are as they were written, but not the whole.
    #[error("its values do not match the checksum of the whole layer")]
    Values,
    /// A value that no position of the layer can have.
    #[error("position {index} has the value {value}, which no position of its layer can have")]
    Range {
        /// Index of the position.
        index: u64,
        /// Its value.
        value: i32,
    },
    /// The file holds another layer than its name says.
    #[error("it holds layer {found}, not the layer of its name")]
    OtherLayer {
        /// The layer in the file.
        found: LayerName,
    },
    /// The file belongs to another rule set than its folder.
    #[error("it belongs to the rules {found}, not to {wanted}")]
    OtherRules {
        /// Fingerprint in the file, as hex digits.
        found: String,
        /// Fingerprint asked for.
        wanted: String,
    },
    /// The file could not be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The record of a folder does not say what the folder holds.
    #[error("{0}")]
    Manifest(String),
    /// An entry differs from what the rules give.
    #[error(
        "position {position} (number {index}) has the value {found} and should have {expected}; {wrong} values of the layer are wrong"
    )]
    WrongValue {
        /// The position.
        position: String,
        /// Its index.
        index: u64,
        /// The value in the file.
        found: i32,
        /// The value by the rules.
        expected: i32,
        /// Wrong values in this layer.
        wrong: u64,
    },
    /// As [`Fault::WrongValue`], in a game won by blocking.
    #[error(
        "position {position} (number {index}) has the verdict {found} and should have {expected}; {wrong} verdicts of the layer are wrong"
    )]
    WrongVerdict {
        /// The position.
        position: String,
        /// Its index.
        index: u64,
        /// The verdict in the file.
        found: Verdict,
        /// The verdict by the rules.
        expected: Verdict,
        /// Wrong verdicts in this layer.
        wrong: u64,
    },
    /// The values could not be compared with what the rules give.
    #[error("its values cannot be checked against the rules: {reason}")]
    Unchecked {
        /// What is in the way.
        reason: Unchecked,
    },
}

/// Why values could not be compared with what the rules give.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unchecked {
    /// No layers can be made for the rules.
    #[error(transparent)]
    Unbuildable(#[from] Unbuildable),
    /// A move could not be played out.
    #[error(transparent)]
    Overlong(#[from] Overlong),
    /// A layer that the values depend on.
    #[error("layer {seeds} is missing or damaged")]
    MissingLayer {
        /// Its seeds.
        seeds: u32,
    },
    /// Bounds of a game whose positions cannot repeat.
    #[error("no position can repeat under these rules, so they have no bounds")]
    NoBounds,
    /// Bounds of a game whose endless play is a draw by every rule.
    #[error("endless play is a draw under these rules, so they have no bounds")]
    OnlyDraws,
    /// Not enough memory.
    #[error(
        "{} takes {} of memory and {} may be used",
        work(*.settles, *.up_to), size_text(*.needed), size_text(*.allowed)
    )]
    Memory {
        /// Whether layers are settled again, rather than loaded.
        settles: bool,
        /// The highest of these layers.
        up_to: u32,
        /// Bytes needed.
        needed: u64,
        /// Bytes free or allowed.
        allowed: u64,
    },
    /// The tables could not be used.
    #[error(transparent)]
    Table(Box<TableError>),
}

fn work(settles: bool, up_to: u32) -> String {
    match settles {
        true => format!("settling the layers up to {up_to} again"),
        false => format!("loading the layers up to {up_to}"),
    }
}

impl From<Unchecked> for Fault {
    fn from(reason: Unchecked) -> Fault {
        Fault::Unchecked { reason }
    }
}

impl Fault {
    /// The error of a file with this fault.
    pub fn at(self, path: &Path) -> TableError {
        let path = path.to_path_buf();
        match self {
            Fault::NewerVersion { found } => TableError::NewerVersion { path, found },
            Fault::UnknownCodec { .. }
            | Fault::UnknownIndex { .. }
            | Fault::UnknownQuantity { .. }
            | Fault::UnknownRules => TableError::Unsupported { path, fault: self },
            Fault::OtherRules { found, wanted } => TableError::RulesMismatch { path, found, wanted },
            Fault::Unreadable(cause) => TableError::Io { action: "read", path, cause },
            fault => TableError::Corrupt { path, fault },
        }
    }
}

/// Why tables give no value. None of these means that a value is 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// No table of the rule set.
    #[error("no tables of {game} were found")]
    NotCovered {
        /// The game asked for.
        game: String,
    },
    /// No tables of such a game can be made.
    #[error(transparent)]
    Unbuildable(#[from] Unbuildable),
    /// The position is of another board.
    #[error(
        "the position has rows of {found} pits, and the tables are of {pits}; give it with the game it belongs to"
    )]
    OtherBoard {
        /// Pits in a row of the position.
        found: usize,
        /// Pits in a row of the tables.
        pits: u8,
    },
    /// The position is of a board with closed pits or quan cells.
    #[error("no table of {game} holds a position with closed pits or quan cells")]
    ClosedPits {
        /// The game asked for.
        game: String,
    },
    /// The position has more than the seeds on the board.
    #[error("no table of {game} holds a position in which captures are off or a rule has ended the game")]
    OtherStage {
        /// The game asked for.
        game: String,
    },
    /// There are tables of the rule set, but not of a board with so many seeds.
    #[error("the tables of {game} are of whole boards of {present} seeds, not of {seeds}")]
    MissingBoard {
        /// The game asked for.
        game: String,
        /// The seeds of the position.
        seeds: u32,
        /// The boards that are there.
        present: String,
    },
    /// There are tables of the rule set, but not for so many seeds.
    #[error("the tables of {game} have no layer of {seeds} seeds{}", in_brackets("they have", .present))]
    MissingLayer {
        /// The game asked for.
        game: String,
        /// The layer that is missing.
        seeds: u32,
        /// The layers that are there.
        present: String,
    },
    /// Values are asked for, and under the rules they depend on the play before a position.
    #[error(
        "the values of {game} depend on the play before a position, so its tables hold bounds only; ask for the values of cycle=split"
    )]
    BoundsOnly {
        /// The game asked for.
        game: String,
    },
    /// There are no bounds for so many seeds.
    #[error("the tables of {game} have no bounds for {seeds} seeds{}", in_brackets("only for", .present))]
    MissingBounds {
        /// The game asked for.
        game: String,
        /// The layer whose bounds are missing.
        seeds: u32,
        /// The layers whose bounds are there.
        present: String,
    },
    /// A file of other rules where those of the game should be.
    #[error(
        "{} belongs to the rules {found}, not to {wanted}; name the game and switches it was built for, or another folder",
        path.display()
    )]
    RulesMismatch {
        /// The file.
        path: PathBuf,
        /// Its fingerprint, as hex digits.
        found: String,
        /// The fingerprint asked for.
        wanted: String,
    },
    /// A file that is damaged.
    #[error("{} is damaged: {fault}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: Fault,
    },
    /// A file of a later format.
    #[error(
        "{} has format version {found} and this program reads version {FORMAT_VERSION}; use a newer sowbase, or remove the file and build it again",
        path.display()
    )]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A file that uses what this program does not know.
    #[error("{} cannot be used: {fault}; use a newer sowbase, or remove the file and build it again", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What is unknown.
        fault: Fault,
    },
    /// A folder without tables.
    #[error("{} holds no tables", path.display())]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// A file or folder could not be used.
    #[error("cannot {action} {}: {cause}; {}", path.display(), way_out(action, cause))]
    Io {
        /// What was tried.
        action: &'static str,
        /// File or folder.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// Values in memory that do not fill a layer.
    #[error(
        "layer {seeds} has {expected} positions, and {found} values were given; give one value a position"
    )]
    WrongSize {
        /// Seeds of the layer.
        seeds: u32,
        /// Values given.
        found: u64,
        /// Positions.
        expected: u64,
    },
    /// Numbers of positions that do not fit.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A line of a checksum list that is none.
    #[error(
        "{}, line {line} is not `GAME RULES LAYER CHECKSUM`; take the list that belongs to this program",
        path.display()
    )]
    BadChecksums {
        /// The list.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A move could not be played out.
    #[error(transparent)]
    Overlong(#[from] Overlong),
    /// A distance does not fit an entry.
    #[error(transparent)]
    TooFar(#[from] TooFar),
}

impl TableError {
    /// What is wrong with the file of this error; the opposite of [`Fault::at`].
    pub(super) fn into_fault(self) -> Fault {
        match self {
            TableError::Corrupt { fault, .. } | TableError::Unsupported { fault, .. } => fault,
            TableError::NewerVersion { found, .. } => Fault::NewerVersion { found },
            TableError::RulesMismatch { found, wanted, .. } => Fault::OtherRules { found, wanted },
            TableError::Io { cause, .. } => Fault::Unreadable(cause),
            error => Unchecked::Table(Box::new(error)).into(),
        }
    }

    /// An error of the system, with what was tried.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TableError {
        let path = path.to_path_buf();
        move |cause| TableError::Io { action, path, cause }
    }
}

fn in_brackets(about: &str, present: &str) -> String {
    if present.is_empty() { String::new() } else { format!(" ({about} {present})") }
}

/// What to do about an error of the system.
fn way_out(action: &str, cause: &io::Error) -> String {
    match cause.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "free some space, or name a place that has more".into()
        }
        ErrorKind::NotFound if action == "create" => "create its folder first".into(),
        ErrorKind::IsADirectory => "name a file in it".into(),
        ErrorKind::NotADirectory => "name a file in a folder".into(),
        ErrorKind::InvalidFilename => "take a shorter name".into(),
        ErrorKind::InvalidInput => "name a file that is not open already".into(),
        ErrorKind::PermissionDenied => format!("get the right to {action} it, or name another place"),
        _ => format!("check that it exists and that you have the right to {action} it"),
    }
}

impl From<Unfinished> for TableError {
    fn from(unfinished: Unfinished) -> TableError {
        match unfinished {
            Unfinished::Stopped(stopped) => stopped.into(),
            Unfinished::Overlong(overlong) => overlong.into(),
            Unfinished::TooFar(far) => far.into(),
        }
    }
}
