//! Matches of several rounds: how pits are filled and closed, who begins, and when a match is over.

use sowbase::board::{
    Beginner, Filling, Game, Match, MatchRules, NoMatch, Player, Position, Ring, RoundEnd, RoundError,
    Standing,
};
use sowbase::rules::{self, Rules};

use Player::{First, Second};

fn rules(text: &str) -> Rules {
    let mut words = text.split_whitespace();
    let mut rules = rules::game(words.next().unwrap()).unwrap();
    for word in words {
        let (key, value) = word.split_once('=').unwrap();
        rules.set(key, value).unwrap();
    }
    rules
}

fn game(text: &str, terms: MatchRules) -> Match {
    Match::new(&rules(text), terms).unwrap()
}

fn end(text: &str, position: &str, side: Player, last_mover: Player) -> RoundEnd {
    RoundEnd { position: Position::parse(&rules(text), position).unwrap(), side, last_mover }
}

/// Who begins and the start position, or who has won.
fn told(standing: Standing) -> String {
    match standing {
        Standing::Round { begins, start } => format!("{begins:?}: {start}"),
        Standing::Over { winner } => format!("{winner:?} wins"),
    }
}

/// The last position of a round of congklak, whose pits are empty, from the first player's side.
fn stores(first: u32, second: u32, last_mover: Player) -> RoundEnd {
    let text = format!("0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 ; stores {first} {second}");
    end("congklak", &text, First, last_mover)
}

/// The seeds of both players, by hand, and how a match of congklak goes on after its first round.
fn after(terms: MatchRules, first: u32, second: u32, last_mover: Player) -> String {
    told(game("congklak", terms).finish(&stores(first, second, last_mover)).unwrap())
}

#[test]
fn a_match_begins_with_all_pits_filled() {
    let standing = game("congklak", MatchRules::CONGKLAK).standing();
    assert_eq!(told(standing), "First: 7 7 7 7 7 7 7 / 7 7 7 7 7 7 7");
    let standing = game("pallanguzhi:3x4", MatchRules::PALLANGUZHI).standing();
    assert_eq!(told(standing), "First: 4 4 4 / 4 4 4");
}

#[test]
fn pits_are_filled_from_the_store_and_the_surplus_stays_in_it() {
    let terms = MatchRules::CONGKLAK;
    // 61 = 7 x 7 + 12 and 37 = 5 x 7 + 2.
    assert_eq!(after(terms, 61, 37, First), "First: 7 7 7 7 7 7 7 / x x 7 7 7 7 7 ; stores 12 2");
    assert_eq!(after(terms, 61, 37, Second), "Second: x x 7 7 7 7 7 / 7 7 7 7 7 7 7 ; stores 2 12");
    // A single seed is missing for the seventh pit.
    assert_eq!(after(terms, 48, 50, Second), "Second: 7 7 7 7 7 7 7 / x 7 7 7 7 7 7 ; stores 1 6");
    assert_eq!(after(terms, 49, 49, First), "First: 7 7 7 7 7 7 7 / 7 7 7 7 7 7 7");
    let from_first = MatchRules { filling: Filling::FromFirst, ..terms };
    assert_eq!(after(from_first, 61, 37, First), "First: 7 7 7 7 7 7 7 / 7 7 7 7 7 x x ; stores 12 2");
}

#[test]
fn seeds_left_in_the_pits_are_shared_first() {
    // The player without a move gives all that is left to his opponent: 40 = 6 x 6 + 4, 44 = 7 x 6 + 2.
    let text = "0 0 0 0 0 0 0 / 0 2 0 0 1 0 0 ; stores 40 41";
    let mut pallanguzhi = game("pallanguzhi", MatchRules::PALLANGUZHI);
    let standing = pallanguzhi.finish(&end("pallanguzhi", text, Second, First)).unwrap();
    assert_eq!(told(standing), "Second: 6 6 6 6 6 6 x / 6 6 6 6 6 6 6 ; stores 4 2");
    // Each player keeps his row: 49 and 49.
    let early = "congklak end=row-empty";
    let text = "0 0 0 0 0 0 0 / 3 0 0 1 0 0 1 ; stores 49 44";
    let standing = game(early, MatchRules::CONGKLAK).finish(&end(early, text, First, First)).unwrap();
    assert_eq!(told(standing), "First: 7 7 7 7 7 7 7 / 7 7 7 7 7 7 7");
    // The player whose row is empty gets them: 54 and 44.
    let emptied = "congklak end=row-empty rest=emptied";
    let standing = game(emptied, MatchRules::CONGKLAK).finish(&end(emptied, text, First, First)).unwrap();
    assert_eq!(told(standing), "First: 7 7 7 7 7 7 7 / x 7 7 7 7 7 7 ; stores 5 2");
}

