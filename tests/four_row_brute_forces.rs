//! The brute force of Omweso against the worked positions and the known values of the rules.

#[path = "common/brute_omweso.rs"]
mod brute_omweso;

use brute_omweso::{Omweso, Solved, Value, all_positions, omweso, read, solve};

/// Positions worked by hand for what the others leave out.
const FURTHER: &str = "
# omweso
0 0 0 0 0 0 1 0 0 3 0 0 0 0 0 0 / 0 1 0 0 0 0 0 0 0 0 0 0 0 0 1 0 | legal | 10+ 10-
# omweso reverse-pits=2
0 0 0 0 0 0 1 0 0 3 0 0 0 0 0 0 / 0 1 0 0 0 0 0 0 0 0 0 0 0 0 1 0 | legal | 10
# omweso re-entry=capturing-pit
0 0 0 0 1 0 1 0 0 3 0 0 0 0 0 0 / 0 1 0 1 0 0 0 0 0 0 0 0 1 0 1 0 | legal | 10+ 10-+ 10--
0 0 0 0 1 0 1 0 0 3 0 0 0 0 0 0 / 0 1 0 1 0 0 0 0 0 0 0 0 1 0 1 0 | 10-+ | gain 2 | \
    0 0 0 1 0 0 0 0 0 0 0 0 1 0 0 0 / 0 0 0 0 1 0 2 2 0 1 1 0 0 0 0 0
0 0 0 0 1 0 1 0 0 3 0 0 0 0 0 0 / 0 1 0 1 0 0 0 0 0 0 0 0 1 0 1 0 | 10-- | gain 4 | \
    0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 2 2 0 2 2 1 0 0 0 0 0 0
# omweso:3x1 reverse=off
0 0 0 2 0 4 / 1 0 1 1 2 1 | 4 | gain 4 | 0 0 0 0 2 0 / 2 0 4 1 2 1
# omweso:3x1 reverse=off emitwe=on
0 0 0 2 0 4 / 1 0 1 1 2 1 | 4 | gain 4 | 0 0 0 0 2 0 / 2 0 4 1 2 1 ; result loss
0 0 0 0 2 0 / 2 0 4 1 2 1 ; result loss | end | loss
# omweso:4x2 endless=draw
1 0 1 0 1 3 1 0 / 0 0 0 0 0 0 0 0 ; opening 2 | 6 | gain 0 | \
    0 0 0 0 0 0 0 0 / 1 0 1 0 1 3 1 0 ; opening 1 ; result draw
# omweso:4x2 endless=loss
1 0 1 0 1 3 1 0 / 0 0 0 0 0 0 0 0 | 6 | gain 0 | 0 0 0 0 0 0 0 0 / 1 0 1 0 1 3 1 0 ; result win
# omweso:4x2 endless=stop
1 0 1 0 1 3 1 0 / 0 0 0 0 0 0 0 0 | 6 | gain 0 | 0 0 0 0 0 0 0 0 / 1 0 1 0 1 3 1 0
# omweso:2x1 reverse=off
0 0 1 3 / 0 1 2 1 | end | loss
# omweso:2x1 reverse=off endless=draw
0 0 1 3 / 0 1 2 1 | 4 | gain 0 | 0 1 2 1 / 0 0 1 3 ; result draw
0 0 1 3 / 0 1 2 1 | value | draw
# omweso:2x1 reverse=off endless=loss
0 0 1 3 / 0 1 2 1 | value | loss 1
# omweso:2x1 reverse=off endless=stop
0 0 1 3 / 0 1 2 1 | 4 | gain 3 | 0 0 0 1 / 2 1 3 1
0 0 1 3 / 0 1 2 1 | value | win 1
";

/// The game of a line `# omweso[:PxS] key=value ...`, its pits and its seeds.
fn game(line: &str) -> (Omweso, usize, u16) {
    let (name, switches) = line.split_once(' ').unwrap_or((line, ""));
    let (name, size) = name.split_once(':').unwrap_or((name, "8x2"));
    assert_eq!(name, "omweso");
    let (pits, seeds) = size.split_once('x').unwrap();
    (omweso(switches), pits.parse().unwrap(), seeds.parse().unwrap())
}

