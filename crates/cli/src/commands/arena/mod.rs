//! `match` and `tournament`: from arguments to a run, and from its results to what is printed.

mod ending;
mod files;
mod keep;
mod printer;
mod resume;
mod terminal;

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use turncoat_arena::report::Report;
use turncoat_arena::runner::settle;
use turncoat_arena::{
    Contents, Control, Entrant, Format, Openings, OpeningsError, Plan, Results, Source, Store, StoreError, StoreFault,
};
use turncoat_host::programs::Program;
use turncoat_host::sandbox::Protection;
use turncoat_players::{Setting, Spec};

use self::files::OutputFiles;
use self::terminal::Terminal;
pub(super) use self::terminal::keep_faults_off_the_terminal;
use crate::args::{ArenaArgs, Common, MatchArgs, Points, Profile, TournamentArgs};
use crate::failure::misuse;
use crate::output;
use crate::view::table;

/// The most games of a match that a sequential test is to end.
const GAMES_OF_A_TEST: u64 = 20_000;

/// `match A B`
pub(super) fn run_match(args: &MatchArgs, common: &Common) -> Result<()> {
    if args.arena.show {
        return show(&args.arena, common, None);
    }
    let points = points_of(&args.arena, None);
    let players = parse([&args.a, &args.b].into_iter().flatten(), &args.arena)?;
    let usual = if args.sprt.is_some() { GAMES_OF_A_TEST } else { 100 };
    let mut plan = plan(&players, Format::Match, usual, &args.arena, common);
    plan.sprt = args.sprt;
    play(plan, &players, &args.arena, common, points)
}

/// `tournament A B C …`
pub(super) fn run_tournament(args: &TournamentArgs, common: &Common) -> Result<()> {
    if args.arena.show {
        return show(&args.arena, common, args.points);
    }
    let points = points_of(&args.arena, args.points);
    let format = if args.swiss.is_some() {
        Format::Swiss
    } else if args.ladder {
        Format::Ladder
    } else if args.gauntlet {
        Format::Gauntlet
    } else {
        Format::RoundRobin
    };
    let players = parse(args.players.iter(), &args.arena)?;
    let mut plan = plan(&players, format, 100, &args.arena, common);
    plan.games = args.swiss.map_or(plan.games, |rounds| 2 * rounds);
    play(plan, &players, &args.arena, common, points)
}

/// Parses the players once: the plan and all threads have the same parameters.
fn parse<'a>(players: impl Iterator<Item = &'a String>, args: &ArenaArgs) -> Result<Vec<Spec>> {
    let roster = args.host.roster(args.profile);
    players.map(|text| roster.parse(text).map_err(misuse)).collect()
}

fn points_of(args: &ArenaArgs, points: Option<Points>) -> Points {
    let usual = args.profile.map(|profile| profile.rules().points);
    points.or(usual).unwrap_or_default()
}

pub(super) fn plan(players: &[Spec], format: Format, games: u64, args: &ArenaArgs, common: &Common) -> Plan {
    let rules = args.profile.map(Profile::rules);
    let seconds = |time: Option<Duration>, usual: Option<Duration>| time.or(usual).map(|time| time.as_secs_f64());
    let usual_openings = if rules.is_some_and(|rules| rules.from_start) {
        Source::Random { plies: 0 }
    } else {
        Source::usual(common.geometry())
    };
    let openings = match args.openings.as_ref().unwrap_or(&usual_openings) {
        Source::Random { plies } => format!("random:{plies}"),
        Source::Balanced => "balanced".to_owned(),
        Source::Book { hundredths } => format!("balanced:{}", f64::from(*hundredths) / 100.0),
        Source::File(path) => path.display().to_string(),
    };
    Plan {
        format,
        players: players.iter().map(ToString::to_string).collect(),
        titles: Vec::new(),
        players_digests: players.iter().map(Spec::fingerprint).collect(),
        variant: common.variant(),
        size: common.geometry(),
        seed: common.seed(),
        games: args.games.or(rules.and_then(|rules| rules.games)).unwrap_or(games),
        openings,
        openings_digest: None,
        move_seconds: seconds(common.time, rules.map(|rules| rules.move_time)),
        game_seconds: seconds(args.clock, rules.and_then(|rules| rules.game_time)),
        increment_seconds: args.increment.map(|time| time.as_secs_f64()),
        grace_seconds: args.grace.unwrap_or(Control::GRACE).as_secs_f64(),
        depth: common.depth,
        sprt: None,
        memory: args.host.hosting(args.profile).memory,
        course_points: false,
    }
}

