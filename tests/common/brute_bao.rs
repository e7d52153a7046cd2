//! Bao la kujifunza with Hus, and what bao la kiswahili shares with them: positions, moves of the second
//! stage, ends. Slow, short, and sharing no code with the program it is used to check.
//!
//! Pits are numbered from 1 as in the rules: 1..P the front row, P+1..2P the back row; pit `i` of a ring is
//! element `i - 1`.
#![allow(dead_code)]

#[path = "brute_bao_laps.rs"]
mod laps;
#[path = "brute_kiswahili.rs"]
mod namua;
#[path = "brute_bao_positions.rs"]
pub mod positions;

use laps::{Ended, Turn};
use namua::{namua_openings, takasia};

/// The house of kiswahili.
pub const HOUSE: usize = 5;
/// The fewest seeds with which an owned house works.
pub const WORKING: u16 = 6;

/// Keys with their values, the default first.
pub type Switches = &'static [(&'static str, &'static [&'static str])];

pub const KUJIFUNZA: Switches = &[("hus", &["no", "yes"]), ("endless", &["illegal", "draw", "loss", "stop"])];

pub const KISWAHILI: Switches = &[
    ("mtaji-house", &["go-on", "choice"]),
    ("house-lost", &["first-mtaji-capture", "emptied"]),
    ("namua-singletons", &["house-owned", "house-works"]),
    ("takasia", &["on", "off"]),
    ("block-singleton", &["no", "yes"]),
    ("setup", &["zanzibar", "malawi"]),
    ("endless", &["illegal", "draw", "loss", "stop"]),
];

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    Win,
    Loss,
    Draw,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    Plus,
    Minus,
}

pub const SIGNS: [Sign; 2] = [Sign::Plus, Sign::Minus];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Game {
    Kujifunza,
    Hus,
    Kiswahili,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    Illegal,
    Draw,
    Loss,
    Stop,
}

/// A game with its size and switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bao {
    pub game: Game,
    /// Pits per row.
    pub pits: usize,
    /// Seeds per pit at the start of kujifunza.
    pub seeds: u16,
    pub mtaji_house_choice: bool,
    pub house_lost_emptied: bool,
    pub singletons_house_works: bool,
    pub takasia: bool,
    pub block_singleton: bool,
    pub malawi: bool,
    pub endless: Endless,
}

/// The game of a name such as `bao-kujifunza:4x2` and switches such as `hus=yes endless=stop`; those left
/// out keep their default.
pub fn bao(name: &str, switches: &str) -> Bao {
    let (name, size) = name.split_once(':').unwrap_or((name, "8x2"));
    let (pits, seeds) = size.split_once('x').unwrap();
    let mut s = Bao {
        game: if name == "bao-kiswahili" { Game::Kiswahili } else { Game::Kujifunza },
        pits: pits.parse().unwrap(),
        seeds: seeds.parse().unwrap(),
        mtaji_house_choice: false,
        house_lost_emptied: false,
        singletons_house_works: false,
        takasia: true,
        block_singleton: false,
        malawi: false,
        endless: Endless::Illegal,
    };
    assert!(["bao-kujifunza", "bao-kiswahili"].contains(&name) && s.pits >= 4, "no game {name}");
    for word in switches.split_whitespace() {
        match (name, word) {
            (_, "endless=illegal") => s.endless = Endless::Illegal,
            (_, "endless=draw") => s.endless = Endless::Draw,
            (_, "endless=loss") => s.endless = Endless::Loss,
            (_, "endless=stop") => s.endless = Endless::Stop,
            ("bao-kujifunza", "hus=no") => s.game = Game::Kujifunza,
            ("bao-kujifunza", "hus=yes") => s.game = Game::Hus,
            ("bao-kiswahili", "mtaji-house=go-on") => s.mtaji_house_choice = false,
            ("bao-kiswahili", "mtaji-house=choice") => s.mtaji_house_choice = true,
            ("bao-kiswahili", "house-lost=first-mtaji-capture") => s.house_lost_emptied = false,
            ("bao-kiswahili", "house-lost=emptied") => s.house_lost_emptied = true,
            ("bao-kiswahili", "namua-singletons=house-owned") => s.singletons_house_works = false,
            ("bao-kiswahili", "namua-singletons=house-works") => s.singletons_house_works = true,
            ("bao-kiswahili", "takasia=on") => s.takasia = true,
            ("bao-kiswahili", "takasia=off") => s.takasia = false,
            ("bao-kiswahili", "block-singleton=no") => s.block_singleton = false,
            ("bao-kiswahili", "block-singleton=yes") => s.block_singleton = true,
            ("bao-kiswahili", "setup=zanzibar") => s.malawi = false,
            ("bao-kiswahili", "setup=malawi") => s.malawi = true,
            _ => panic!("not a switch of {name}: {word}"),
        }
    }
    s
}

