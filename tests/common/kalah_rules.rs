//! The brute force's switches in the words of the command line.

use sowbase::rules::Rules;

use crate::brute_kalah::{self, ExtraMove, Rest, Switches};
use crate::layers;

/// The same switches in the words of the command line.
pub fn rules_of(pits: usize, s: Switches) -> Rules {
    let choose = |yes, word: &'static str, other: &'static str| if yes { word } else { other };
    let extra_move = match s.extra_move {
        ExtraMove::Store => "store",
        ExtraMove::StoreOrCapture => "store-or-capture",
        ExtraMove::None => "none",
    };
    let rest = match s.rest {
        Rest::Owner => "owner",
        Rest::Nobody => "nobody",
        Rest::Emptied => "emptied",
    };
    let text = format!(
        "kalah:{pits}x1 empty-capture={} capture={} trigger={} extra-move={extra_move} end={} rest={rest} origin={}",
        choose(s.empty_capture, "yes", "no"),
        choose(s.capture, "cross", "none"),
        choose(s.trigger_leave, "leave", "take"),
        choose(s.end_stuck, "stuck", "row-empty"),
        choose(s.origin_skip, "skip", "sow"),
    );
    let rules = layers::game(&text);
    assert_eq!(brute_kalah::parse(text.split_once(' ').unwrap().1), s);
    rules
}
