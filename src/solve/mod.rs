//! The one door: asks a game anything, and gets plain data back.
//!
//! A [`Solver`] is made from a rule set and what it may use ([`Means`]). It opens and checks tables, picks the
//! engine, searches, builds the layers that pay for themselves, and answers a [`Question`] with an [`Answer`]. One
//! type serves every game; nobody outside needs engines, packed positions or layers.
//!
//! Behind it, one file serves each kind of game: `seeds` games won by seeds, whose positions fall into layers
//! (`turns` says how search and building take turns), `reachable` those in which captured seeds come back, and
//! `blocking` games of four rows.

mod answer;
mod blocking;
mod engine;
mod error;
mod means;
mod question;
mod reachable;
mod seeds;
mod turns;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rayon::prelude::*;

use crate::board::{Game, Outcome, PackedRings, PlainRings, Position, Ring, perft};
use crate::clock::Instant;
use crate::control::Control;
use crate::retrograde::{has_layers, is_path_dependent};
use crate::rules::{ExtraMove, Rules, game};
use crate::search::{BestTurn, Bounds, best_turn};
use crate::tables::TableSet;

pub use answer::{Answer, MoveAnswer, Note, Source, Worth};
use blocking::BlockingGame;
use engine::{SeedEngine, with_engine};
pub use error::SolveError;
pub use means::{Means, Plan, TableSource};
pub use question::Question;
use reachable::ReachableGame;
use seeds::SeedGame;

/// Longest search for the best turn without a word from the user.
const TIME_FOR_TURN: Duration = Duration::from_secs(60);

/// Answers questions about the positions of one game.
///
/// It keeps what it learns: tables that were opened or built in memory, and what was proven. It can be shared between
/// threads; questions of several threads are answered one after the other, each with all threads that the solver may
/// use. A [`Control`] stops a question from another thread.
///
/// ```
/// use sowbase::board::Position;
/// use sowbase::{Solver, rules};
///
/// let solver = Solver::of("kalah:4x3")?;
/// let answer = solver.solve(&Position::start(solver.rules()))?;
/// assert_eq!(answer.value.and_then(|value| value.points()), Some(6));
/// assert_eq!(answer.line.unwrap()[0].to_string(), "2");
/// # Ok::<(), sowbase::SolveError>(())
/// ```
pub struct Solver {
    rules: Rules,
    means: Means,
    pool: Option<rayon::ThreadPool>,
    plain: PlainEngine,
    game: Mutex<Kind>,
}

/// The engine that plays every position.
enum PlainEngine {
    Ring(Box<Ring>),
    Rings(Box<PlainRings>),
}

/// How a game is answered.
enum Kind {
    Seeds(Box<SeedGame>),
    Reachable(Box<ReachableGame>),
    Blocking(Box<BlockingGame>),
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver").field("game", &self.rules.title()).field("means", &self.means).finish()
    }
}

/// What one question is answered with.
struct Work<'a> {
    rules: &'a Rules,
    means: &'a Means,
    question: &'a Question,
    control: &'a Control,
    begun: Instant,
    /// Bytes that may be used.
    memory: u64,
    tell: &'a mut (dyn FnMut(&Plan) + Send),
}

impl Work<'_> {
    /// Tells the plan.
    fn tell_plan(&mut self, plan: &Plan) {
        (self.tell)(plan);
    }

    /// When the time that was given ends.
    fn deadline(&self) -> Option<Instant> {
        self.question.time.and_then(|time| self.begun.checked_add(time))
    }
}

impl Solver {
    /// A solver for a game by its name, such as `kalah:6x4`, with the means of [`Means::default`].
    ///
    /// # Errors
    /// [`SolveError::Rules`] for an unknown game, and as [`Solver::new`].
    pub fn of(name: &str) -> Result<Solver, SolveError> {
        Solver::new(game(name)?, Means::default())
    }

    /// A solver for a rule set. Opens the tables on disk that the means name.
    ///
    /// # Errors
    /// [`SolveError::NoEngine`] for rules that nobody plays, [`SolveError::Table`] for tables that cannot be used,
    /// [`SolveError::Threads`].
    pub fn new(rules: Rules, means: Means) -> Result<Solver, SolveError> {
        let tables = means.open(&rules)?;
        Solver::over(tables, rules, means)
    }

