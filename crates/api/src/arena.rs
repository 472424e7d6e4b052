//! Ladders, tournaments and matches as a page shows them. Whoever has a store of games answers with these objects.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::checks::CheckReport;
use crate::{ApiFault, Code};

/// A source of games between programs.
pub trait Contests: fmt::Debug + Send + Sync {
    /// The table as it is now.
    ///
    /// # Errors
    /// If the store cannot be read; so with all that follow.
    fn table(&self) -> Result<ContestView, ApiFault>;

    /// The games under way, and the programs that wait for their tests.
    ///
    /// # Errors
    /// As above.
    fn live(&self) -> Result<LiveView, ApiFault>;

    /// A player with its versions and its history.
    ///
    /// # Errors
    /// As above, or if there is no such player.
    fn player(&self, name: &str) -> Result<ContestantDetails, ApiFault>;

    /// The latest games before this number, of all players or of one.
    ///
    /// # Errors
    /// As above.
    fn games(&self, player: Option<&str>, before: Option<u64>) -> Result<Vec<ContestGame>, ApiFault>;

    /// A game, with what its programs printed as far as the viewer may see it.
    ///
    /// # Errors
    /// As above, or if there is no such game.
    fn game(&self, number: u64, viewer: &Viewer) -> Result<ContestGameDetails, ApiFault>;
}

/// Who looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Viewer {
    /// Whoever started the server.
    Owner,
    /// The bearer of a program's token.
    Bearer(String),
    /// Anyone else.
    Anyone,
}

impl ApiFault {
    /// There is no player of this name.
    pub fn no_contestant(name: &str) -> Self {
        let name: String = name.chars().take(80).collect();
        Self::new(Code::NoContestant, format_args!("nobody here is called {name:?}")).with("name", name)
    }

    /// There is no game of this number.
    pub fn no_contest_game(number: u64) -> Self {
        Self::new(Code::NoContestGame, format_args!("there is no game {number}")).with("number", number)
    }
}

/// What kind of contest it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ContestKind {
    /// A folder of programs.
    Ladder,
    /// A tournament or a match.
    Tournament,
}

/// The table of a contest.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContestView {
    /// What kind it is.
    pub kind: ContestKind,
    /// The game: `reversed` or `reversi`.
    pub variant: String,
    /// Squares a side.
    pub size: u8,
    /// The limits of thinking in words.
    pub limits: String,
    /// Games played.
    pub games: u64,
    /// Games planned; a ladder has no end.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub total: Option<u64>,
    /// The players, best first.
    pub rows: Vec<ContestRow>,
}

/// What becomes of a program on a ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ContestantState {
    /// Its files are still changing, or its test has not begun.
    Waiting,
    /// It is being tested.
    Testing,
    /// It plays.
    Playing,
    /// It did not pass its test.
    Failed,
    /// It is not a program.
    Refused,
    /// It is no longer in the folder.
    Gone,
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContestRow {
    /// Its place; none without a game.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub rank: Option<usize>,
    /// Its name, by which it is asked for.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Which of its versions plays, from 1.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub version: Option<u64>,
    /// Whether it is a yardstick.
    pub yardstick: bool,
    /// What becomes of it.
    pub state: ContestantState,
    /// Why.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub words: Option<String>,
    /// Its rating in Elo.
    pub rating: f64,
    /// Half the width of the 95 % interval.
    pub rating_error: f64,
    /// Its games.
    pub games: u64,
    /// Those won.
    pub wins: u64,
    /// Those drawn.
    pub draws: u64,
    /// Those lost.
    pub losses: u64,
    /// Those lost by a fault.
    pub faults: u64,
    /// +5 for a win, -5 for a loss.
    pub course_points: i64,
    /// The mean margin in discs.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub margin: Option<f64>,
}

/// What is going on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveView {
    /// Games under way.
    pub boards: Vec<LiveBoard>,
    /// Programs that are being tested.
    pub testing: Vec<String>,
    /// Programs that wait for their tests.
    pub queue: Vec<String>,
}

/// A game under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveBoard {
    /// Its number, from 1.
    pub game: u64,
    /// Who plays black.
    pub black: String,
    /// Who plays white.
    pub white: String,
    /// The position it began with, unless that was the start of the board.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub start: Option<String>,
    /// Its moves so far.
    pub moves: String,
    /// How long black and white have thought.
    pub seconds: [f64; 2],
}

/// How the games under way have changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveChange {
    /// Games that have begun or gone on.
    pub boards: Vec<LiveBoard>,
    /// The numbers of games that are over.
    pub ended: Vec<u64>,
    /// Programs that are being tested, if they are others than before.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub testing: Option<Vec<String>>,
    /// Programs that wait for their tests, if they are others than before.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub queue: Option<Vec<String>>,
}

