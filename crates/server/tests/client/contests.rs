//! A ladder that is made up, with a game under way.

use std::sync::{Arc, Mutex};

use turncoat_api::{
    ApiFault, CheckReport, CheckSummary, CheckedCase, ContestGame, ContestGameDetails, ContestKind, ContestRow,
    ContestView, ContestantDetails, ContestantState, ContestantVersion, Contests, LiveBoard, LiveView, MatchRequest,
    MatchView, Matches, StandingPoint, Viewer,
};

/// Two programs and a yardstick; one program does not pass its test.
#[derive(Debug, Clone, Default)]
pub(crate) struct FakeContests(Arc<Mutex<String>>);

/// What the program without a place answers for.
pub(crate) const COMPLAINT: &str = "the last element (0, 0) is not legal";
/// The token of Li's program.
pub(crate) const TOKEN: &str = "the-token-of-li";

impl FakeContests {
    /// Has the game under way go on to this transcript.
    pub(crate) fn reach(&self, moves: &str) {
        moves.clone_into(&mut self.0.lock().unwrap());
    }

    fn rows() -> Vec<ContestRow> {
        let row = |rank: Option<usize>, name: &str, state: ContestantState| ContestRow {
            rank,
            name: name.to_owned(),
            title: name.trim_end_matches(".py").to_owned(),
            version: Some(2),
            yardstick: false,
            state,
            words: None,
            rating: 120.5 - 100.0 * rank.unwrap_or(0) as f64,
            rating_error: 80.25,
            games: 12,
            wins: 7,
            draws: 1,
            losses: 4,
            faults: 1,
            course_points: 15,
            margin: Some(3.5),
        };
        vec![
            row(Some(1), "li 李/a&b", ContestantState::Playing),
            ContestRow { yardstick: true, ..row(Some(2), "greedy", ContestantState::Playing) },
            ContestRow {
                words: Some("version 2 fails the test: 3 of 30 answers are right".to_owned()),
                games: 0,
                margin: None,
                ..row(None, "huang.py", ContestantState::Failed)
            },
        ]
    }

    fn list() -> Vec<ContestGame> {
        let game = |game: u64, winner: &str, margin, reason: &str| ContestGame {
            game,
            black: "li 李/a&b".to_owned(),
            white: "greedy".to_owned(),
            winner: winner.to_owned(),
            margin,
            reason: reason.to_owned(),
            pressed: game == 2,
            ended: Some(1_790_000_000),
        };
        vec![game(2, "white", None, "timeout"), game(1, "black", Some(64), "finished")]
    }
}

fn report() -> CheckReport {
    CheckReport {
        words: "3 of 30 answers are right".to_owned(),
        whole: CheckSummary {
            summary: true,
            cases: 30,
            left_out: 0,
            passed: 3,
            ok: false,
            end: "complete".to_owned(),
            start_seconds: 0.21,
            slowest_seconds: 0.003,
            memory_megabytes: 1.5,
            forbidden_imports: Vec::new(),
        },
        wrong: vec![CheckedCase {
            case: 1,
            position: format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27)),
            ok: false,
            seconds: 0.001,
            interrupted: false,
            fault: None,
            expected: "(2, 3) (3, 2)".to_owned(),
            came: "[(0, 0)]".to_owned(),
            complaints: vec![COMPLAINT.to_owned()],
        }],
    }
}

impl Contests for FakeContests {
    fn table(&self) -> Result<ContestView, ApiFault> {
        Ok(ContestView {
            kind: ContestKind::Ladder,
            variant: "reversed".to_owned(),
            size: 8,
            limits: "5 s a move, 180 s a game".to_owned(),
            games: 2,
            total: None,
            rows: Self::rows(),
        })
    }

    fn live(&self) -> Result<LiveView, ApiFault> {
        let board = LiveBoard {
            game: 3,
            black: "greedy".to_owned(),
            white: "li 李/a&b".to_owned(),
            start: None,
            moves: self.0.lock().unwrap().clone(),
            seconds: [0.25, 12.5],
        };
        Ok(LiveView { boards: vec![board], testing: vec!["wang".to_owned()], queue: vec!["zhou".to_owned()] })
    }