    /// As [`Solver::new`], over layers that are at hand, in files or in memory, instead of those that the means name.
    ///
    /// # Errors
    /// [`SolveError::OtherRules`], and as [`Solver::new`].
    pub fn over(tables: TableSet, rules: Rules, means: Means) -> Result<Solver, SolveError> {
        // Tables are shared by all rules about repetitions, but some of these have bounds in them and no values.
        let is_other = |one: &Rules, other: &Rules| {
            one.fingerprint() != other.fingerprint() || is_path_dependent(one) != is_path_dependent(other)
        };
        if is_other(tables.rules(), &rules) {
            let (game, tables) = (rules.full_title(), tables.rules().full_title());
            return Err(SolveError::OtherRules { game, tables });
        }
        let game = if rules.four_rows().is_some() {
            Kind::Blocking(Box::new(BlockingGame::new(&rules, tables)?))
        } else if has_layers(&rules) {
            Kind::Seeds(Box::new(SeedGame::new(&rules, tables)?))
        } else {
            Kind::Reachable(Box::new(ReachableGame::new(&rules)?))
        };
        let pool = match means.threads {
            Some(threads) if threads != rayon::current_num_threads() => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                Some(pool.map_err(|_| SolveError::Threads { threads })?)
            }
            _ => None,
        };
        let plain = match rules.four_rows() {
            None => PlainEngine::Ring(Box::new(Ring::new(&rules)?)),
            Some(_) => PlainEngine::Rings(Box::new(PlainRings::new(&rules)?)),
        };
        Ok(Solver { rules, means, pool, plain, game: Mutex::new(game) })
    }

    /// The rule set.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What it may use.
    pub fn means(&self) -> &Means {
        &self.means
    }

    /// All about a position: its value, every move, a line of best play.
    ///
    /// # Errors
    /// As [`Solver::ask`].
    pub fn solve(&self, position: &Position) -> Result<Answer, SolveError> {
        self.ask(&Question::new(*position), &Control::default())
    }

    /// Answers a question. `control` tells how far the work is, with the bounds proven so far, and can stop it: then
    /// the answer says what is proven by then.
    ///
    /// # Errors
    /// [`SolveError::Position`] for a position of another board, [`SolveError::NotCovered`] if no search is allowed
    /// and tables do not reach, [`SolveError::Overlong`] for a position with a move that cannot be played out,
    /// [`SolveError::NoProof`], [`SolveError::Table`] for a damaged table, [`SolveError::TooLarge`].
    pub fn ask(&self, question: &Question, control: &Control) -> Result<Answer, SolveError> {
        self.ask_telling(question, control, &mut |_| ())
    }

    /// As [`Solver::ask`]; the plan is told before the work begins, if there is more to do than to look into tables.
    ///
    /// # Errors
    /// As [`Solver::ask`].
    pub fn ask_telling(
        &self,
        question: &Question,
        control: &Control,
        tell: &mut (dyn FnMut(&Plan) + Send),
    ) -> Result<Answer, SolveError> {
        question.position.check(&self.rules)?;
        let begun = Instant::now();
        let memory = self.means.memory_allowed();
        self.run(|| {
            // What a question that panicked has left behind is sound: facts are only ever added.
            let mut game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
            let (rules, means) = (&self.rules, &self.means);
            let work = Work { rules, means, question, control, begun, memory, tell };
            match &mut *game {
                Kind::Seeds(game) => game.answer(work),
                Kind::Reachable(game) => game.answer(work),
                Kind::Blocking(game) => game.answer(work),
            }
        })
    }

    /// A position with its legal moves in the order of the pits, and without values, unless the game is over.
    ///
    /// # Errors
    /// [`SolveError::Position`], [`SolveError::Overlong`].
    pub fn moves(&self, position: &Position) -> Result<Answer, SolveError> {
        position.check(&self.rules)?;
        match &self.plain {
            PlainEngine::Ring(game) => {
                let mut answer = listed(&**game, position)?;
                if let Some(value) = game.end_value(&game.pack(position)) {
                    answer.set_bounds(Bounds::exact(value));
                }
                Ok(answer)
            }
            PlainEngine::Rings(game) => {
                let mut answer = listed(&**game, position)?;
                if let Some(value) = game.end_value(&game.pack(position)) {
                    answer.set_outcome(Some(Outcome::of_sign(value)));
                }
                Ok(answer)
            }
        }
    }

    /// Number of sequences of exactly so many moves from a position; `None` if a stop came first, or there are more
    /// than 64 bits count.
    ///
    /// # Errors
    /// [`SolveError::Position`], [`SolveError::Overlong`].
    pub fn perft(
        &self,
        position: &Position,
        plies: u32,
        control: &Control,
    ) -> Result<Option<u64>, SolveError> {
        position.check(&self.rules)?;
        self.run(|| match self.rules.four_rows() {
            Some(_) => {
                let packed = PackedRings::new(&self.rules)?;
                match packed.holds(position) {
                    true => counted(&packed, position, plies, control),
                    false => counted(&PlainRings::new(&self.rules)?, position, plies, control),
                }
            }
            None => {
                let engine = SeedEngine::fastest(&self.rules, Some(position))?;
                with_engine!(&engine, game => counted(game, position, plies, control))
            }
        })
    }

    /// The most seeds that one turn with its extra moves can bring, until `control` stops the search or its time is
    /// over (a minute, if none was set).
    ///
    /// # Errors
    /// [`SolveError::NoExtraMoves`] for a game without them, [`SolveError::Position`], [`SolveError::Overlong`],
    /// [`SolveError::TooLarge`].
    pub fn best_turn(&self, position: &Position, control: &Control) -> Result<BestTurn, SolveError> {
        position.check(&self.rules)?;
        let game = || self.rules.title();
        let switches = self.rules.switches().ok_or_else(|| SolveError::NoExtraMoves { game: game() })?;
        if switches.extra_move == ExtraMove::None {
            return Err(SolveError::NoExtraMoves { game: game() });
        }
        if !has_layers(&self.rules) {
            return Err(SolveError::NoTurns { game: game() });
        }
        if control.deadline().is_none() {
            control.set_deadline(Instant::now().checked_add(TIME_FOR_TURN));
        }
        let engine = SeedEngine::fastest(&self.rules, Some(position))?;
        self.run(|| {
            with_engine!(&engine, game => {
                let turn = best_turn(game, position, self.means.memory_allowed(), control)?;
                game.check_laps()?;
                Ok(turn)
            })
        })
    }

    fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// A position with its moves.
