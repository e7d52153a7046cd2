//! Games won by seeds whose positions fall into layers: tables where they reach, and search with building by turns.

use std::sync::Arc;
use std::time::Duration;

use super::turns::Turns;
use super::{Answer, MoveAnswer, Note, Plan, SeedEngine, SolveError, Source, Work, turns, with_engine};
use crate::board::{Game, MOST_LAPS, Move, Position};
use crate::clock::Instant;
use crate::control::Control;
use crate::index::Numbered;
use crate::retrograde::{Leaves, MAX_LAYER, Method, is_acyclic, is_path_dependent};
use crate::rules::Rules;
use crate::search::{Bounds, Distance, Explorer, Learnt, agreed};
use crate::tables::{TableError, TableSet};

/// Such a game: its tables, its engines and what was proven.
pub(super) struct SeedGame {
    pub(super) set: TableSet,
    /// Whether the rules have bounds in tables and no values.
    by_bounds: bool,
    /// Whether positions can repeat.
    pub(super) repeats: bool,
    /// Positions a second at which layers are built.
    pub(super) rate: f64,
    /// By layer: bytes of memory that building up to it takes, as far as it was asked for.
    pub(super) bytes: Vec<u64>,
    engine: Arc<SeedEngine>,
    learnt: Option<Arc<Learnt>>,
    /// Whether the values of the files have been compared with their checksums.
    is_checked: bool,
}

impl SeedGame {
    pub(super) fn new(rules: &Rules, set: TableSet) -> Result<SeedGame, SolveError> {
        Ok(SeedGame {
            set,
            by_bounds: is_path_dependent(rules),
            repeats: !is_acyclic(rules),
            rate: Method::of(rules).map_or(f64::INFINITY, |method| method.rate()),
            bytes: Vec::new(),
            engine: Arc::new(SeedEngine::fastest(rules, None)?),
            learnt: None,
            is_checked: false,
        })
    }

    /// Whether a table answers for the positions with a number of seeds.
    fn has_layer(&self, seeds: u32) -> bool {
        match self.by_bounds {
            true => self.set.has_bounds(seeds),
            false => self.set.has_values(seeds),
        }
    }

    /// Number of such layers from 0 up without a gap.
    pub(super) fn complete_below(&self) -> u32 {
        if self.by_bounds { self.set.bounds_complete_below() } else { self.set.complete_below() }
    }

    /// Whether tables tell all that is asked about positions with a number of seeds: their layer is
    /// there, and those below for their moves and the line.
    pub(super) fn covers(&self, seeds: u32, moves: bool) -> bool {
        self.has_layer(seeds) && (!moves || self.complete_below() > seeds)
    }

