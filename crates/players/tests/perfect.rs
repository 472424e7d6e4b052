//! Perfect play on 6x6 by the books that come with the program: against anything, the score is kept, and never by a long search.

use turncoat_board::{Color, Geometry, Position, Square, VariantKind};
use turncoat_players::{Limits, Player, Setting, Spec};
use turncoat_util::SplitMix64;

/// With so many empties what is left is solved in a moment.
const SOLVED: u32 = 16;

#[test]
fn the_book_of_6x6_answers_anything_until_the_rest_is_solved() {
    for variant in VariantKind::BOTH {
        for number in 0..40 {
            let setting = Setting { variant, geometry: Geometry::SIX, seed: number };
            let mut perfect = "turncoat:book=exact".parse::<Spec>().unwrap().build(setting).unwrap();
            let own = [Color::Black, Color::White][number as usize % 2];
            against_chance(&mut *perfect, own, number);
        }
    }
}

/// Plays until few squares are empty, and then one move more; the opponent's moves are random.
fn against_chance(perfect: &mut dyn Player, own: Color, number: u64) {
    let mut random = SplitMix64::for_number(7, number);
    let mut position = Position::start(Geometry::SIX);
    let mut score = None;
    while !position.is_over() {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        let played = match moves.len() {
            0 => None,
            _ if position.side() == own && !(SOLVED..=21).contains(&position.empties()) => {
                let info = perfect.choose(position, &Limits::default(), &mut |_| {}).unwrap().unwrap();
                assert!(info.exact, "{position}");
                assert!(score <= info.score, "{position}: {score:?} became {:?}", info.score);
                score = info.score;
                if position.empties() < SOLVED {
                    return;
                }
                Some(info.best)
            }
            several => Some(moves[random.below(several)]),
        };
        position = played.map_or_else(|| Some(position.pass()), |square| position.play(square)).unwrap();
        // Random moves of its own may have lost what it had.
        if position.empties() <= 21 {
            score = None;
        }
    }
}
