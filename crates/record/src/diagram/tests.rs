use super::*;

/// The start of the full board after f5, drawn with these cells.
fn drawn(black: char, white: char, empty: char) -> String {
    let text = "--------\n--------\n--------\n---OX---\n---XXX--\n--------\n--------\n--------";
    let draw = |c| match c {
        'X' => black,
        'O' => white,
        '-' => empty,
        other => other,
    };
    text.chars().map(draw).collect()
}

fn after_f5() -> Position {
    let start = Position::start(Geometry::EIGHT);
    start.play(Geometry::EIGHT.square("f5").unwrap()).unwrap()
}

#[test]
fn every_alphabet_is_read() {
    for cells in ["XO.", "xo-", "BW_", "@O.", "*O-", "XO*", "BW*", "●○·", "@O+"] {
        let [black, white, empty] = cells.chars().collect::<Vec<_>>()[..] else { unreachable!() };
        let text = drawn(black, white, empty);
        assert!(looks_like(&text), "{text}");
        assert_eq!(parse(&text), Ok(after_f5()), "{text}");
    }
}

#[test]
fn coordinates_frames_and_counts_are_passed_over() {
    let rows = drawn('X', 'O', '.');
    let spaced = |row: &str| row.chars().map(|c| format!(" {c}")).collect::<String>();
    let mut numbered = "    a b c d e f g h\n".to_owned();
    let mut framed = "+---------------+\n".to_owned();
    for (number, row) in (1..).zip(rows.lines()) {
        numbered += &format!("{number} {} {number}\n", spaced(row));
        framed += &format!("|{}|\n", spaced(row).trim());
    }
    numbered += "    a b c d e f g h\n   X black 4   O white 1\nWhite to move";
    framed += "+---------------+\r\n";
    assert_eq!(parse(&numbered), Ok(after_f5()));
    assert_eq!(parse(&framed), Ok(after_f5()));
}

#[test]
fn the_side_to_move_is_written_or_follows_from_the_discs() {
    let rows = drawn('X', 'O', '.');
    for (line, color) in [
        ("", Color::White),
        ("X", Color::Black),
        ("black to move", Color::Black),
        ("Black's turn", Color::Black),
        ("Side to move: O", Color::White),
        ("next: white", Color::White),
        ("○ to play", Color::White),
    ] {
        assert_eq!(parse(&format!("{rows}\n{line}")).unwrap().side(), color, "{line}");
        assert_eq!(parse(&format!("{line}\n{rows}")).unwrap().side(), color, "{line}");
    }
    // Five discs, so white's turn without a pass, but white has no move.
    let stuck = parse("XX..\n....\n....\nXXO.").unwrap();
    assert_eq!(stuck.side(), Color::Black);
}

#[test]
fn small_boards_tell_their_size() {
    let four = "....\n.OX.\n.XO.\n....";
    assert_eq!(parse(four), Ok(Position::start(Geometry::FOUR)));
    let six = "......\n......\n..OX..\n..XO..\n......\n......";
    assert_eq!(parse(six), Ok(Position::start(Geometry::SIX)));
}

#[test]
fn faults_have_their_line() {
    let fault = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(fault("....\n.OX.\n.XZ.\n...."), "line 3: 'Z' is not a cell: X is black, O is white, . is empty");
    assert_eq!(fault("....\n.OX.\n.XO..\n...."), "line 3: the row has 5 cells instead of 4");
    assert_eq!(fault("....\n.OX.\n. X O . .\n...."), "line 3: the row has 5 cells instead of 4");
    assert_eq!(fault("....\n.OX.\n.XO."), "the board has 3 rows of 4 cells; boards are 8x8, 6x6 or 4x4");
    assert_eq!(fault("4 ....\n3 .XO.\n2 .OX.\n1 ...."), "line 1: this is row 1, and it is numbered 4");
    assert_eq!(
        fault("....\n.OX.\nsee below\n.XO.\n...."),
        "line 3: \"see below\" is neither a row of the board nor the side to move"
    );
    assert_eq!(fault("X\n....\n.OX.\n.XO.\n....\nwhite"), "line 6: an earlier line says that the other side moves");
    assert_eq!(fault("....\n....\n....\n...."), "the board has no discs");
}

#[test]
fn lines_of_a_board_come_together() {
    let four = "....\n.OX.\n.XO.\n....";
    let text = format!("f5d6\nc4c3\n\n{four}\nX\n\nstart\n{}\n", Position::start(Geometry::FOUR));
    let blocks: Vec<_> =
        Blocks::new(text.as_bytes()).map(Result::unwrap).filter(|(_, text)| !text.is_empty()).collect();
    let numbers: Vec<_> = blocks.iter().map(|&(number, _)| number).collect();
    assert_eq!(numbers, [1, 2, 4, 10, 11]);
    assert_eq!(blocks[2].1, format!("{four}\nX"));
}
