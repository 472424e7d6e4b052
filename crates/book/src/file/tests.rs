use turncoat_board::{Game, Position};

use super::*;
use crate::Found;

/// The start, the positions after it, and two games.
fn sample() -> Book {
    let evaluation = Evaluation { name: "my file.weights".to_owned(), checksum: 0xfeed };
    let mut book = Book::new(VariantKind::Reversi, Geometry::SIX, evaluation);
    let start = Position::start(Geometry::SIX);
    let after = start.play(start.legal_moves().first().unwrap()).unwrap();
    for (position, score, is_exact) in [(start, -3.5, false), (after, 4.0, true)] {
        let best = position.legal_moves().first();
        book.insert(position.board(), Found { score, depth: 12, is_exact, best, nodes: 1 });
    }
    let mut game = Game::new(VariantKind::Reversi, Geometry::SIX);
    while game.outcome().is_none() {
        let played = game.position().legal_moves().first().into();
        game.play(played).unwrap();
    }
    assert_eq!(book.add_games([&game, &game], 5), 2);
    book.settle();
    book
}

#[test]
fn a_book_is_read_as_it_was_written() {
    let book = sample();
    assert_eq!(Book::read(&book.write()), Ok(book.clone()));
    assert_eq!((book.entries().len(), book.counted(), book.games_counted()), (2, 5, 2));
    let empty = Book::new(VariantKind::Reversed, Geometry::EIGHT, Evaluation { name: String::new(), checksum: 0 });
    assert_eq!(Book::read(&empty.write()), Ok(empty));
}

#[test]
fn no_byte_can_be_changed_left_out_or_added() {
    let file = sample().write();
    for place in 0..file.len() {
        let mut damaged = file.clone();
        damaged[place] ^= 1 << (place % 8);
        assert!(Book::read(&damaged).is_err(), "byte {place}");
        assert!(Book::read(&file[..place]).is_err(), "cut off after {place}");
    }
    let mut longer = file;
    longer.push(0);
    assert!(matches!(Book::read(&longer), Err(BookFault::Length { .. })));
}

#[test]
fn faults_name_their_place() {
    let text = |text: &str| Book::read(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(text("f5d6"), "this is not a book");
    assert_eq!(
        text("turncoat book 2\n"),
        "the book has format 2, which a later turncoat reads; this is turncoat 0.2.0, which reads format 1"
    );
    assert_eq!(text("turncoat book 1\nvariety x\n"), "line 2: variant is expected, and \"variety x\" is there");
    let head = "turncoat book 1\nvariant chess\nsize 8\nevaluation 0000000000000000 x\npositions 0\ngames 0\nchecksum 0000000000000000\n";
    assert_eq!(text(head), "line 2: reversed or reversi is expected, and \"chess\" is there");
    assert_eq!(
        text(&head.replace("chess", "reversi").replace("positions 0", "positions 99999999999999999999")),
        "line 5: a number is expected, and \"99999999999999999999\" is there"
    );
    assert!(text(&head.replace("chess", "reversi")).starts_with("the book is damaged"));
}

/// A file with these bytes in place of its first position, and the checksum that they need.
fn forged(change: impl Fn(&mut [u8])) -> String {
    let file = sample().write();
    let head = Head::read(&file).unwrap();
    let mut body = file[head.length..].to_vec();
    change(&mut body);
    let lines = std::str::from_utf8(&file[..head.checked]).unwrap();
    let mut file = format!("{lines}checksum {:016x}\n", checksum(lines.as_bytes(), &body)).into_bytes();
    file.extend(body);
    Book::read(&file).unwrap_err().to_string()
}

#[test]
fn impossible_positions_are_refused_though_the_checksum_holds() {
    let begins = Head::read(&sample().write()).unwrap().length + 1;
    let first = forged(|body| body[0] = 1);
    assert_eq!(first, format!("position 1, byte {begins}: its discs are not those of a game"));
    assert!(forged(|body| body.copy_within(0..8, 8)).contains("its discs are not those of a game"));
    let second = forged(|body| body.copy_within(0..24, 24));
    assert_eq!(second, format!("position 2, byte {}: it is not in order", begins + ENTRY));
    assert!(forged(|body| body[17] = 127).contains("its score is beyond the board"));
    assert!(forged(|body| body[21] = 28).contains("its best move is not on an empty square"));
    assert!(forged(|body| body[21] = 64).contains("its best move is not on an empty square"));
    assert!(forged(|body| body[22] = 16).contains("its flags are unknown"));
}