/// All pits of a player.
pub type Ring = Vec<u16>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub own: Ring,
    pub opponent: Ring,
    /// Seeds in hand of the mover and of the opponent.
    pub hand: [u16; 2],
    /// Whether the mover and whether the opponent still owns his house.
    pub house: [bool; 2],
    /// The mover's front pit that is blocked in this turn.
    pub blocked: Option<usize>,
    /// How a rule has ended the game, for the player to move.
    pub result: Option<Outcome>,
}

impl Position {
    /// A position without hands, houses, block and result.
    pub fn board(own: &[u16], opponent: &[u16]) -> Self {
        assert_eq!(own.len(), opponent.len());
        let (own, opponent) = (own.to_vec(), opponent.to_vec());
        Position { own, opponent, hand: [0, 0], house: [false, false], blocked: None, result: None }
    }

    pub fn read(text: &str) -> Self {
        let numbers = |text: &str| -> Ring { text.split_whitespace().map(|n| n.parse().unwrap()).collect() };
        let mut fields = text.split(';').map(str::trim);
        let (own, opponent) = fields.next().unwrap().split_once('/').unwrap();
        let mut position = Position::board(&numbers(own), &numbers(opponent));
        for field in fields {
            let (key, value) = field.split_once(' ').unwrap();
            match (key, value) {
                ("hand", _) => position.hand = numbers(value).try_into().unwrap(),
                ("house", "own") => position.house = [true, false],
                ("house", "opp") => position.house = [false, true],
                ("house", "own opp") => position.house = [true, true],
                ("blocked", _) => position.blocked = Some(value.parse().unwrap()),
                ("result", "win") => position.result = Some(Outcome::Win),
                ("result", "loss") => position.result = Some(Outcome::Loss),
                ("result", "draw") => position.result = Some(Outcome::Draw),
                _ => panic!("no field {field}"),
            }
        }
        position
    }

    pub fn text(&self) -> String {
        let row = |ring: &[u16]| ring.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        let mut text = format!("{} / {}", row(&self.own), row(&self.opponent));
        if self.hand != [0, 0] {
            text += &format!(" ; hand {} {}", self.hand[0], self.hand[1]);
        }
        text += match self.house {
            [true, true] => " ; house own opp",
            [true, false] => " ; house own",
            [false, true] => " ; house opp",
            [false, false] => "",
        };
        if let Some(pit) = self.blocked {
            text += &format!(" ; blocked {pit}");
        }
        text += match self.result {
            Some(Outcome::Win) => " ; result win",
            Some(Outcome::Loss) => " ; result loss",
            Some(Outcome::Draw) => " ; result draw",
            None => "",
        };
        text
    }

    /// The same from the other side. A block ends with the turn.
    pub fn flipped(&self) -> Self {
        Position {
            own: self.opponent.clone(),
            opponent: self.own.clone(),
            hand: [self.hand[1], self.hand[0]],
            house: [self.house[1], self.house[0]],
            blocked: None,
            result: None,
        }
    }

