//! `ladder`: a folder of programs, tested and ranked for as long as it runs.

mod last;
mod page;

use std::cell::RefCell;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use turncoat_api::{ContestRow, ContestantState};
use turncoat_arena::{Format, Source};
use turncoat_board::{Position, VariantKind};
use turncoat_host::Hosting;
use turncoat_host::sandbox::Protection;
use turncoat_ladder::store::{Store, beside};
use turncoat_ladder::{Event, LadderError, Options, TestRules, run as run_ladder, tokens};
use turncoat_players::StopFlag;
use turncoat_server::{PublicUrl, Token};
use turncoat_util::{printable, shell};

use super::arena::{open_book, plan, store_failure};
use super::signals;
use crate::args::{ArenaArgs, Common};
use crate::failure::misuse;
use crate::output;
use crate::view::board::BoardView;
use crate::view::live::live_text;
use crate::view::table::contest;

/// The time for a move where nothing else is said.
const MOVE_TIME: Duration = Duration::from_secs(1);
/// Random positions of the test beside the ten fixed ones.
const RANDOM_POSITIONS: u64 = 20;
/// Where no terminal shows the table, a line says this often how it stands.
const BETWEEN_LINES: Duration = Duration::from_mins(1);
/// Lines of the table that a terminal shows.
const LINES: usize = 30;

/// `ladder`
#[derive(Debug, Args)]
pub(crate) struct LadderArgs {
    /// The folder: a Python file or a folder for each player
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A built-in player that programs are measured against; may be given several times [default: random, greedy, a classic
    /// and three levels of turncoat]
    #[arg(long = "yardstick", value_name = "PLAYER")]
    yardsticks: Vec<String>,
    /// Test what is in the folder, then play the final: everyone against everyone, +5, 0 and -5 points
    #[arg(long)]
    round_robin: bool,
    /// The same in rounds of the Swiss system
    #[arg(long, value_name = "ROUNDS", conflicts_with_all = ["round_robin", "games"],
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    swiss: Option<u64>,
    /// The address of the page [default: 127.0.0.1:8064, or the next free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    addr: Option<SocketAddr>,
    /// The address at which others reach the page, as in <https://example.org>
    #[arg(long, value_name = "URL")]
    public: Option<PublicUrl>,
    /// The file of the token that others need for the page, created if it is missing [default: a new one at every start]
    #[arg(long, value_name = "FILE")]
    token: Option<PathBuf>,
    /// Ask nobody for a token: everybody who can reach the address sees the page
    #[arg(long, conflicts_with = "token")]
    open: bool,
    /// Serve no page
    #[arg(long, conflicts_with_all = ["addr", "public", "token", "open"])]
    no_page: bool,
    /// Print a new token for a player of the folder, whose bearer sees what it prints in games, and do nothing else; * is
    /// for all players
    #[arg(long, value_name = "PLAYER")]
    new_token: Option<String>,
    #[command(flatten)]
    arena: ArenaArgs,
}

impl LadderArgs {
    const fn is_final(&self) -> bool {
        self.round_robin || self.swiss.is_some()
    }
}

/// The last JSON object.
#[derive(Serialize)]
struct LadderEnd {
    summary: bool,
    games: u64,
    table: Vec<ContestRow>,
}

pub(super) fn run(args: &LadderArgs, common: &Common) -> Result<()> {
    refuse(args)?;
    // Not made by the store that lies in it.
    fs::read_dir(&args.folder).map_err(|error| misuse(format!("{}: {error}", args.folder.display())))?;
    let mut options = options(args, common)?;
    if let Some(player) = &args.new_token {
        return new_token(player, &options);
    }
    if args.is_final() {
        // Only what has arrived meanwhile is tested.
        options.games = Some(0);
    }
    if !common.quiet {
        if !options.hosting.trust {
            output::note(Protection::new(&options.hosting).map_err(misuse)?.summary());
        }
        output::note(format_args!("the ladder is kept in {} (Ctrl-C ends it)", options.store.display()));
    }
    let stop = signals::stop_flag().context("cannot handle signals")?;
    super::arena::keep_faults_off_the_terminal();
    let view = View { common, live: live_text(!common.quiet && !common.json), last: RefCell::default() };
    let is_shown = !args.no_page && !args.is_final();
    // The page reads the store, so there must be one.
    drop(Store::open(&options.store, &options.plan, &options.command).map_err(|error| failure(error.into()))?);
    let page = is_shown.then(|| page::Page::new(args, &options, common)).transpose()?;
    let ended = StopFlag::default();
    let result = thread::scope(|scope| {
        let serve = |page: &page::Page<'_>| {
            // A page that cannot be served ends the ladder, not its last words.
            page.serve(&ended).inspect_err(|_| stop.raise())
        };
        let served = page.as_ref().map(|page| scope.spawn(move || serve(page)));
        let result = run_ladder(&options, &stop, &mut |event| view.tell(event)).map_err(failure);
        ended.raise();
        let served = served.map_or(Ok(()), |served| served.join().unwrap_or(Ok(())));
        result.and(served)
    });
    view.live.finish_and_clear();
    result?;
    let (rows, games) = view.last.into_inner().table;
    if args.is_final() && !stop.is_raised() {
        return last::play(args, &options, common);
    }
    if common.json {
        return output::json(&LadderEnd { summary: true, games, table: rows });
    }
    output::line(contest(&rows, usize::MAX).trim_end())?;
    if stop.is_raised() && !common.quiet {
        let words: Vec<String> = std::env::args().collect();
        let command = shell::join(words.iter().map(String::as_str));
        output::note(format_args!("interrupted after {games} games, which are kept; to continue:\n  {command}"));
    }
    Ok(())
}

