//! What tables say and searches prove: bounds of values, and finished layers.

/// Proven bounds of a value, in points of the player to move with empty stores; equal when the
/// value is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}

impl Bounds {
    /// The value, if it is proven.
    pub fn value(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

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

    /// The value of a position, if its layer is there and has this index.
    #[inline(always)]
    pub fn value(&self, seeds: u32, index: u64) -> Option<i32> {
        let value = self.layer(seeds)?.get(usize::try_from(index).ok()?)?;
        Some(i32::from(*value))
    }
}
