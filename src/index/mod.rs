//! Dense numbers for positions.
//!
//! # How positions are numbered
//!
//! A *half board* is the row of one player. Those with `s` seeds in `m` pits are numbered from 0
//! by a sum of binomial coefficients over their prefix sums. If `p(k)` is the number of seeds in
//! the first `k` pits, then
//!
//! ```text
//! rank(half) = sum over k = 1 .. m-1 of C(p(k) + k - 1, k)
//! ```
//!
//! This is the combinatorial number system: the prefix sums of all half boards with `s` seeds run
//! through all non-decreasing sequences up to `s`, and the formula counts those that come before.
//! With 3 pits and 2 seeds the order is `0 0 2`, `0 1 1`, `1 0 1`, `0 2 0`, `1 1 0`, `2 0 0`.
//!
//! A *layer* holds every position with exactly `n` seeds in the pits. It is cut into *blocks* by
//! the number `s` of seeds in the mover's row; block `s` is the full product of the mover's half
//! boards with `s` seeds and the opponent's with `n - s`:
//!
//! ```text
//! index(position) = start(n, s) + rank(own) * count(n - s) + rank(opponent)
//! count(s)        = C(s + m - 1, m - 1)
//! start(n, s)     = count(0) * count(n) + ... + count(s - 1) * count(n - s + 1)
//! ```
//!
//! Every index from 0 to `C(n + 2m - 1, 2m - 1) - 1` is the number of exactly one position;
//! positions with an empty row are included, which costs little and spares every special case.
//!
//! The binomials are those of D. H. Lehmer's combinatorial number system (1964); cutting mancala
//! positions by seeds goes back to the Awari databases (Lincke 2002, Romein and Bal 2002).

mod half;
mod keys;
mod layer;
mod numbered;

pub use half::{Half, HalfBoards};
pub(crate) use keys::{DenseKeys, Keys, WideKeys};
pub use layer::{Halves, LayerIndex, Numbering, TooLarge};
pub use numbered::Numbered;
pub(crate) use numbered::half_of;