    /// The layers for a search.
    pub(super) fn leaves(&self) -> Leaves<'_> {
        match self.by_bounds {
            true => Leaves::of_bounds(self.set.bound_values()),
            false => Leaves::of_values(self.set.values()),
        }
    }

    /// The highest layer that may be built in memory: three quarters of what is allowed are for layers.
    fn most_layers(&mut self, work: &Work) -> Option<u32> {
        let seeds = work.question.position.seeds().min(MAX_LAYER);
        if !work.means.builds() || self.complete_below() > seeds {
            return None;
        }
        let room = work.memory / 4 * 3;
        while self.bytes.len() <= seeds as usize && self.bytes.last().is_none_or(|&bytes| bytes <= room) {
            let top = self.bytes.len() as u32;
            self.bytes.push(TableSet::memory_to_grow(work.rules, top).unwrap_or(u64::MAX));
        }
        let layers = self.complete_below()..=seeds;
        let fits = |&top: &u32| self.bytes.get(top as usize).is_some_and(|&bytes| bytes <= room);
        layers.take_while(fits).last()
    }

    fn probe(&self, position: &Position) -> Result<(), TableError> {
        match self.by_bounds {
            true => self.set.probe_bounds(position).map(drop),
            false => self.set.probe(position).map(drop),
        }
    }

    /// Reads the entry of a position once with its checksum, if a table holds it: a value is not
    /// said on the word of a damaged file.
    fn check(&self, position: &Position) -> Result<(), TableError> {
        if self.has_layer(position.seeds()) { self.probe(position) } else { Ok(()) }
    }

    /// Why the tables do not answer a position, if they do not: the layer of its seeds must be
    /// there, and those below for its moves and the line.
    fn uncovered(&self, position: &Position, moves: bool) -> Option<TableError> {
        let missing = self.probe(position).err();
        missing.filter(|_| !self.has_layer(position.seeds())).or_else(|| {
            let gap = self.complete_below();
            (moves && gap <= position.seeds()).then(|| match self.by_bounds {
                true => self.set.missing_bounds(gap),
                false => self.set.missing(gap),
            })
        })
    }

    /// Enters what tables tell of a position whatever a repetition is worth.
    fn enter_cycle_bounds(&self, answer: &mut Answer) -> Result<(), TableError> {
        if self.repeats && self.set.has_bounds(answer.position.seeds()) {
            answer.set_cycle_bounds(self.set.probe_bounds(&answer.position)?);
        }
        Ok(())
    }

    pub(super) fn answer(&mut self, mut work: Work) -> Result<Answer, SolveError> {
        let position = work.question.position;
        if work.question.proof {
            return Err(SolveError::ProofOfSeeds { game: work.rules.title() });
        }
        let is_held = with_engine!(&*self.engine, game => game.holds(&position));
        if !position.is_plain() && !work.question.search {
            let game = work.rules.full_title();
            return Err(SolveError::NotCovered(TableError::ClosedPits { game }));
        }
        let answered = if position.is_plain() && is_held {
            let engine = Arc::clone(&self.engine);
            let learnt = self.learnt.take().filter(|learnt| learnt.max_seeds() >= position.seeds());
            with_engine!(&*engine, game => self.answer_by(game, &mut work, learnt))?
        } else {
            // Only the plain engine plays it, and what it learns is of one set of closed pits.
            let engine = SeedEngine::plain(work.rules)?;
            let (answer, _) = with_engine!(&engine, game => self.answer_by(game, &mut work, None))?;
            return Ok(answer);
        };
        let (answer, learnt) = answered;
        self.learnt = learnt;
        Ok(answer)
    }

    /// The answer, and what was learnt on the way.
    fn answer_by<G: Numbered>(
        &mut self,
        game: &G,
        work: &mut Work,
        learnt: Option<Arc<Learnt>>,
    ) -> Result<(Answer, Option<Arc<Learnt>>), SolveError> {
        let (question, position) = (work.question, &work.question.position);
        let packed = game.pack(position);
        let end = game.end_value(&packed);
        let laps = game.check_laps();
        if let Some(value) = end {
            laps?;
            let mut answer = Answer::new(position, Source::Terminal);
            answer.set_bounds(Bounds::exact(value));
            answer.set_over(question.moves);
            if question.moves && self.repeats {
                answer.set_distance(Distance::Plies(0));
            }
            self.enter_cycle_bounds(&mut answer)?;
            answer.time = work.begun.elapsed();
            return Ok((answer, learnt));
        }
        if let Some(error) = (!question.search).then(|| self.uncovered(position, question.moves)).flatten() {
            return Err(match error {
                TableError::NotCovered { .. }
                | TableError::MissingLayer { .. }
                | TableError::MissingBounds { .. }
                | TableError::BoundsOnly { .. }
                | TableError::ClosedPits { .. } => SolveError::NotCovered(error),
                error => error.into(),
            });
        }
        let learnt = match learnt {
            Some(learnt) => learnt,
            None => Turns::nothing(game, work.means.threads(), position.seeds())?,
        };
        let answered = self.searched(game, work, &packed, learnt);
        // Whatever was found or not, it may rest on a move that was given up, and so may all that was learnt.
        game.check_laps()?;
        let (mut answer, learnt) = answered?;
        answer.time = work.begun.elapsed();
        Ok((answer, Some(learnt)))
    }

    /// The answer to a position that is not over.
    fn searched<G: Numbered>(
        &mut self,
        game: &G,
        work: &mut Work,
        packed: &G::Position,
        learnt: Arc<Learnt>,
    ) -> Result<(Answer, Arc<Learnt>), SolveError> {
        let question = work.question;
        // Whatever tables do not tell stays open.
        let nothing = Control::default();
        nothing.stop();
        let control = if self.repeats && !question.search { &nothing } else { work.control };
        let (position, seeds) = (&question.position, question.position.seeds());
        let mut deadline = work.deadline();
        let mut is_covered = self.covers(seeds, question.moves);
        let mut uses_tables = position.is_plain();
        if uses_tables {
            let begun = Instant::now();
            match self.set.load_values(seeds, work.memory / 2, work.control) {
                // Stopped: nothing may rest on what was not loaded.
                Err(TableError::Stopped(_)) => uses_tables = false,
                loaded => is_covered &= loaded?,
            }
            work.memory = work.memory.saturating_sub(self.set.bytes_in_memory());
            deadline = deadline.and_then(|deadline| deadline.checked_add(begun.elapsed()));
        }
        let searches = question.search && !is_covered;
        if searches && uses_tables && !self.is_checked {
            let begun = Instant::now();
            // A search reads table entries by the million, so damage is looked for once and before.
            match self.set.check_values(control) {
                // Stopped: nothing may rest on them.
                Err(TableError::Stopped(_)) => uses_tables = false,
                checked => {
                    checked?;
                    self.is_checked = true;
                }
            }
            deadline = deadline.and_then(|deadline| deadline.checked_add(begun.elapsed()));
        }
        if let Some(deadline) = deadline {
            control.set_deadline(Some(deadline.min(control.deadline().unwrap_or(deadline))));
        }
        let repeats = self.repeats;
        let is_path_dependent = self.by_bounds;
        let present = if uses_tables { self.complete_below() } else { 0 };
        let most = if searches && uses_tables { self.most_layers(work) } else { None };
        let waits = searches && repeats && control.deadline().is_none();
        if searches {
            let time = if waits { Some(turns::PATIENCE) } else { question.time };
            work.tell_plan(&Plan::Turns { present, most, memory: work.memory, time });
            control.begin("searching", 0);
        }
        let mut turns = Turns::new(self, work, control, game, learnt, uses_tables);
        turns.most = most;
        if waits {
            turns.be_patient();
        }
        let mut answer = Answer::new(position, Source::Search);
        let lists_moves =
            question.moves && knows_moves(&game.giving_up_after(laps_in(question.time)), packed);
        if question.moves && !lists_moves {
            answer.notes.push(Note::MovesNotListed);
        }
        let (bounds, moves) = match (repeats, lists_moves) {
            (false, false) => (turns.value(packed, true)?, None),
            (false, true) => {
                let bounds = turns.value(packed, true)?;
                let moves = turns.moves(packed)?;
                let (bounds, moves) = agreed(bounds, moves);
                (bounds, Some(moves))
            }
            (true, false) => (turns.bounds(packed, false)?, None),
            (true, true) => {
                let (bounds, moves) = turns.bounds_with_moves(packed, !is_path_dependent)?;
                (bounds, Some(moves))
            }
        };
        if lists_moves && !repeats && bounds.value().is_some() {
            answer.line = turns.search(|solver| solver.line(packed, control))?;
        }
        answer.nodes = turns.nodes();
        let learnt = turns.into_learnt();
        if uses_tables {
            self.check(position)?;
            if self.has_layer(seeds) {
                answer.source = Some(Source::Table);
            }
            self.enter_cycle_bounds(&mut answer)?;
        }
        answer.set_bounds(bounds);
        if let Some(moves) = moves {
            if uses_tables {
                moves.iter().try_for_each(|(played, _)| self.check(&game.unpack(&played.next)))?;
            }
            let entries = moves.iter().map(|(played, of_move)| {
                let mut entry = MoveAnswer::new(game, position, played);
                entry.set_bounds(*of_move, position.lead());
                entry
            });
            answer.moves = Some(entries.collect());
            if repeats {
                self.enter_distance(&mut answer, game, packed, work)?;
            } else if let Some(line) = &answer.line {
                self.check_line(game, *packed, line)?;
            }
        }
        Ok((answer, learnt))
    }

    /// Enters how far the next capture is away and a line that gets there, if the layers of values for it
    /// are there.
    fn enter_distance<G: Numbered>(
        &self,
        answer: &mut Answer,
        game: &G,
        packed: &G::Position,
        work: &Work,
    ) -> Result<(), SolveError> {
        let seeds = answer.position.seeds();
        if self.by_bounds || !answer.position.is_plain() || !self.has_layer(seeds) {
            return Ok(());
        }
        let explorer = Explorer::new(game, seeds, |position| self.set.probe(position))?;
        match explorer.line(packed, work.control) {
            Ok((distance, line)) => {
                answer.set_distance(distance);
                answer.line = line;
                Ok(())
            }
            Err(TableError::MissingLayer { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the table entries along a line with their checksums.
    fn check_line<G: Numbered>(
        &self,
        game: &G,
        mut position: G::Position,
        line: &[Move],
    ) -> Result<(), TableError> {
        for choice in line {
            let mut next = None;
            game.for_each_move(&position, |played| {
                next = next.or((played.choice == *choice).then_some(played.next));
            });
            let Some(next) = next else { break };
            let unpacked = game.unpack(&next);
            if unpacked.is_plain() {
                self.check(&unpacked)?;
            }
            position = next;
        }
        Ok(())
    }
}

/// Laps that a move of the position asked for may have, so that playing it out takes a part of the time only.
pub(super) fn laps_in(time: Option<Duration>) -> u64 {
    const IN_A_SECOND: f64 = 5e6;
    const LEAST: u64 = 1 << 16;
    time.map_or(MOST_LAPS, |time| (time.as_secs_f64() * IN_A_SECOND) as u64).max(LEAST)
}

/// Whether all moves of a position can be played out.
fn knows_moves<G: Game>(game: &G, position: &G::Position) -> bool {
    game.for_each_move(position, |_| ());
    game.check_laps().is_ok()
}
