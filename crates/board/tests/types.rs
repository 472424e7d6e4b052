//! What the types promise: nothing invalid can be made, and errors can be matched.

use std::hash::{DefaultHasher, Hash, Hasher};

use turncoat_board::{Board, Cell, Color, Game, Geometry, IllegalMoveFault, Move, Square, VariantKind};

#[test]
fn a_square_off_the_word_is_none() {
    assert_eq!(Square::from_coordinates(7, 7), Some(Square::ALL[63]));
    for (row, column) in [(8, 0), (0, 8), (9, 5), (255, 255)] {
        assert_eq!(Square::from_coordinates(row, column), None, "{row}, {column}");
    }
    let six = Geometry::SIX;
    assert_eq!(six.square_at(0, 0), six.square("a1"));
    assert_eq!((six.square_at(6, 0), six.square_at(0, 255)), (None, None));
}

#[test]
fn a_board_has_one_disc_a_square() {
    let start = Board::start(Geometry::EIGHT);
    assert_eq!(Board::new(start.mover(), start.other()), Some(start));
    assert_eq!(Board::new(start.mover(), start.discs()), None);
}

#[test]
fn hash_is_that_of_the_trait() {
    let board = Board::start(Geometry::EIGHT);
    let [mut by_method, mut by_trait] = [DefaultHasher::new(), DefaultHasher::new()];
    board.hash(&mut by_method);
    Hash::hash(&board, &mut by_trait);
    assert_eq!(by_method.finish(), by_trait.finish());
}

#[test]
fn an_illegal_move_has_a_reason_to_match() {
    let fault = |game: &mut Game, played: &str| {
        let played = Move::parse(played, game.geometry()).unwrap();
        game.play(played).unwrap_err().fault
    };
    let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
    assert_eq!(fault(&mut game, "d4"), IllegalMoveFault::Occupied(Color::White));
    assert_eq!(fault(&mut game, "a1"), IllegalMoveFault::FlipsNothing);
    assert_eq!(fault(&mut game, "pass"), IllegalMoveFault::MovesExist);
    let stuck = "XXO------------- O".parse().unwrap();
    let mut game = Game::from_position(VariantKind::Reversed, stuck);
    assert_eq!(fault(&mut game, "d4"), IllegalMoveFault::MustPass);
    game.play(Move::Pass).unwrap();
    game.play(Move::parse("d1", Geometry::FOUR).unwrap()).unwrap();
    assert_eq!(fault(&mut game, "a2"), IllegalMoveFault::GameOver);
}

#[test]
fn cells_are_read_as_they_are_written() {
    for color in Color::BOTH {
        assert_eq!(Cell::from_char(color.letter()), Some(Cell::Disc(color)));
    }
    assert_eq!(Cell::from_char('-').and_then(Cell::color), None);
}
