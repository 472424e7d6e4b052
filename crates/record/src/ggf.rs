//! GGF, the format of the game servers: `(;GM[Othello]PB[…]PW[…]TY[8]BO[8 … *]B[F5/eval/sec]…;)`.
//!
//! The type `8` is Reversi, `8a` the anti (reversed) game; sizes 6 and 4 are read too. Evaluations are positive when
//! good for the mover, in both games.

use std::fmt::Write as _;

use thiserror::Error;
use turncoat_board::{Color, Game, Geometry, IllegalMove, Move, ParsePositionError, Position, VariantKind};

use crate::Record;

/// A game in GGF.
#[derive(Debug, Clone)]
pub struct Ggf {
    /// The game with its players, event and date.
    pub record: Record,
    /// The clocks as written (`TI`).
    pub clock: String,
    /// The note of each move, passes included.
    pub notes: Vec<Note>,
}

/// A player's evaluation and time for a move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Note {
    /// The evaluation in discs, for the mover.
    pub eval: Option<f64>,
    /// The time in seconds.
    pub seconds: Option<f64>,
}

impl Ggf {
    /// A game without notes.
    pub fn new(record: Record) -> Self {
        let notes = vec![Note::default(); record.game.moves().len()];
        Self { record, clock: String::new(), notes }
    }
}

/// Whether a text is meant as GGF: it begins with `(;`, possibly after the number of games.
pub fn looks_like(text: &str) -> bool {
    text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with("(;")
}

/// Parses all games of a text.
///
/// ```
/// use turncoat_record::{ggf, transcript};
///
/// let text = "(;GM[Othello]PB[a]PW[b]TY[8a]BO[8 ---------------------------O*------*O--------------------------- *]\
///             B[F5//0.1]W[D6/-1.5];)";
/// let games = ggf::parse(text).unwrap();
/// assert_eq!(transcript::write(&games[0].record.game), "f5d6");
/// assert_eq!(games[0].notes[1].eval, Some(-1.5));
/// ```
///
/// # Errors
/// If the text is malformed or a move is illegal; the error names the character.
pub fn parse(text: &str) -> Result<Vec<Ggf>, GgfError> {
    let mut games = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find("(;") {
        let (game, end) = parse_one(text, at + begin + 2)?;
        games.push(game);
        at = end;
    }
    if games.is_empty() {
        return Err(GgfError::at(text, 0, GgfFault::NoGame));
    }
    Ok(games)
}

/// A property, `NAME[value]`, and the byte where its value begins.
struct Property<'a> {
    name: &'a str,
    value: &'a str,
    place: usize,
}

/// The game whose properties begin at this byte, and the byte where it ends.
fn parse_one(text: &str, begin: usize) -> Result<(Ggf, usize), GgfError> {
    let mut at = begin;
    let mut properties = Vec::new();
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if text[at..].starts_with(";)") {
            at += 2;
            break;
        }
        let property = next_property(text, at)?;
        at = property.place + property.value.len() + 1;
        properties.push(property);
    }
    build(text, begin, &properties).map(|game| (game, at))
}

