//! Moves of Bao la kiswahili: the first stage, the house and the blocked pit.

use std::ops::ControlFlow::{self, Continue};

use super::bao::{BaoMove, LapRules, WAYS, WORKING};
use super::player_ring::PlayerRing;
use super::two_rings::{HOUSE, Rings, TwoRings};
use crate::board::{Move, Stage, Way};
use crate::rules::{HouseLost, Kiswahili, MtajiHouse, NamuaSingletons};

impl<R: PlayerRing> TwoRings<R> {
    pub(super) fn kiswahili_moves(
        &self,
        switches: &Kiswahili,
        before: &Rings<R>,
        visit: &mut impl FnMut(Move, Rings<R>, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Stage { hand: [own_hand, opponent_hand], blocked, .. } = before.stage;
        let is_first = own_hand > 0;
        let lap_rules = LapRules {
            hus: false,
            house_stops: is_first || switches.mtaji_house == MtajiHouse::Choice,
            capture_costs_houses: !is_first && switches.house_lost == HouseLost::FirstMtajiCapture,
            blocked: usize::from(blocked).checked_sub(1),
            endless: switches.endless,
        };
        let next = |turn: &BaoMove<R>| {
            let may_block = switches.takasia.on() && !turn.captures && !is_first && opponent_hand == 0;
            let blocked = if may_block { self.takasia(switches, turn) } else { None };
            let stage = Stage {
                hand: [opponent_hand, own_hand.saturating_sub(1)],
                house: [turn.house[1], turn.house[0]],
                blocked: blocked.map_or(0, |pit| pit as u8 + 1),
                ..Stage::default()
            };
            Rings { own: turn.opponent, opponent: turn.own, stage }
        };
        if is_first {
            self.first_stage(switches, &lap_rules, before, &next, visit)
        } else {
            self.second_stage(&lap_rules, before, &next, visit)
        }
    }

    /// The moves of a player with seeds in hand.
    fn first_stage<N, V>(
        &self,
        switches: &Kiswahili,
        lap_rules: &LapRules,
        before: &Rings<R>,
        next: &N,
        visit: &mut V,
    ) -> ControlFlow<()>
    where
        N: Fn(&BaoMove<R>) -> Rings<R>,
        V: FnMut(Move, Rings<R>, u32) -> ControlFlow<()>,
    {
        let own = |pit| before.own.seeds_in(pit);
        let captures = |pit: &usize| own(*pit) > 0 && before.opponent.seeds_in(self.facing(*pit)) > 0;
        let mut may_capture = false;
        for pit in (0..self.front).filter(captures) {
            may_capture = true;
            for way in WAYS {
                // Near an end of the row the captured seeds are sown from there.
                let is_open = match way {
                    Way::With => pit + 2 < self.front,
                    Way::Against => pit >= 2,
                };
                if is_open {
                    let mut turn = BaoMove::new(before, pit, way, true);
                    turn.own.put(pit, 1);
                    let mut laps = self.laps(lap_rules, before, next, visit);
                    match laps.captured(&mut turn, pit, Some(way)) {
                        Some(last) => laps.go_on(turn, last)?,
                        None => laps.end(&turn)?,
                    }
                }
            }
        }
        if may_capture {
            return Continue(());
        }
        let lone = self.lone_front_pit(&before.own);
        let works = before.stage.house[0] && own(HOUSE) >= WORKING;
        let frees_singletons = match switches.namua_singletons {
            NamuaSingletons::HouseOwned => before.stage.house[0],
            NamuaSingletons::HouseWorks => works,
        };
        let any_singleton = frees_singletons || (0..self.front).all(|pit| own(pit) < 2);
        for pit in (0..self.front).filter(|&pit| own(pit) >= 2 || (own(pit) == 1 && any_singleton)) {
            let is_house = works && pit == HOUSE;
            if is_house && lone != Some(pit) {
                continue;
            }
            for way in WAYS.into_iter().filter(|&way| !self.empties_front(lone, pit, way)) {
                let mut turn = BaoMove::new(before, pit, way, false);
                let mut laps = self.laps(lap_rules, before, next, visit);
                if is_house {
                    // The tax: one seed comes from the hand and two are sown.
                    let seeds = turn.own.lift(pit);
                    turn.own.put(pit, seeds - 1);
                    let last = self.sow_after(&mut turn.own, pit, 2, way);
                    laps.go_on(turn, last)?;
                } else {
                    turn.own.put(pit, 1);
                    laps.begin(turn)?;
                }
            }
        }
        Continue(())
    }

    /// The pit of the opponent that a takata has blocked for his next turn, from 0.
    fn takasia(&self, switches: &Kiswahili, turn: &BaoMove<R>) -> Option<usize> {
        let BaoMove { own, opponent, house: [_, owns_house], .. } = turn;
        if self.openings(opponent, own).next().is_some() {
            return None;
        }
        let mut targets = self.openings(own, opponent).map(|(.., target)| target);
        let target = targets.next()?;
        if targets.any(|other| other != target) {
            return None;
        }
        let seeds = opponent.seeds_in(target);
        let others = |least| (0..self.front).any(|pit| pit != target && opponent.seeds_in(pit) >= least);
        let is_house = target == HOUSE && *owns_house;
        let is_only = !others(1) || (seeds >= 2 && !others(2));
        let is_single = seeds == 1 && !switches.block_singleton.yes();
        (!is_house && !is_only && !is_single).then_some(target)
    }
}
