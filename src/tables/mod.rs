//! Tables on disk and in memory.

/// The finished layers that a search may look into: by seeds, the value of each position by index.
#[derive(Clone, Debug, Default)]
pub struct Values<'a> {
    /// By seeds in the pits; `None` where there is no table.
    pub layers: Vec<Option<&'a [i8]>>,
}

impl Values<'_> {
    /// A layer, if it is there.
    #[inline(always)]
    pub fn layer(&self, seeds: u32) -> Option<&[i8]> {
        self.layers.get(seeds as usize).copied().flatten()
    }

    /// The value of a position of a layer that is there.
    #[inline(always)]
    pub fn value(&self, seeds: u32, index: u64) -> i32 {
        self.layer(seeds).map_or(0, |layer| i32::from(layer[index as usize]))
    }
}