    /// Left and right exchanged, in a game without houses.
    pub fn mirrored(&self) -> Self {
        let mirrored = |ring: &Ring| -> Ring {
            let (front, back) = ring.split_at(ring.len() / 2);
            front.iter().rev().chain(back.iter().rev()).copied().collect()
        };
        Position { own: mirrored(&self.own), opponent: mirrored(&self.opponent), ..self.clone() }
    }
}

pub fn front_is_empty(ring: &[u16]) -> bool {
    ring[..ring.len() / 2].iter().all(|&seeds| seeds == 0)
}

/// The pit `steps` further on in a ring of `pits` pits.
pub fn step(pit: usize, sign: Sign, steps: usize, pits: usize) -> usize {
    let steps = steps % pits;
    let forward = if sign == Sign::Plus { steps } else { pits - steps };
    (pit - 1 + forward) % pits + 1
}

/// The opponent's front pit that the front pit `pit` faces.
pub fn facing(pit: usize, ring: &[u16]) -> usize {
    ring.len() / 2 + 1 - pit
}

/// How a move begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// All seeds of the pit are lifted; `captures` tells a capture move from a takata.
    Lift { captures: bool },
    /// Two seeds are lifted from the house.
    Tax,
    /// The pit facing is captured and sown from a kichwa.
    Capture,
}

pub type Start = (usize, Sign, Opening);

/// Capture openings of the second stage.
pub fn capture_openings(own: &[u16], opponent: &[u16]) -> Vec<(usize, Sign)> {
    let pits = own.len();
    let mut found = Vec::new();
    for pit in 1..=pits {
        for sign in SIGNS {
            let seeds = usize::from(own[pit - 1]);
            let last = step(pit, sign, seeds, pits);
            if (2..pits).contains(&seeds)
                && last <= pits / 2
                && own[last - 1] > 0
                && opponent[facing(last, own) - 1] > 0
            {
                found.push((pit, sign));
            }
        }
    }
    found
}

/// Whether this would sow the only occupied front pit, a kichwa, towards the back row.
pub fn is_lone_kichwa(own: &[u16], pit: usize, sign: Sign) -> bool {
    let front = own.len() / 2;
    let outward = (pit == 1 && sign == Sign::Minus) || (pit == front && sign == Sign::Plus);
    outward && (1..=front).all(|other| other == pit || own[other - 1] == 0)
}

/// The openings of kujifunza and of the second stage of kiswahili.
fn mtaji_openings(position: &Position) -> Vec<Start> {
    let own = &position.own;
    let mut captures = capture_openings(own, &position.opponent);
    captures.retain(|&(pit, _)| position.blocked != Some(pit));
    if !captures.is_empty() {
        return captures
            .into_iter()
            .map(|(pit, sign)| (pit, sign, Opening::Lift { captures: true }))
            .collect();
    }
    let (front, last) = (own.len() / 2, own.len());
    let playable = |pit: &usize| own[pit - 1] >= 2 && position.blocked != Some(*pit);
    let mut pits: Vec<usize> = (1..=front).filter(playable).collect();
    if pits.is_empty() {
        pits = (front + 1..=last).filter(playable).collect();
    }
    let mut openings = Vec::new();
    for pit in pits {
        for sign in SIGNS {
            if !is_lone_kichwa(own, pit, sign) {
                openings.push((pit, sign, Opening::Lift { captures: false }));
            }
        }
    }
    openings
}

fn hus_openings(position: &Position) -> Vec<Start> {
    let mut openings = Vec::new();
    for pit in 1..=position.own.len() {
        for sign in SIGNS {
            if position.own[pit - 1] >= 2 {
                openings.push((pit, sign, Opening::Lift { captures: true }));
            }
        }
    }
    openings
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub text: String,
    /// Seeds taken from the opponent.
    pub gain: u16,
    pub next: Position,
}

/// A move that was given up for its number of laps.
#[derive(Debug)]
pub struct TooLong;

