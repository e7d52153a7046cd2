//! What could not be proven.

use std::sync::atomic::Ordering::Relaxed;

use super::bounded::BoundSide;
use crate::machine::Words;

/// A question about a position: is its value at least (at most) the goal?
#[derive(Clone, Copy)]
pub(in crate::search) struct Question {
    /// [`Hash::id`](super::hash::Hash::id) of the position.
    pub id: u64,
    pub side: BoundSide,
    pub goal: i32,
}

/// Questions that were tried in vain, and the move that stood against them: hints, each in one word
/// of signature (32 bits), goal (16), depth (8) and move (8). Two questions may be mistaken for each
/// other; then a proof is missed.
pub(in crate::search) struct Tried {
    /// `None` if the system grants nothing: then every question is new.
    words: Option<Words>,
}

impl Tried {
    /// The depth of what no depth would prove.
    pub const EVER: u32 = 255;

    /// A memory of at most `bytes`, but at least one word, or as much as the system gives.
    pub fn new(bytes: u64) -> Tried {
        let most = (bytes / 8).max(1).ilog2().min(30);
        Tried { words: (0..=most).rev().find_map(|bits| Words::new(1 << bits)) }
    }

    /// Whether the question was tried in vain as deep before, how deep, and the move that stood against it.
    pub fn get(&self, question: Question, depth: u32) -> (Option<u32>, u8) {
        let Some(words) = &self.words else { return (None, 0) };
        let (at, signature) = place(words, question);
        let word = words[at].load(Relaxed);
        if word >> 32 != signature {
            return (None, 0);
        }
        let (goal, tried_depth) = (i32::from((word >> 16) as i16), u32::from((word >> 8) as u8));
        // Whoever cannot prove a goal cannot prove a better one.
        let is_hopeless = question.side.proves(question.goal, goal) && tried_depth >= depth;
        (is_hopeless.then_some(tried_depth), word as u8)
    }

    /// Remembers that there is no proof within `depth`, which is at most [`Tried::EVER`].
    pub fn put(&self, question: Question, depth: u32, choice: u8) {
        let Some(words) = &self.words else { return };
        let (at, signature) = place(words, question);
        let goal = u64::from(question.goal as i16 as u16);
        let word = signature << 32 | goal << 16 | u64::from(depth.min(Self::EVER)) << 8 | u64::from(choice);
        words[at].store(word, Relaxed);
    }
}

/// Where a question is kept, and its signature, which is not 0.
fn place(words: &Words, question: Question) -> (usize, u64) {
    let id = question.id << 1 | u64::from(question.side == BoundSide::Upper);
    let mixed = id.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed as usize & (words.len() - 1), mixed >> 32 | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(id: u64, side: BoundSide, goal: i32) -> Question {
        Question { id, side, goal }
    }

    #[test]
    fn harder_goals_are_as_vain_and_easier_ones_are_not() {
        for goal in [-300, -7, -1, 0, 1, 300] {
            for (side, harder) in [(BoundSide::Lower, 1), (BoundSide::Upper, -1)] {
                let tried = Tried::new(1 << 10);
                tried.put(ask(9, side, goal), 5, 3);
                for (step, found) in [(0, Some(5)), (1, Some(5)), (-1, None)] {
                    // The move is a hint for the easier goal too.
                    assert_eq!(
                        tried.get(ask(9, side, goal + step * harder), 5),
                        (found, 3),
                        "{side:?} {goal}"
                    );
                }
            }
        }
    }

    #[test]
    fn sides_are_questions_of_their_own() {
        let tried = Tried::new(1 << 16);
        tried.put(ask(9, BoundSide::Lower, 2), 5, 3);
        assert_eq!(tried.get(ask(9, BoundSide::Upper, 2), 1), (None, 0));
    }

    #[test]
    fn what_was_tried_less_deep_is_open() {
        let tried = Tried::new(1 << 10);
        let question = ask(7, BoundSide::Lower, -4);
        assert_eq!(tried.get(question, 0), (None, 0));
        tried.put(question, 8, 1);
        assert_eq!(tried.get(question, 8).0, Some(8));
        assert_eq!(tried.get(question, 9).0, None);
        tried.put(question, 1000, 1);
        assert_eq!(tried.get(question, 200).0, Some(Tried::EVER));
    }

    #[test]
    fn one_place_keeps_the_last_question() {
        let tried = Tried::new(0);
        assert_eq!(tried.words.as_ref().map(|words| words.len()), Some(1));
        for id in 1..1000 {
            let question = ask(id, BoundSide::Upper, -2);
            assert_eq!(tried.get(question, 1).0, None, "{id}");
            tried.put(question, 1, 2);
            assert_eq!(tried.get(question, 1), (Some(1), 2));
        }
    }

    #[test]
    fn equal_signatures_confuse_questions() {
        // In one place only the signature tells questions apart, by 31 bits.
        let tried = Tried::new(8);
        let words = tried.words.as_ref().unwrap();
        let (question, other) = (ask(1, BoundSide::Lower, 0), ask(2, BoundSide::Lower, 0));
        tried.put(question, 4, 1);
        let word = words[0].load(Relaxed);
        words[0].store(word & 0xffff_ffff | place(words, other).1 << 32, Relaxed);
        assert_eq!((tried.get(other, 4), tried.get(question, 4)), ((Some(4), 1), (None, 0)));
    }

    #[test]
    fn without_memory_nothing_was_tried() {
        let tried = Tried { words: None };
        tried.put(ask(1, BoundSide::Lower, 0), 4, 1);
        assert_eq!(tried.get(ask(1, BoundSide::Lower, 0), 1), (None, 0));
    }
}
