//! What bao la kiswahili adds: the openings of the first stage, and the block.

use super::{
    Bao, HOUSE, Opening, Position, SIGNS, Sign, Start, WORKING, capture_openings, facing, is_lone_kichwa,
    step,
};

/// The openings of a player with seeds in hand.
pub fn namua_openings(bao: &Bao, position: &Position) -> Vec<Start> {
    let own = &position.own;
    let front: Vec<usize> = (1..=8).filter(|&pit| own[pit - 1] > 0).collect();
    let mut openings = Vec::new();

    for &pit in &front {
        if position.opponent[facing(pit, own) - 1] > 0 {
            if pit <= 6 {
                openings.push((pit, Sign::Plus, Opening::Capture));
            }
            if pit >= 3 {
                openings.push((pit, Sign::Minus, Opening::Capture));
            }
        }
    }
    if !openings.is_empty() {
        return openings;
    }

    let owned = position.house[0];
    let works = owned && own[HOUSE - 1] >= WORKING;
    if works && front == [HOUSE] {
        return SIGNS.map(|sign| (HOUSE, sign, Opening::Tax)).to_vec();
    }
    let singletons_free = if bao.singletons_house_works { works } else { owned };
    let all_singletons = front.iter().all(|&pit| own[pit - 1] == 1);
    for pit in front {
        let in_working_house = works && pit == HOUSE;
        let forbidden_singleton = own[pit - 1] == 1 && !singletons_free && !all_singletons;
        for sign in SIGNS {
            if !in_working_house && !forbidden_singleton && !is_lone_kichwa(own, pit, sign) {
                openings.push((pit, sign, Opening::Lift { captures: false }));
            }
        }
    }
    openings
}

/// The pit that a takata has just blocked for the player to move.
pub fn takasia(bao: &Bao, position: &Position) -> Option<usize> {
    let (own, other) = (&position.own, &position.opponent);
    if !capture_openings(own, other).is_empty() {
        return None;
    }
    let mut threatened: Vec<usize> = Vec::new();
    for (pit, sign) in capture_openings(other, own) {
        let last = step(pit, sign, usize::from(other[pit - 1]), other.len());
        threatened.push(facing(last, other));
    }
    threatened.sort();
    threatened.dedup();
    let [pit] = threatened[..] else {
        return None;
    };
    let others = || (1..=8).filter(|&front| front != pit).map(|front| own[front - 1]);
    let only_occupied = others().all(|seeds| seeds == 0);
    let only_playable = own[pit - 1] >= 2 && others().all(|seeds| seeds < 2);
    let house = pit == HOUSE && position.house[0];
    let singleton = own[pit - 1] == 1 && !bao.block_singleton;
    (!only_occupied && !only_playable && !house && !singleton).then_some(pit)
}