/// Checks everything that can be checked, then plays.
pub(super) fn play(mut plan: Plan, players: &[Spec], args: &ArenaArgs, common: &Common, points: Points) -> Result<()> {
    plan.course_points = points == Points::Course;
    if let (true, None, false, Some(path)) = (args.resume, args.games, plan.format == Format::Swiss, &args.store) {
        // As many as before.
        plan.games = Store::planned_games(path).map_err(|error| store_failure(error, None))?;
    }
    plan.check().map_err(misuse)?;
    let names = plan.names();
    let entrants = enter(players, &names, common.setting())?;
    prepare_hosting(players, args, common)?;
    note_assumptions(players, args, common);
    let source = match &args.openings {
        Some(source) => source.clone(),
        None => plan.openings.parse().map_err(misuse)?,
    };
    let openings = open_book(&mut plan, &source, common)?;
    let files = OutputFiles::check(args)?;
    let terminal = Terminal { names: &names, args, common, points };
    let mut results = Results::new(names.len());
    let store = terminal.open_store(&plan, &mut results)?;
    let arena = turncoat_arena::Arena { entrants, openings, control: plan.control() };
    terminal.play(&arena, &plan, results, store, &files)
}

fn enter(players: &[Spec], names: &[String], setting: Setting) -> Result<Vec<Entrant>> {
    let entered = players.iter().zip(names).enumerate();
    entered
        .map(|(index, (spec, name))| Entrant::from_spec(name.as_str(), spec, setting, index).map_err(misuse))
        .collect()
}