/// Compares all lines of a file of worked positions and returns how many.
fn check(text: &str) -> usize {
    let mut lines = 0;
    let mut header = "";
    // All positions of the board of the last header, for the lines that ask for values.
    let mut solved: Option<Solved> = None;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
        if let Some(new) = line.strip_prefix("# ") {
            (header, solved) = (new, None);
            continue;
        }
        lines += 1;
        println!("# {header}: {line}");
        let (game, pits, seeds) = game(header);
        let on_the_board = 4 * pits as u16 * seeds;
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [layer, "wdl", expected] = fields[..] {
            assert_eq!(layer, format!("layer {on_the_board}"));
            let [won, drawn, lost] = solved.get_or_insert_with(|| solve(game, pits, on_the_board)).counts();
            assert_eq!(format!("{won} {drawn} {lost}"), expected);
            continue;
        }
        let position = if fields[0] == "start" { game.start(pits, seeds) } else { read(fields[0]) };
        let moves = game.moves(&position);
        match fields[1..] {
            ["legal", expected] => {
                let texts: Vec<&str> = moves.iter().map(|played| &played.text[..]).collect();
                assert_eq!(texts.join(" "), expected);
            }
            ["end", expected] => {
                assert_eq!(moves, []);
                assert_eq!(expected, "loss", "a player who cannot move has lost");
            }
            ["value", expected] => {
                let solved = solved.get_or_insert_with(|| solve(game, pits, on_the_board));
                assert_eq!(solved.value(&position).to_string(), expected);
            }
            ["perft", expected] => {
                for (depth, expected) in expected.split(' ').enumerate() {
                    assert_eq!(game.perft(&position, depth as u32 + 1).to_string(), expected);
                }
            }
            [text, "illegal"] => assert!(moves.iter().all(|played| played.text != text)),
            [text, gain, next] => {
                let played = moves.iter().find(|played| played.text == text).expect(text);
                let found = (format!("gain {}", played.gain), played.next.to_string());
                assert_eq!(found, (gain.to_string(), next.to_string()));
            }
            _ => panic!("a line of another form"),
        }
    }
    lines
}

#[test]
fn worked_positions() {
    assert_eq!(check(include_str!("fixtures/omweso.txt")), 21);
    assert_eq!(check(FURTHER), 17);
}

/// Won, drawn and lost positions of the smallest board, and the longest distance.
#[test]
fn known_values() {
    let table = [
        ("", [3042, 214, 3179], 14),
        ("reverse=off", [3011, 261, 3163], 14),
        ("reverse-pits=2", [3029, 236, 3170], 14),
        ("capture-needs=inner", [3233, 19, 3183], 12),
        ("re-entry=capturing-pit", [3054, 214, 3167], 14),
    ];
    assert_eq!(all_positions(2, 8).len(), 6435);
    for (switches, counts, longest) in table {
        let solved = solve(omweso(switches), 2, 8);
        assert_eq!((solved.counts(), solved.longest()), (counts, longest), "{switches}");
    }
    let start = omweso("").start(2, 1);
    assert_eq!(solve(omweso(""), 2, 8).value(&start), Value::Loss(6));
}

#[test]
fn starts() {
    let table = [
        ("", "0 0 0 4 4 4 / 0 0 0 4 4 4 ; opening 2"),
        ("setup=even", "2 2 2 2 2 2 / 2 2 2 2 2 2 ; opening 2"),
        ("first-turn-capture=yes", "0 0 0 4 4 4 / 0 0 0 4 4 4"),
    ];
    for (switches, start) in table {
        assert_eq!(omweso(switches).start(3, 2).to_string(), start);
        assert_eq!(read(start).to_string(), start);
    }
}

/// On the smallest boards no two of the reverse pits are the same.
#[test]
fn reverse_pits() {
    let pits = |switches: &str| [2, 3, 8].map(|pits| omweso(switches).reverse_pits(pits));
    assert_eq!(pits(""), [[1, 2, 3, 4], [2, 3, 4, 5], [7, 8, 9, 10]]);
    assert_eq!(pits("reverse-pits=2"), [[1, 3], [2, 4], [7, 9]]);
    assert_eq!(pits("reverse=off"), [[0; 0]; 3]);
}
