//! Positions within a turn, listed by the seeds that its mover has not yet got.

/// A position and its open seeds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenPlace<K> {
    pub open: u32,
    pub key: K,
}

/// The end of a turn: the seeds that it leaves open, and the position before its last move.
#[derive(Clone, Copy)]
pub(super) struct TurnEnd<K> {
    pub left: u32,
    pub last: OpenPlace<K>,
}

/// Positions by open seeds. Those of finished lists are sorted.
pub(super) struct Lists<K> {
    pub lists: Vec<Vec<K>>,
}

impl<K: Copy + Ord> Lists<K> {
    pub fn new(open: u32) -> Lists<K> {
        Lists { lists: (0..=open).map(|_| Vec::new()).collect() }
    }

    pub fn at(&self, open: u32) -> &[K] {
        &self.lists[open as usize]
    }

    pub fn push(&mut self, place: OpenPlace<K>) {
        self.lists[place.open as usize].push(place.key);
    }

    /// Sorts a list and leaves each position in it once.
    pub fn finish(&mut self, open: u32) -> usize {
        let list = &mut self.lists[open as usize];
        list.sort_unstable();
        list.dedup();
        list.shrink_to_fit();
        list.len()
    }

    pub fn holds(&self, place: OpenPlace<K>) -> bool {
        self.at(place.open).binary_search(&place.key).is_ok()
    }

    pub fn bytes(&self) -> u64 {
        self.lists.iter().map(|list| (list.capacity() * size_of::<K>()) as u64).sum()
    }
}

/// The turn that leaves fewer seeds open, the first of equals.
pub(super) fn better<K: Copy>(one: Option<TurnEnd<K>>, other: Option<TurnEnd<K>>) -> Option<TurnEnd<K>> {
    match (one, other) {
        (Some(one), Some(other)) if other.left < one.left => Some(other),
        (one, other) => one.or(other),
    }
}

/// The first position with so many open seeds that is in both lists, which are sorted.
pub(super) fn common<K: Copy + Ord>(one: &Lists<K>, other: &Lists<K>, open: u32) -> Option<OpenPlace<K>> {
    let (few, many) = if one.at(open).len() < other.at(open).len() { (one, other) } else { (other, one) };
    let place = |&key: &K| OpenPlace { open, key };
    few.at(open).iter().map(place).find(|&place| many.holds(place))
}