/// `--new-token`: the token is shown once, and kept as a hash.
fn new_token(player: &str, options: &Options) -> Result<()> {
    let file = beside(&options.store, "-tokens");
    let is_there = player == "*" || options.folder.join(player).symlink_metadata().is_ok();
    if !is_there || player.contains('/') {
        return Err(misuse(format!("there is no {} in {}", printable(player), options.folder.display())));
    }
    let token = Token::random()?.to_string();
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    tokens::set(&file, player, &token).with_context(|| file.display().to_string())?;
    output::line(token)
}

/// Options of matches that have no meaning here.
fn refuse(args: &LadderArgs) -> Result<()> {
    let arena = &args.arena;
    let given = [
        ("--show", arena.show),
        ("--watch", arena.watch),
        ("--resume", arena.resume),
        ("--logs", arena.host.logs.is_some()),
    ];
    let of_the_final = [
        ("--html", arena.html.is_some()),
        ("--csv", arena.csv.is_some()),
        ("--games-csv", arena.games_csv.is_some()),
        ("--export", arena.export.is_some()),
        ("--archive", arena.archive.is_some()),
    ];
    let of_the_final = of_the_final.iter().filter(|_| !args.is_final());
    match given.iter().chain(of_the_final).find(|(_, is_given)| *is_given) {
        Some((name, _)) => {
            Err(misuse(format!("{name} has no meaning for a ladder, which keeps everything and has no end")))
        }
        None => Ok(()),
    }
}

fn options(args: &LadderArgs, common: &Common) -> Result<Options> {
    let arena = &args.arena;
    let mut plan = plan(&[], Format::Ladder, 2, arena, common);
    plan.games = 2;
    if arena.openings.is_none() {
        // From the start, two programs without lots would play the same two games for ever.
        plan.openings = format!("random:{}", common.geometry().side());
    }
    let limit = plan.move_seconds.get_or_insert(MOVE_TIME.as_secs_f64());
    let limit = Duration::try_from_secs_f64(*limit).unwrap_or(MOVE_TIME);
    let source: Source = plan.openings.parse().map_err(misuse)?;
    let openings = open_book(&mut plan, &source, common)?;
    let rules = arena.profile.map(crate::args::Profile::rules);
    let store = arena.store.clone().unwrap_or_else(|| args.folder.join(".turncoat/ladder.db"));
    Ok(Options {
        folder: args.folder.clone(),
        store,
        plan,
        openings,
        // Held to one CPU, programs are compared and not machines.
        hosting: Hosting { one_thread: true, ..arena.host.hosting(arena.profile) },
        yardsticks: if args.yardsticks.is_empty() { yardsticks(common.variant()) } else { args.yardsticks.clone() },
        test: TestRules { random: RANDOM_POSITIONS, limit, forbids_os: rules.is_some_and(|rules| rules.forbids_os) },
        games: arena.games,
        concurrency: arena.concurrency.map(usize::from),
        elsewhere: None,
        command: shell::join(std::env::args().collect::<Vec<_>>().iter().map(String::as_str)),
    })
}

