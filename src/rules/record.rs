//! Records of switches as words: what the command line and the files have in common.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::RulesError;

/// A record of switches, each a word or a number.
pub(super) trait Record: Serialize + DeserializeOwned {}

/// The switches as a table from key to value, in the order of the record.
fn to_table(record: &impl Record) -> toml::Table {
    toml::Table::try_from(record).expect("switches are plain words and numbers")
}

fn word(value: toml::Value) -> String {
    match value {
        toml::Value::String(word) => word,
        value => value.to_string(),
    }
}

pub(super) fn keys(record: &impl Record) -> Vec<String> {
    to_table(record).keys().cloned().collect()
}

/// Keys and values, in the order of the record.
pub(super) fn words(record: &impl Record) -> Vec<(String, String)> {
    to_table(record).into_iter().map(|(key, value)| (key, word(value))).collect()
}

pub(super) fn get(record: &impl Record, key: &str) -> Option<String> {
    to_table(record).remove(key).map(word)
}

pub(super) fn set<R: Record>(record: &mut R, key: &str, value: &str) -> Result<(), RulesError> {
    let mut table = to_table(record);
    let slot = match table.get_mut(key) {
        Some(slot) => slot,
        None => return Err(RulesError::unknown_switch(key, keys(record))),
    };
    *slot = match slot {
        toml::Value::Integer(_) => match value.parse() {
            Ok(number) => toml::Value::Integer(number),
            Err(_) => toml::Value::String(value.into()),
        },
        _ => toml::Value::String(value.into()),
    };
    *record = table.try_into().map_err(|error: toml::de::Error| RulesError::BadValue {
        key: key.into(),
        value: value.into(),
        // What it takes is said at the end.
        reason: match error.message().split_once("expected ") {
            Some((_, taken)) => format!("it takes {taken}"),
            None => error.message().into(),
        },
    })?;
    Ok(())
}

/// The switches that differ from a plain record, one `key=value` a line, without those of some keys.
pub(super) fn changes<R: Record>(record: &R, plain: &R, without: &[&str]) -> String {
    let plain = to_table(plain);
    let changed = to_table(record).into_iter().filter(|(key, value)| plain[key] != *value);
    let kept = changed.filter(|(key, _)| !without.contains(&key.as_str()));
    kept.map(|(key, value)| format!("{key}={}\n", word(value))).collect()
}