fn next_property(text: &str, at: usize) -> Result<Property<'_>, GgfError> {
    let rest = &text[at..];
    let name = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    if name == 0 || !rest[name..].starts_with('[') {
        return Err(GgfError::at(text, at, GgfFault::NoProperty));
    }
    let place = at + name + 1;
    let value = &text[place..];
    let mut escaped = false;
    let end = value.find(|c| {
        let ends = c == ']' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    let end = end.ok_or_else(|| GgfError::at(text, place, GgfFault::NoBracket))?;
    Ok(Property { name: &rest[..name], value: &value[..end], place })
}

fn build(text: &str, begin: usize, properties: &[Property<'_>]) -> Result<Ggf, GgfError> {
    let find = |name: &str| properties.iter().find(|property| property.name.eq_ignore_ascii_case(name));
    let said = |name| find(name).map_or_else(String::new, |property| unescaped(property.value));
    if let Some(game) = find("GM").filter(|game| !game.value.eq_ignore_ascii_case("othello")) {
        return Err(GgfError::at(text, game.place, GgfFault::OtherGame));
    }
    let (side, variant) = match find("TY") {
        None => (None, VariantKind::Reversi),
        Some(kind) => {
            let (side, variant) =
                parse_type(kind.value).ok_or_else(|| GgfError::at(text, kind.place, GgfFault::BadType))?;
            (Some(side), variant)
        }
    };
    let start = if let Some(board) = find("BO") {
        parse_board(board.value).map_err(|fault| GgfError::at(text, board.place, fault))?
    } else {
        let geometry =
            Geometry::from_side(side.unwrap_or(8)).map_err(|_| GgfError::at(text, begin, GgfFault::BadSize))?;
        Position::start(geometry)
    };
    let mut game = Game::from_position(variant, start);
    let mut notes = Vec::new();
    for property in properties {
        let color = match property.name {
            "B" | "b" => Color::Black,
            "W" | "w" => Color::White,
            _ => continue,
        };
        let fault = |fault| GgfError::at(text, property.place, fault);
        let (played, note) = parse_noted(property.value, game.geometry()).ok_or_else(|| fault(GgfFault::NoMove))?;
        if game.position().side() != color && game.position().must_pass() && played != Move::Pass {
            game.play(Move::Pass).map_err(|illegal| fault(GgfFault::Illegal(illegal)))?;
            notes.push(Note::default());
        }
        if game.position().side() != color {
            return Err(fault(GgfFault::OtherSide { color }));
        }
        game.play(played).map_err(|illegal| fault(GgfFault::Illegal(illegal)))?;
        notes.push(note);
    }
    let record = Record { game, black: said("PB"), white: said("PW"), event: said("PC"), date: said("DT") };
    Ok(Ggf { record, clock: said("TI"), notes })
}

/// `8`, `8a`, `8ra20`, …: the size, and whether it is the anti game.
fn parse_type(text: &str) -> Option<(u8, VariantKind)> {
    let text = text.trim().trim_start_matches(['s', 'S']);
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let side = text[..digits].parse().ok()?;
    let anti = text[digits..].contains(['a', 'A']);
    Some((side, if anti { VariantKind::Reversed } else { VariantKind::Reversi }))
}

/// `8 <cells> *`; white space between cells is allowed.
fn parse_board(text: &str) -> Result<Position, GgfFault> {
    let text = text.trim();
    let (side, rest) = text.split_once(char::is_whitespace).ok_or(GgfFault::BadSize)?;
    let geometry = side.parse().ok().and_then(|side| Geometry::from_side(side).ok()).ok_or(GgfFault::BadSize)?;
    let mut cells: String = rest.chars().filter(|c| !c.is_whitespace()).collect();
    if let Some(mover) = cells.pop() {
        cells.push(' ');
        cells.push(mover);
    }
    Position::parse(&cells, geometry).map_err(GgfFault::Board)
}

/// Parses a move with its note: `F5`, `F5/1.2`, `F5//0.3`, `PA`. A field that is not a number is ignored.
pub fn parse_noted(text: &str, geometry: Geometry) -> Option<(Move, Note)> {
    let mut fields = text.trim().split('/');
    let played = Move::parse(fields.next()?.trim(), geometry)?;
    let mut number =
        || fields.next().and_then(|field| field.trim().parse().ok()).filter(|number: &f64| number.is_finite());
    let (eval, seconds) = (number(), number());
    Some((played, Note { eval, seconds }))
}

/// Writes a game on one line.
///
/// ```
/// use turncoat_board::{Game, Geometry, VariantKind};
/// use turncoat_record::ggf::{self, Ggf};
/// use turncoat_record::Record;
///
/// let game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
/// assert_eq!(
///     ggf::write(&Ggf::new(Record::new(game))),
///     "(;GM[Othello]PC[]DT[]PB[]PW[]TI[]TY[8a]RE[?]\
///      BO[8 ---------------------------O*------*O--------------------------- *];)"
/// );
/// ```
pub fn write(ggf: &Ggf) -> String {
    let Record { game, black, white, event, date } = &ggf.record;
    let [event, date, black, white, clock] = [event, date, black, white, &ggf.clock].map(|text| escaped(text));
    let result = game.outcome().map_or_else(|| "?".to_owned(), |o| format!("{:+}.00", o.score.discs()));
    let anti = match game.variant() {
        VariantKind::Reversed => "a",
        VariantKind::Reversi => "",
    };
    let side = game.geometry().side();
    let board = game.start().to_string().replace('X', "*");
    let mut text = format!(
        "(;GM[Othello]PC[{event}]DT[{date}]PB[{black}]PW[{white}]TI[{clock}]\
         TY[{side}{anti}]RE[{result}]BO[{side} {board}]"
    );
    let turns = game.positions().iter().zip(game.moves());
    for (index, (position, &played)) in turns.enumerate() {
        let note = ggf.notes.get(index).copied().unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{}[{}]",
            if position.side() == Color::Black { 'B' } else { 'W' },
            write_noted(played, note, game.geometry())
        );
    }
    text + ";)"
}

/// Writes a move with its note as GGF and NBoard do: `F5/1.20/0.30`, without what is unknown.
pub fn write_noted(played: Move, note: Note, geometry: Geometry) -> String {
    let label = match played {
        Move::Place(square) => geometry.label(square).to_uppercase(),
        Move::Pass => "PA".to_owned(),
    };
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.2}"));
    match note {
        Note { eval: None, seconds: None } => label,
        Note { eval, seconds: None } => format!("{label}/{}", number(eval)),
        Note { eval, seconds } => format!("{label}/{}/{}", number(eval), number(seconds)),
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            ']' | '\\' => safe.extend(['\\', c]),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        plain.extend(if c == '\\' { letters.next() } else { Some(c) });
    }
    plain
}