/// The usual yardsticks of a game.
fn yardsticks(variant: VariantKind) -> Vec<String> {
    let classic = match variant {
        VariantKind::Reversed => "gene45:depth=2",
        VariantKind::Reversi => "six-stage:depth=2",
    };
    ["random", "greedy", classic, "turncoat:level=2", "turncoat:level=5", "turncoat:level=8"]
        .map(str::to_owned)
        .to_vec()
}

fn failure(error: LadderError) -> anyhow::Error {
    match error {
        LadderError::Store(error) => store_failure(error, None),
        LadderError::Folder { .. } | LadderError::Path(_) | LadderError::Yardstick(_) => misuse(error),
        error => anyhow::Error::new(error),
    }
}

/// What a terminal, a file or a program sees of a ladder.
struct View<'a> {
    common: &'a Common,
    live: indicatif::ProgressBar,
    last: RefCell<Last>,
}

/// What was shown last.
#[derive(Default)]
struct Last {
    table: (Vec<ContestRow>, u64),
    line: Option<Instant>,
}

impl View<'_> {
    fn tell(&self, event: Event) -> io::Result<()> {
        let mut last = self.last.borrow_mut();
        if let Event::Table { rows, games } = event {
            last.table = (rows, games);
            self.show_table(&mut last);
            return Ok(());
        }
        if self.common.json {
            return output::json(&event).map_err(io::Error::other);
        }
        if let Some(words) = self.words(&event).filter(|_| !self.common.quiet) {
            self.live.suspend(|| output::note(words));
        }
        Ok(())
    }

    fn show_table(&self, last: &mut Last) {
        let (rows, games) = &last.table;
        if !self.live.is_hidden() {
            self.live.set_message(format!("{}\n{games} games", contest(rows, LINES).trim_end()));
        } else if !self.common.json && !self.common.quiet {
            let is_due = last.line.is_none_or(|at| at.elapsed() >= BETWEEN_LINES);
            if is_due && *games > 0 {
                last.line = Some(Instant::now());
                let leader = rows.iter().find(|row| row.rank == Some(1)).map_or("nobody", |row| &row.title);
                let playing = rows.iter().filter(|row| row.state == ContestantState::Playing && !row.yardstick);
                let games = if *games == 1 { "1 game".to_owned() } else { format!("{games} games") };
                output::note(format_args!("{games}, {} programs play, {leader} leads", playing.count()));
            }
        }
    }

    /// An event in words; games are told only with `--verbose`, unless a fault ended them.
    fn words(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::Refused { player, words } => format!("{player}: not a player: {}", printable(words)),
            Event::Arrived { player, version } => format!("{player}: version {version} is tested ..."),
            Event::Tested { player, version, passed, report } => {
                let verb = if *passed { "passes" } else { "fails" };
                let mut text = format!("{player}: version {version} {verb} the test: {}", printable(&report.words));
                if let Some(case) = report.wrong.first().filter(|_| report.whole.end != "not-started") {
                    let complaints = printable(&case.complaints.join("; "));
                    text += &format!("\nCase {}: {complaints}\n", case.case);
                    if let Ok(position) = Position::parse(&case.position, self.common.geometry()) {
                        text += &BoardView::for_terminal().draw(position, None);
                    }
                    text += &format!("\n   expected  {}\n   answered  {}", case.expected, printable(&case.came));
                }
                text
            }
            Event::Enters { player, version } => format!("{player}: version {version} plays"),
            Event::Left { player } => format!("{player}: left the folder"),
            Event::Trouble { words } => format!("trouble: {}", printable(words)),
            Event::Game(game) if game.reason != "finished" || self.common.verbose => {
                format!("game {}: {} – {}: {}, {}", game.game, game.black, game.white, game.winner, game.reason)
            }
            Event::Game(_) | Event::Table { .. } => return None,
        })
    }
}
