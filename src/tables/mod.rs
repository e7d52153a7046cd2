//! Tables on disk and in memory.

/// The finished layers that a search may look into: by seeds, the value of each position by index.
#[derive(Clone, Debug, Default)]
pub struct Values<'a> {
    /// By seeds in the pits; `None` where there is no table.
    pub layers: Vec<Option<&'a [i8]>>,
}

impl Values<'_> {
    /// The value of a position, if its layer is there.
    #[inline(always)]
    pub fn get(&self, seeds: u32, index: u64) -> Option<i32> {
        self.layers.get(seeds as usize).copied().flatten().map(|layer| i32::from(layer[index as usize]))
    }
}
