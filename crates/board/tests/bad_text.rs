//! Whatever is wrong with the text of a position is named, with its place.

use turncoat_board::{Geometry, Position};

fn fault(text: &str) -> String {
    Position::parse(text, Geometry::EIGHT).unwrap_err().to_string()
}

#[test]
fn each_fault_is_named_with_its_place() {
    let cells = "-".repeat(64);
    let start = "---------------------------OX------XO---------------------------";
    for (text, expected) in [
        (String::new(), "character 1: the board has 0 of its 64 cells"),
        ("XO X".to_owned(), "character 3: the board has 2 of its 64 cells"),
        (format!("{start}X X"), "character 65: the board has more than its 64 cells"),
        (
            format!("{} X", start.replace('X', "Z")),
            "character 29: 'Z' on e4 is not a cell: X is black, O is white, - is empty",
        ),
        (
            format!("{} X", start.replace('X', "é")),
            "character 29: 'é' on e4 is not a cell: X is black, O is white, - is empty",
        ),
        (start.to_owned(), "character 65: the side to move is missing: a space and X or O after the cells"),
        (format!("{start} Z"), "character 66: 'Z' is not a side to move: X is black, O is white"),
        (format!("{start} XO"), "character 67: 'O' after the side to move, where the text should end"),
        (format!("{cells} X"), "the board has no discs"),
    ] {
        assert_eq!(fault(&text), expected, "{text}");
    }
}

#[test]
fn other_peoples_letters_are_read() {
    let start = Position::start(Geometry::EIGHT);
    for (black, white, empty) in [('*', 'O', '-'), ('B', 'W', '.'), ('b', 'w', '_'), ('x', 'o', '-'), ('X', '0', '.')] {
        let letters = |c| match c {
            'X' => black,
            'O' => white,
            '-' => empty,
            other => other,
        };
        let text: String = start.to_string().chars().map(letters).collect();
        assert_eq!(Position::parse(&text, Geometry::EIGHT), Ok(start), "{text}");
    }
}