fn listed<G: Game>(game: &G, position: &Position) -> Result<Answer, SolveError> {
    let mut answer = Answer::new(position, None);
    let mut moves = Vec::new();
    game.for_each_move(&game.pack(position), |played| moves.push(MoveAnswer::new(game, position, &played)));
    answer.moves = Some(moves);
    game.check_laps()?;
    Ok(answer)
}

/// Plies from the root at which the threads share the work of counting.
const SHARED: u32 = 3;

/// Sequences of exactly so many plies, counted by all threads.
fn counted<G: Game>(
    game: &G,
    position: &Position,
    plies: u32,
    control: &Control,
) -> Result<Option<u64>, SolveError> {
    let keep_on = || !control.is_stopped();
    let mut positions = vec![game.pack(position)];
    let shared = if plies > SHARED { SHARED } else { 0 };
    for _ in 0..shared {
        let mut next = Vec::new();
        for position in &positions {
            game.for_each_move(position, |played| next.push(played.next));
        }
        positions = next;
    }
    control.begin(format!("sequences of {plies} plies"), positions.len() as u64);
    let counts = positions.par_iter().map(|position| {
        let counted = perft(game, position, plies - shared, &keep_on);
        control.advance(1);
        counted
    });
    let count = counts.try_reduce(|| 0, u64::checked_add);
    game.check_laps()?;
    Ok(count)
}
