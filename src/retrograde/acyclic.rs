//! Whole rows of half boards.
use super::*;
pub(super) struct RowBuilder;
pub(super) fn memory(numbering: &Numbering) -> Option<u64> {
    general::memory(numbering)
}
impl RowBuilder {
    pub(super) fn new(_: &Ring, _: u32) -> Result<RowBuilder, TooLarge> {
        Ok(RowBuilder)
    }
    pub(super) fn next(&self) -> u32 {
        0
    }
    pub(super) fn layer(&self, _: u32) -> &[i8] {
        &[]
    }
    pub(super) fn adopt(&mut self, _: &Numbering, _: Vec<i8>) {}
    pub(super) fn into_layers(self) -> Vec<Vec<i8>> {
        Vec::new()
    }
    pub(super) fn build_next(&mut self, _: &Numbering, _: &Control) -> Result<(), Stopped> {
        Ok(())
    }
}