    fn player(&self, name: &str) -> Result<ContestantDetails, ApiFault> {
        let row = Self::rows().into_iter().find(|row| row.name == name).ok_or_else(|| ApiFault::no_contestant(name))?;
        let point = |game: u64| StandingPoint { game, version: 1, rank: 1, rating: game as f64, error: 90.0 };
        let is_failed = row.state == ContestantState::Failed;
        let version = ContestantVersion {
            number: 2,
            digest: "0123456789abcdef0123456789abcdef".to_owned(),
            seen: 1_790_000_000,
            report: is_failed.then(report),
        };
        let history = if is_failed { Vec::new() } else { (1..=12).map(point).collect() };
        Ok(ContestantDetails { row, versions: vec![version], history })
    }

    fn games(&self, player: Option<&str>, before: Option<u64>) -> Result<Vec<ContestGame>, ApiFault> {
        let keeps = |game: &ContestGame| {
            player.is_none_or(|name| game.black == name || game.white == name)
                && before.is_none_or(|before| game.game < before)
        };
        Ok(Self::list().into_iter().filter(keeps).collect())
    }

    fn game(&self, number: u64, viewer: &Viewer) -> Result<ContestGameDetails, ApiFault> {
        let game = Self::list().into_iter().find(|game| game.game == number);
        let game = game.ok_or_else(|| ApiFault::no_contest_game(number))?;
        let sees = *viewer == Viewer::Owner || *viewer == Viewer::Bearer(TOKEN.to_owned());
        Ok(ContestGameDetails {
            variant: "reversed".to_owned(),
            size: 8,
            detail: game.margin.is_none().then(|| "it took 5.201 s for this move".to_owned()),
            start: None,
            moves: "f5d6c3d3".to_owned(),
            seconds: [1.5, 6.0],
            times: vec![1.0, 2.5],
            memory: vec![None, Some(1.5)],
            pressed_moves: vec![1],
            voided: 1,
            chess_log: "[]".to_owned(),
            black_output: sees.then(|| "my moves: <b>".to_owned()),
            white_output: None,
            hidden: !sees,
            game,
        })
    }
}

/// Matches that nobody plays, shown as the ladder above.
#[derive(Debug, Default)]
pub(crate) struct FakeMatches(FakeContests, Mutex<MatchView>);

impl Matches for FakeMatches {
    fn state(&self) -> MatchView {
        self.1.lock().unwrap().clone()
    }

    fn start(&self, request: &MatchRequest) -> Result<MatchView, ApiFault> {
        request.check()?;
        let mut view = self.1.lock().unwrap();
        if view.running {
            return Err(ApiFault::new(turncoat_api::Code::MatchRunning, "a match is being played"));
        }
        *view = MatchView {
            running: true,
            players: vec![request.first.clone(), request.second.clone()],
            games: 3,
            total: request.games,
            error: None,
            store: Some("matches/match-0001.db".to_owned()),
        };
        Ok(view.clone())
    }

    fn stop(&self) -> MatchView {
        self.1.lock().unwrap().running = false;
        self.state()
    }
}

impl Contests for FakeMatches {
    fn table(&self) -> Result<ContestView, ApiFault> {
        self.0.table()
    }

    fn live(&self) -> Result<LiveView, ApiFault> {
        self.0.live()
    }

    fn player(&self, name: &str) -> Result<ContestantDetails, ApiFault> {
        self.0.player(name)
    }

    fn games(&self, player: Option<&str>, before: Option<u64>) -> Result<Vec<ContestGame>, ApiFault> {
        self.0.games(player, before)
    }

    fn game(&self, number: u64, viewer: &Viewer) -> Result<ContestGameDetails, ApiFault> {
        self.0.game(number, viewer)
    }
}
