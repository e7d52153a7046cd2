//! A move as a table over half boards.
use crate::rules::Rules;
pub(super) fn supports(_rules: &Rules) -> bool {
    false
}