/// A fault in GGF, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("character {place}: {fault}")]
pub struct GgfError {
    /// The character, counted from 1.
    pub place: usize,
    /// The fault.
    pub fault: GgfFault,
}

impl GgfError {
    fn at(text: &str, byte: usize, fault: GgfFault) -> Self {
        let place = text[..byte].chars().count() + 1;
        Self { place, fault }
    }
}

/// A fault in GGF.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GgfFault {
    /// There is no game.
    #[error("no game here: one begins with (;")]
    NoGame,
    /// Something is neither a property nor the end.
    #[error("a property such as PB[name] or the end ;) is expected")]
    NoProperty,
    /// A value does not end.
    #[error("the value has no closing bracket")]
    NoBracket,
    /// It is a game other than Othello.
    #[error("this is not a game of Othello")]
    OtherGame,
    /// The type is unknown.
    #[error("a type such as 8 or 8a is expected")]
    BadType,
    /// The size is unknown.
    #[error("boards have 8, 6 or 4 squares a side")]
    BadSize,
    /// The board is malformed.
    #[error("the board: {0}")]
    Board(ParsePositionError),
    /// Something is not a move.
    #[error("this is neither a square of the board nor a pass")]
    NoMove,
    /// It is the other side's turn.
    #[error("it is not {color}'s turn")]
    OtherSide {
        /// The side whose move is written.
        color: Color,
    },
    /// A move is illegal.
    #[error(transparent)]
    Illegal(IllegalMove),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript;

    /// A game as the server writes it, with times and evaluations.
    const SERVED: &str = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]\
        RW[2199.72]TI[05:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
        -------- -------- *]B[d3//0.01]W[c5//0.01]B[e6/1.5]W[d2/-0.50/1.2];)";

    #[test]
    fn a_game_of_the_server_is_read_and_written() {
        let games = parse(SERVED).unwrap();
        let ggf = &games[0];
        assert_eq!(ggf.record.black, "Saio1200");
        assert_eq!(ggf.record.game.variant(), VariantKind::Reversi);
        assert_eq!(transcript::write(&ggf.record.game), "d3c5e6d2");
        assert_eq!(ggf.notes[2].eval, Some(1.5));
        assert_eq!(
            write(ggf),
            "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]\
             TI[05:00//02:00]TY[8]RE[?]BO[8 ---------------------------O*------*O--------------------------- *]\
             B[D3//0.01]W[C5//0.01]B[E6/1.50]W[D2/-0.50/1.20];)"
        );
    }

    #[test]
    fn two_games_and_names_with_brackets() {
        let two = format!("2 {SERVED}{}", SERVED.replace("Saio1200", r"a\]b\\c"));
        let games = parse(&two).unwrap();
        assert_eq!(games[1].record.black, r"a]b\c");
        let again = parse(&write(&games[1])).unwrap();
        assert_eq!(again[0].record.black, r"a]b\c");
    }

    #[test]
    fn passes_may_be_missing() {
        let mut game = Game::new(VariantKind::Reversi, Geometry::EIGHT);
        while game.outcome().is_none() {
            let first = game.position().legal_moves().first();
            game.play(first.map_or(Move::Pass, Move::Place)).unwrap();
        }
        assert!(game.moves().contains(&Move::Pass));
        let text = write(&Ggf::new(Record::new(game.clone())));
        let again = parse(&text.replace("B[PA]", "").replace("W[PA]", "")).unwrap();
        assert_eq!(again[0].record.game.moves(), game.moves());
    }

    #[test]
    fn faults_have_their_place() {
        let fault = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(fault("f5"), "character 1: no game here: one begins with (;");
        assert_eq!(fault("(;GM[Chess];)"), "character 6: this is not a game of Othello");
        assert_eq!(fault("(;TY[8]B[f5]B[d6];)"), "character 15: it is not black's turn");
        assert_eq!(fault("(;TY[8]B[a1];)"), "character 10: a1: black would flip no discs there");
        assert_eq!(fault("(;TY[10];)"), "character 3: boards have 8, 6 or 4 squares a side");
        assert_eq!(fault("(;TY[8"), "character 6: the value has no closing bracket");
        assert!(fault("(;BO[8 xx *];)").starts_with("character 6: the board: "));
    }
}