#[test]
fn closed_pits_open_again_when_they_can_be_filled() {
    let mut congklak = game("congklak", MatchRules::CONGKLAK);
    congklak.finish(&stores(61, 37, First)).unwrap();
    let text = "0 0 0 0 0 0 0 / x x 0 0 0 0 0 ; stores 50 48";
    let standing = congklak.finish(&end("congklak", text, First, Second)).unwrap();
    assert_eq!(told(standing), "Second: x 7 7 7 7 7 7 / 7 7 7 7 7 7 7 ; stores 6 1");
}

#[test]
fn who_begins_is_a_choice_and_in_turn_where_it_names_nobody() {
    let begins = |beginner, first, second, last| {
        let terms = MatchRules { beginner, ..MatchRules::CONGKLAK };
        after(terms, first, second, last).split_once(':').unwrap().0.to_string()
    };
    assert_eq!(begins(Beginner::LastMover, 61, 37, Second), "Second");
    assert_eq!(begins(Beginner::LastMover, 37, 61, First), "First");
    assert_eq!(begins(Beginner::Winner, 61, 37, Second), "First");
    assert_eq!(begins(Beginner::Winner, 48, 50, First), "Second");
    assert_eq!(begins(Beginner::Winner, 49, 49, First), "Second");
    assert_eq!(begins(Beginner::Unclosed, 61, 37, Second), "First");
    assert_eq!(begins(Beginner::Unclosed, 37, 61, First), "Second");
    assert_eq!(begins(Beginner::Unclosed, 49, 49, First), "Second");
    let mut in_turn = game("congklak", MatchRules { beginner: Beginner::InTurn, ..MatchRules::CONGKLAK });
    for begins in ["Second", "First", "Second"] {
        let standing = in_turn.finish(&stores(49, 49, First)).unwrap();
        assert!(told(standing).starts_with(begins));
    }
}

#[test]
fn a_player_who_cannot_fill_enough_pits_has_lost() {
    let terms = MatchRules::CONGKLAK;
    assert_eq!(after(terms, 92, 6, Second), "Some(First) wins");
    assert_eq!(after(terms, 0, 98, Second), "Some(Second) wins");
    assert_eq!(after(terms, 91, 7, First), "First: 7 7 7 7 7 7 7 / x x x x x x 7 ; stores 42 0");
    let four = MatchRules { fewest: 4, ..terms };
    assert_eq!(after(four, 71, 27, First), "Some(First) wins");
    assert_eq!(after(four, 70, 28, First), "First: 7 7 7 7 7 7 7 / x x x 7 7 7 7 ; stores 21 0");
    let mut over = game("congklak", terms);
    over.finish(&stores(92, 6, First)).unwrap();
    assert_eq!(over.finish(&stores(92, 6, First)), Err(RoundError::MatchOver));
    assert_eq!(over.standing(), Standing::Over { winner: Some(First) });
}

#[test]
fn seeds_that_went_to_nobody_are_gone_and_may_leave_both_without_a_pit() {
    let text = "pallanguzhi endless=draw";
    let mut drawn = game(text, MatchRules::PALLANGUZHI);
    let empty = "0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 ; stores";
    let standing = drawn.finish(&end(text, &format!("{empty} 30 13"), First, Second)).unwrap();
    assert_eq!(told(standing), "Second: 6 6 x x x x x / 6 6 6 6 6 x x ; stores 1 0");
    // What is gone does not come back.
    let more = drawn.finish(&end(text, &format!("{empty} 30 14"), First, Second)).unwrap_err();
    assert_eq!(more, RoundError::Seeds { found: 44, began: 43 });
    let standing = drawn.finish(&end(text, &format!("{empty} 5 5"), First, Second)).unwrap();
    assert_eq!(standing, Standing::Over { winner: None });
}

#[test]
fn ends_of_rounds_that_cannot_be_are_refused_and_change_nothing() {
    let mut congklak = game("congklak", MatchRules::CONGKLAK);
    let before = congklak.standing();
    let running = end("congklak", "0 0 0 0 0 0 1 / 0 0 0 0 0 0 0 ; stores 50 47", First, Second);
    let said = congklak.finish(&running).unwrap_err();
    assert!(matches!(said, RoundError::NotOver { .. }), "{said}");
    assert!(said.to_string().contains("0 0 0 0 0 0 1 / 0 0 0 0 0 0 0 ; stores 50 47"), "{said}");
    for (first, second, found) in [(0, 0, 0), (50, 47, 97), (50, 49, 99)] {
        let said = congklak.finish(&stores(first, second, First)).unwrap_err();
        assert_eq!(said, RoundError::Seeds { found, began: 98 });
    }
    let mut owing = stores(50, 48, First);
    owing.position.stores = [100, -2];
    assert!(matches!(congklak.finish(&owing), Err(RoundError::Seeds { .. })));
    assert_eq!(congklak.standing(), before);
}