impl LiveChange {
    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl LiveView {
    /// What has changed between this and now.
    pub fn change_to(&self, now: &Self) -> LiveChange {
        let is_new = |board: &&LiveBoard| !self.boards.contains(board);
        let is_over = |number: &u64| now.boards.iter().all(|board| board.game != *number);
        let other = |was: &[String], is: &[String]| (was != is).then(|| is.to_vec());
        LiveChange {
            boards: now.boards.iter().filter(is_new).cloned().collect(),
            ended: self.boards.iter().map(|board| board.game).filter(is_over).collect(),
            testing: other(&self.testing, &now.testing),
            queue: other(&self.queue, &now.queue),
        }
    }
}

/// A player with its versions and its history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContestantDetails {
    /// Its line of the table.
    pub row: ContestRow,
    /// Its versions, the latest first.
    pub versions: Vec<ContestantVersion>,
    /// Where it has stood.
    pub history: Vec<StandingPoint>,
}

/// A version of a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContestantVersion {
    /// Which, from 1.
    pub number: u64,
    /// The hash of its contents.
    pub digest: String,
    /// When it came, in seconds since 1970.
    pub seen: u64,
    /// Its test.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub report: Option<CheckReport>,
}

/// Where a player stood after a game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StandingPoint {
    /// The game's number, from 1.
    pub game: u64,
    /// Which of its versions played.
    pub version: u64,
    /// Its place.
    pub rank: usize,
    /// Its rating.
    pub rating: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContestGame {
    /// Its number, from 1.
    pub game: u64,
    /// Who played black.
    pub black: String,
    /// Who played white.
    pub white: String,
    /// `black`, `white` or `draw`.
    pub winner: String,
    /// Black's score in discs; none if the game was lost by a fault.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub margin: Option<i32>,
    /// `finished`, or the fault that ended it.
    pub reason: String,
    /// Whether it was played under pressure: the machine withheld the CPU in one of its moves, or held a player up beyond
    /// its time in an earlier try, which is void.
    pub pressed: bool,
    /// When it ended, in seconds since 1970, if that is known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ended: Option<u64>,
}

/// A game with its moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContestGameDetails {
    /// The game.
    #[serde(flatten)]
    pub game: ContestGame,
    /// Which game is played: `reversed` or `reversi`.
    pub variant: String,
    /// Squares a side.
    pub size: u8,
    /// What is known of a fault.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub detail: Option<String>,
    /// The position it began with, unless that was the start of the board.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub start: Option<String>,
    /// Its transcript.
    pub moves: String,
    /// How long black and white thought.
    pub seconds: [f64; 2],
    /// How long each move took, those of the opening left out.
    pub times: Vec<f64>,
    /// Megabytes that the program held beyond its start in each of these moves, if that is known; none where nothing is.
    pub memory: Vec<Option<f64>>,
    /// Which of these moves were made under pressure, from 0.
    pub pressed_moves: Vec<usize>,
    /// How often the game was void before, because the machine held a player up.
    pub voided: u32,
    /// The course's log: a board after each disc.
    pub chess_log: String,
    /// What black printed, if the viewer may see it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub black_output: Option<String>,
    /// What white printed, if the viewer may see it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub white_output: Option<String>,
    /// Whether something was printed that the viewer may not see.
    pub hidden: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page does with a change.
    fn apply(mut view: LiveView, change: LiveChange) -> LiveView {
        let is_over = |board: &LiveBoard| change.ended.contains(&board.game);
        view.boards.retain(|board| !is_over(board) && change.boards.iter().all(|other| other.game != board.game));
        view.boards.extend(change.boards);
        view.boards.sort_by_key(|board| board.game);
        let LiveView { boards, testing, queue } = view;
        LiveView { boards, testing: change.testing.unwrap_or(testing), queue: change.queue.unwrap_or(queue) }
    }

    fn view(boards: &[(u64, &str)], testing: &[&str], queue: &[&str]) -> LiveView {
        let words = |all: &[&str]| all.iter().map(|&word| word.to_owned()).collect();
        let board = |&(game, moves): &(u64, &str)| LiveBoard {
            game,
            black: "li".to_owned(),
            white: "greedy".to_owned(),
            start: None,
            moves: moves.to_owned(),
            seconds: [0.0, 1.5],
        };
        LiveView { boards: boards.iter().map(board).collect(), testing: words(testing), queue: words(queue) }
    }

    #[test]
    fn changes_lead_from_one_view_to_any_other() {
        let views = [
            LiveView::default(),
            view(&[(1, ""), (2, "f5")], &["wang"], &["li", "zhou"]),
            view(&[(1, "f5"), (2, "f5")], &[], &["zhou"]),
            view(&[(2, "f5d6"), (3, "")], &[], &["zhou"]),
            view(&[], &["zhou"], &[]),
        ];
        for before in &views {
            for now in &views {
                let change = before.change_to(now);
                assert_eq!(change.is_empty(), before == now);
                assert_eq!(apply(before.clone(), change), *now);
            }
        }
        let change = views[1].change_to(&views[2]);
        assert_eq!((change.boards.len(), change.ended.len()), (1, 0), "only what has gone on is sent");
    }
}
