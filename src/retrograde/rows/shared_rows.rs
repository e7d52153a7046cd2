//! One block of rows that tasks fill together.

use std::marker::PhantomData;

/// Rows of equal length, each written by one task and then read by others.
pub(super) struct SharedRows<'a> {
    cells: *mut i8,
    rows: usize,
    length: usize,
    owner: PhantomData<&'a mut [i8]>,
}

// SAFETY: the cells are plain bytes borrowed mutably for 'a; which task may touch which row when
// is the promise of the callers of `row` and `row_mut`.
unsafe impl Sync for SharedRows<'_> {}

impl<'a> SharedRows<'a> {
    /// Rows of `length` > 0 cells.
    pub fn new(cells: &'a mut [i8], length: usize) -> SharedRows<'a> {
        let rows = cells.len() / length;
        SharedRows { cells: cells.as_mut_ptr(), rows, length, owner: PhantomData }
    }

    /// # Safety
    /// Nobody may write the row while the result lives.
    pub unsafe fn row(&self, rank: usize) -> &[i8] {
        assert!(rank < self.rows);
        // SAFETY: the row lies within the cells, and the caller promises that nobody writes it.
        unsafe { std::slice::from_raw_parts(self.cells.add(rank * self.length), self.length) }
    }

    /// # Safety
    /// Nobody may write any row while the result lives.
    pub unsafe fn all(&self) -> &[i8] {
        // SAFETY: the cells are there for 'a, and the caller promises that nobody writes them.
        unsafe { std::slice::from_raw_parts(self.cells, self.rows * self.length) }
    }

    /// # Safety
    /// Nobody else may read or write any row while the result lives.
    #[allow(clippy::mut_from_ref)] // that is the point, and the caller's promise
    pub unsafe fn all_mut(&self) -> &mut [i8] {
        // SAFETY: the cells are there for 'a, and the caller promises that they are his alone.
        unsafe { std::slice::from_raw_parts_mut(self.cells, self.rows * self.length) }
    }

    /// # Safety
    /// Nobody else may read or write the row while the result lives.
    #[allow(clippy::mut_from_ref)] // that is the point, and the caller's promise
    pub unsafe fn row_mut(&self, rank: usize) -> &mut [i8] {
        assert!(rank < self.rows);
        // SAFETY: the row lies within the cells, and the caller promises that it is his alone.
        unsafe { std::slice::from_raw_parts_mut(self.cells.add(rank * self.length), self.length) }
    }
}