#[test]
fn games_whose_pits_cannot_be_closed_are_refused() {
    for name in ["o-an-quan", "oware", "awari"] {
        let said = Match::new(&rules(name), MatchRules::CONGKLAK).unwrap_err();
        assert!(matches!(said, NoMatch::NoClosedPits { .. }), "{said}");
        assert!(said.to_string().starts_with(name), "{said}");
    }
    for fewest in [0, 8] {
        let said = Match::new(&rules("congklak"), MatchRules { fewest, ..MatchRules::CONGKLAK }).unwrap_err();
        assert!(said.to_string().ends_with("take a number from 1 to 7"), "{said}");
    }
    let said = Match::new(&rules("kalah lap=next-hole"), MatchRules::CONGKLAK).unwrap_err();
    assert!(matches!(said, NoMatch::NoEngine(_)), "{said}");
}

/// Plays a round with random moves. No move touches a closed pit, and no seed comes or goes.
fn play_round(ring: &Ring, begins: Player, start: Position, random: &mut fastrand::Rng) -> RoundEnd {
    let held = |position: &Position| {
        i64::from(position.seeds()) + position.stores.iter().map(|&s| i64::from(s)).sum::<i64>()
    };
    let mut end = RoundEnd { position: start, side: begins, last_mover: begins };
    let mut closed = [start.own.closed(), start.opponent.closed()];
    for _ in 0..1_000_000 {
        let mut moves = Vec::new();
        ring.for_each_move(&end.position, |played| moves.push(played));
        if moves.is_empty() {
            return end;
        }
        let played = moves[random.usize(..moves.len())];
        let [own, opponent] = end.position.stores;
        let mut stores = [own + played.gain, opponent + played.opponent_gain];
        end.last_mover = end.side;
        if !played.again {
            stores.reverse();
            closed.reverse();
            end.side = end.side.other();
        }
        end.position = Position { stores, ..played.next };
        assert_eq!([end.position.own.closed(), end.position.opponent.closed()], closed);
        assert_eq!(held(&end.position), held(&start), "{}", end.position);
    }
    panic!("a round without an end: {}", end.position);
}

/// The seeds of the first and of the second player once what is left in the pits is shared.
fn won(ring: &Ring, end: &RoundEnd) -> [i32; 2] {
    let all = end.position.seeds() as i32 + end.position.stores.iter().sum::<i32>();
    let lead = ring.end_value(&end.position).unwrap() + end.position.lead();
    let lead = if end.side == First { lead } else { -lead };
    [(all + lead) / 2, (all - lead) / 2]
}

#[test]
fn random_matches_keep_all_seeds_close_and_open_pits_and_end() {
    let mut random = fastrand::Rng::with_seed(1907);
    let (mut matches, mut rounds, mut opened) = (0, 0, 0);
    for text in ["congklak", "congklak:5x3 end=row-empty mikul=on", "sungka:4x2", "kalah", "pallanguzhi"] {
        let rules = rules(text);
        let ring = Ring::new(&rules).unwrap();
        let (pits, seeds) = (i32::from(rules.pits()), i32::from(rules.seeds()));
        for filling in [Filling::FromStore, Filling::FromFirst] {
            for beginner in [Beginner::LastMover, Beginner::Winner, Beginner::Unclosed, Beginner::InTurn] {
                // Who can fill only a few pits often recovers: matches to the last pit take long.
                let fewest = rules.pits().div_ceil(2);
                let terms = MatchRules { filling, beginner, fewest };
                let mut game = Match::new(&rules, terms).unwrap();
                let (mut expected, mut before) = ([pits * seeds; 2], [0, 0]);
                matches += 1;
                while let Standing::Round { begins, start } = game.standing() {
                    rounds += 1;
                    let seen = if begins == First { start } else { start.flipped() };
                    for (player, row) in [seen.own, seen.opponent].into_iter().enumerate() {
                        let open = (expected[player] / seeds).min(pits);
                        let closed = row.closed();
                        assert_eq!(closed.count_ones() as i32, pits - open, "{text}: {seen}");
                        let (first, last) = (closed & 1 == 1, closed >> (pits - 1) & 1 == 1);
                        let closed_first = filling == Filling::FromStore;
                        assert_eq!(
                            (first, last),
                            (closed_first && open < pits, !closed_first && open < pits)
                        );
                        let held = (0..row.len()).filter(|&pit| !row.is_closed(pit)).map(|pit| row[pit]);
                        assert!(held.eq(std::iter::repeat_n(seeds as u16, open as usize)), "{text}: {seen}");
                        assert_eq!(seen.stores[player], expected[player] - open * seeds, "{text}: {seen}");
                        opened += u32::from(before[player] & !closed != 0);
                        before[player] = closed;
                    }
                    let end = play_round(&ring, begins, start, &mut random);
                    expected = won(&ring, &end);
                    assert_eq!(expected.iter().sum::<i32>(), 2 * pits * seeds);
                    game.finish(&end).unwrap();
                }
                let loser = usize::from(game.standing() == Standing::Over { winner: Some(First) });
                let needed = i32::from(fewest) * seeds;
                assert!(expected[loser] < needed && expected[1 - loser] >= needed, "{text}: {expected:?}");
            }
        }
    }
    println!("{matches} matches of {rounds} rounds; pits opened again {opened} times");
    assert!(opened > matches, "closed pits opened {opened} times in {rounds} rounds");
}