/// Makes the folder of logs, and says how programs are confined and what the platform of the profile would not like.
fn prepare_hosting(players: &[Spec], args: &ArenaArgs, common: &Common) -> Result<()> {
    if let Some(folder) = &args.host.logs {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    if common.quiet {
        return Ok(());
    }
    let hosting = args.host.hosting(args.profile);
    let programs: Vec<Program> =
        players.iter().filter_map(|spec| Program::parse(&spec.to_string(), &hosting)).collect();
    if !programs.is_empty() && !hosting.trust {
        output::note(Protection::new(&hosting).map_err(misuse)?.summary());
    }
    let forbids = args.profile.is_some_and(|profile| profile.rules().forbids_os);
    for program in programs.iter().filter(|_| forbids) {
        if let Some(line) = program.forbidden_imports().first() {
            output::note(format_args!("note: {program} imports os in line {line}, which the course forbids"));
        }
    }
    Ok(())
}

/// Says which programs nobody has told what to play.
fn note_assumptions(players: &[Spec], args: &ArenaArgs, common: &Common) {
    let hosting = args.host.hosting(args.profile);
    let programs = players.iter().filter_map(|spec| Program::parse(&spec.to_string(), &hosting));
    let notes: BTreeSet<String> = programs.filter_map(|program| program.assumption(common.variant())).collect();
    for note in notes.iter().filter(|_| !common.quiet) {
        output::note(format_args!("note: {note}"));
    }
}

/// The openings of a source; the plan notes what tells them apart.
pub(super) fn open_book(plan: &mut Plan, source: &Source, common: &Common) -> Result<Openings> {
    let openings = Openings::new(source, common.variant(), common.geometry(), common.seed());
    let openings = openings.map_err(|error| match error {
        // As text, since it names its cause itself.
        OpeningsError::Unreadable { .. } => anyhow!("{error}"),
        _ => misuse(error),
    })?;
    plan.openings_digest = openings.digest();
    if let Some(count) = openings.count().filter(|&count| count < plan.games / 2)
        && !common.quiet
    {
        let pairs = plan.games / 2;
        output::note(format_args!(
            "note: {} has {count} different openings for {pairs} pairs of games, so they repeat{}",
            plan.openings,
            if plan.sprt.is_some() {
                ", and the test counts the repeated games of deterministic players as new ones"
            } else {
                ""
            }
        ));
    }
    Ok(openings)
}

/// `--show`: what is in a store.
fn show(args: &ArenaArgs, common: &Common, points: Option<Points>) -> Result<()> {
    let path = args.store.as_ref().context("the store is missing")?;
    let files = OutputFiles::check(args)?;
    let Contents { plan, games, .. } = Store::read(path).map_err(|error| store_failure(error, None))?;
    refuse_for_show(&plan, common)?;
    let points = points.unwrap_or(if plan.course_points { Points::Course } else { Points::Standard });
    let names = plan.names();
    let mut results = Results::new(names.len());
    for game in games {
        results.add(game);
    }
    let mut games: Vec<String> = Vec::new();
    let decided = settle(&mut results, plan.sprt.as_ref(), &mut |results| {
        if let Some(game) = results.games().last().filter(|_| common.json) {
            games.push(output::json_text(&game.object(&names))?);
        }
        Ok(())
    })?;
    let complete = decided.is_some() || results.games().len() as u64 == plan.total();
    let report = Report { plan: &plan, names: &names, results: &results, complete };
    files.write(&report)?;
    for game in games {
        output::line(game)?;
    }
    summarise(&report, common, points)
}

/// Refuses options that would change games which have been played already.
fn refuse_for_show(plan: &Plan, common: &Common) -> Result<()> {
    for (option, given) in [("--time", common.time.is_some()), ("--depth", common.depth.is_some())] {
        if given {
            return Err(misuse(format!("--show plays no games: {option} has no meaning")));
        }
    }
    let given = [
        ("--variant", common.variant.map(|variant| variant.name().to_owned()), plan.variant.name().to_owned()),
        ("--size", common.size.map(|size| size.side().to_string()), plan.size.side().to_string()),
        ("--seed", common.seed.map(|seed| seed.to_string()), plan.seed.to_string()),
    ];
    for (option, given, stored) in given {
        if let Some(given) = given.filter(|given| *given != stored) {
            return Err(misuse(format!("{option} {given}: the run in the store has {stored}")));
        }
    }
    Ok(())
}

/// Prints the result.
fn summarise(report: &Report<'_>, common: &Common, points: Points) -> Result<()> {
    let is_match = report.plan.format == Format::Match;
    if common.json && is_match {
        return output::json(&report.match_summary());
    }
    if common.json {
        return output::json(&report.tournament_summary());
    }
    let text = if is_match { table::of_match(report) } else { table::of_tournament(report, points) };
    output::line(text.trim_end())
}

/// An error of the store as a failure or a misuse, with what to do about it.
pub(super) fn store_failure(error: StoreError, resume: Option<&str>) -> anyhow::Error {
    match &error.fault {
        StoreFault::Exists
        | StoreFault::Missing
        | StoreFault::Folder
        | StoreFault::Foreign
        | StoreFault::Format(_)
        | StoreFault::OtherRun { .. }
        | StoreFault::Changed { .. } => misuse(error),
        StoreFault::Full | StoreFault::Sqlite(_) | StoreFault::Io(_) => match resume {
            Some(command) => anyhow!(
                "{error}\nThe run has ended because games can no longer be stored; those stored before are \
                 safe. To resume when there is space:\n  {command}"
            ),
            None => anyhow::Error::new(error),
        },
        _ => anyhow::Error::new(error),
    }
}