impl Bao {
    pub fn start(&self) -> Position {
        if self.game != Game::Kiswahili {
            let ring = vec![self.seeds; 2 * self.pits];
            return Position::board(&ring, &ring);
        }
        let (house, hand) = if self.malawi { (8, 20) } else { (6, 22) };
        let ring = [0, 0, 0, 0, house, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        Position { hand: [hand, hand], house: [true, true], ..Position::board(&ring, &ring) }
    }

    /// The legal moves, by pit, `+` before `-`, without suffix first; none if the game is over.
    pub fn moves(&self, position: &Position) -> Vec<Played> {
        self.short_moves(position, usize::MAX).unwrap()
    }

    /// The legal moves, unless some move has more than `longest` different lap states.
    pub fn short_moves(&self, position: &Position, longest: usize) -> Result<Vec<Played>, TooLong> {
        if position.result.is_some() || self.end_of_rows(position).is_some() {
            return Ok(Vec::new());
        }
        let openings = match self.game {
            Game::Hus => hus_openings(position),
            Game::Kiswahili if position.hand[0] > 0 => namua_openings(self, position),
            _ => mtaji_openings(position),
        };
        let mut moves = Vec::new();
        for (pit, sign, opening) in openings {
            let (met_house, played) = self.play(position, (pit, sign, opening), false, longest)?;
            moves.extend(played);
            if met_house {
                moves.extend(self.play(position, (pit, sign, opening), true, longest)?.1);
            }
        }
        Ok(moves)
    }

    /// One move, with whether it came to the choice at the house.
    fn play(
        &self,
        position: &Position,
        (pit, sign, opening): Start,
        safari: bool,
        longest: usize,
    ) -> Result<(bool, Option<Played>), TooLong> {
        let mut turn = Turn::new(self, position, (pit, sign, opening), safari, longest);
        let ended = turn.play()?;
        let mut next = turn.now.flipped();
        match (ended, self.endless) {
            (Ended::Over, _) | (Ended::Endless, Endless::Stop) => {
                // A takata of the second stage with nothing in the other hand.
                let after_takata = self.game == Game::Kiswahili && !turn.captures && position.hand == [0, 0];
                if after_takata && self.takasia {
                    next.blocked = takasia(self, &next);
                }
            }
            (Ended::Endless, Endless::Illegal) => return Ok((turn.met_house, None)),
            (Ended::Endless, Endless::Draw) => {
                next = Position { result: Some(Outcome::Draw), ..position.flipped() };
            }
            (Ended::Endless, Endless::Loss) => {
                next = Position { result: Some(Outcome::Win), ..position.flipped() };
            }
        }
        let sign = if sign == Sign::Plus { "+" } else { "-" };
        let text = format!("{pit}{sign}{}", if safari { "s" } else { "" });
        Ok((turn.met_house, Some(Played { text, gain: turn.gain, next })))
    }

    /// The result for the player to move, if a front row is empty.
    fn end_of_rows(&self, position: &Position) -> Option<Outcome> {
        match (front_is_empty(&position.own), front_is_empty(&position.opponent)) {
            (false, false) => None,
            (false, true) => Some(Outcome::Win),
            (true, false) => Some(Outcome::Loss),
            // In Hus the opponent has lost who has just emptied his own row; elsewhere no move leads here.
            (true, true) if self.game == Game::Hus => Some(Outcome::Win),
            (true, true) => Some(Outcome::Loss),
        }
    }

    /// The result for the player to move, if the game is over.
    pub fn end(&self, position: &Position) -> Option<Outcome> {
        let stuck = || self.moves(position).is_empty().then_some(Outcome::Loss);
        position.result.or(self.end_of_rows(position)).or_else(stuck)
    }

    /// The number of sequences of exactly `plies` moves.
    pub fn perft(&self, position: &Position, plies: usize) -> u64 {
        if plies == 0 {
            return 1;
        }
        self.moves(position).iter().map(|played| self.perft(&played.next, plies - 1)).sum()
    }
}
