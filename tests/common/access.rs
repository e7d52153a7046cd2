//! The ways to read tables.
#![allow(dead_code)]

use sowbase::tables::Access;

/// Through memory maps.
// SAFETY: tests write tables into folders of their own, and change no file of a set that they have open.
pub const MAPPED: Access = unsafe { Access::map() };

/// All of them.
pub const ALL: [Access; 2] = [MAPPED, Access::Read];
