//! The engines of the games of four rows next to what a brute force says of a position, and random boards.
#![allow(dead_code)]

use sowbase::board::{Game, Outcome, PackedRings, PlainRings, Position, ShortRings, Stage, Verdict};
use sowbase::control::Control;
use sowbase::retrograde::WholeBoard;
use sowbase::rules::Rules;

/// A move as a brute force gives it: its text, the seeds taken, and the position after it.
pub type Expected = (String, u16, Position);

/// What comparisons have met.
#[derive(Default, Debug)]
pub struct Met {
    pub positions: u32,
    pub moves: u32,
    pub captures: u32,
    /// Moves with more than one choice of direction.
    pub strung: u32,
    pub safaris: u32,
    pub blocks: u32,
    /// Positions in which the game is over.
    pub ends: u32,
    /// Positions left out for moves of too many laps.
    pub long: u32,
}

/// The engines of a rule set.
pub struct Engines {
    pub plain: PlainRings,
    pub packed: PackedRings,
    /// On boards of up to four pits a row.
    pub short: Option<ShortRings>,
}

impl Engines {
    pub fn new(rules: &Rules) -> Engines {
        let (plain, packed) = (PlainRings::new(rules).unwrap(), PackedRings::new(rules).unwrap());
        let short = ShortRings::new(rules);
        assert_eq!(short.is_ok(), rules.pits() <= 4);
        Engines { plain, packed, short: short.ok() }
    }

    /// Compares all moves in their order, and the end if there are none.
    pub fn compare(&self, position: &Position, end: Option<Outcome>, moves: &[Expected], met: &mut Met) {
        compare(&self.plain, position, end, moves);
        if self.packed.holds(position) {
            compare(&self.packed, position, end, moves);
            self.short.iter().for_each(|short| compare(short, position, end, moves));
        }
        met.positions += 1;
        met.moves += moves.len() as u32;
        met.ends += u32::from(end.is_some());
        for (text, gain, next) in moves {
            met.captures += u32::from(*gain > 0);
            met.strung += u32::from(text.matches(['+', '-']).count() > 1);
            met.safaris += u32::from(text.ends_with('s'));
            met.blocks += u32::from(next.stage.blocked > 0);
        }
    }
}

/// The moves of an engine, in its order.
pub fn moves(game: &impl Game, position: &Position) -> Vec<Expected> {
    let mut moves = Vec::new();
    game.for_each_move(&game.pack(position), |played| {
        assert!(!played.again && played.opponent_gain == 0);
        let gain = played.gain.try_into().unwrap();
        moves.push((played.choice.to_string(), gain, game.unpack(&played.next)));
    });
    moves
}

fn compare(game: &impl Game, position: &Position, end: Option<Outcome>, expected: &[Expected]) {
    let context = || format!("{position} in {:?}", game.rules());
    assert_eq!(game.end_value(&game.pack(position)), end.map(Outcome::sign), "end of {}", context());
    let found = moves(game, position);
    game.check_laps().unwrap_or_else(|overlong| panic!("{overlong}: {}", context()));
    let shown = |moves: &[Expected]| -> Vec<String> {
        moves.iter().map(|(text, gain, next)| format!("{text} gains {gain}, {next}")).collect()
    };
    assert!(found == expected, "{:#?} not {:#?} of {}", shown(&found), shown(expected), context());
}

/// Whether a move has ended the game in a draw.
pub fn is_drawn((_, _, next): &Expected) -> bool {
    next.stage.result == Some(Outcome::Draw)
}

/// Compares the values of all positions of a layer, as built with the fast engines and the plain one.
pub fn compare_values(rules: &Rules, seeds: u32, values: &[(Position, Verdict)]) {
    let layer = WholeBoard::with_seeds(rules, seeds).unwrap();
    assert_eq!(values.len() as u64, layer.numbering().layer(seeds).size());
    let control = Control::default();
    for codes in [layer.build(&control).unwrap(), layer.build_plain(&control).unwrap()] {
        for (position, value) in values {
            let (_, index) = layer.numbering().number(position).unwrap();
            let found = Verdict::of_code(codes[index as usize].into());
            assert_eq!(found, *value, "value of {position} in {rules:?}");
        }
    }
}

/// A position of a game of four rows.
pub fn position(own: &[u16], opponent: &[u16], stage: Stage) -> Position {
    Position { stage, ..Position::of_rows(own, opponent) }
}

/// Two rings of pits with seeds in some or all of them, at times with a heap.
pub fn random_rings(rng: &mut fastrand::Rng, pits: usize, seeds: u16) -> [Vec<u16>; 2] {
    let mut board = vec![0; 4 * pits];
    let sown = rng.usize(1..=4 * pits);
    let occupied: Vec<usize> = (0..sown).map(|_| rng.usize(0..4 * pits)).collect();
    let heap = rng.choice(&occupied).copied().filter(|_| rng.u8(0..4) == 0);
    for _ in 0..seeds {
        let pit = heap.filter(|_| rng.bool()).unwrap_or_else(|| occupied[rng.usize(0..sown)]);
        board[pit] += 1;
    }
    let opponent = board.split_off(2 * pits);
    [board, opponent]
}
