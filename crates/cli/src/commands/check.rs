//! `check`: the usability test of a foreign program.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;
use turncoat_host::Hosting;
use turncoat_host::check::{Case, End, Subject, Test, Verdict, check};
use turncoat_host::sandbox::Protection;
use turncoat_ladder::report;
use turncoat_util::printable;

use super::signals;
use crate::args::{Common, HostArgs, Profile};
use crate::failure::{misuse, told};
use crate::output;
use crate::view::board::BoardView;
use crate::view::live::status_line;

/// `check`
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The program: py:FILE, line:COMMAND, gtp:COMMAND, nboard:COMMAND or botzone:COMMAND; a path alone is a py:FILE
    #[arg(value_name = "BOT", required_unless_present = "sandbox")]
    bot: Option<String>,
    /// Say which protection from foreign programs is in force on this machine, and test nothing
    #[arg(long, conflicts_with_all = ["bot", "trust"])]
    sandbox: bool,
    /// Random positions besides the ten fixed ones
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(..=100_000))]
    random: u64,
    /// Show every case, and continue after a fault that is likely to repeat
    #[arg(long)]
    all: bool,
    /// The platform whose limits apply
    #[arg(long, value_enum, value_name = "NAME", default_value = "course")]
    profile: Profile,
    #[command(flatten)]
    host: HostArgs,
}

/// The program that is meant: a player's text, or the path of a Python file.
fn subject(bot: &str, hosting: &Hosting) -> Result<Subject> {
    let is_python = Path::new(bot).extension().is_some_and(|end| end == "py");
    match Subject::parse(bot, hosting) {
        Ok(Subject::BuiltIn(_)) | Err(_) if is_python => Subject::parse(&format!("py:{bot}"), hosting),
        subject => subject,
    }
    .map_err(misuse)
}

pub(super) fn run(args: &CheckArgs, common: &Common) -> Result<()> {
    let hosting = args.host.hosting(Some(args.profile));
    let Some(bot) = &args.bot else {
        return protection(&args.host.hosting(None), common);
    };
    let subject = subject(bot, &hosting)?;
    let rules = args.profile.rules();
    let test = Test {
        random: args.random,
        seed: common.seed(),
        limit: common.time.unwrap_or(rules.move_time),
        forbids_os: rules.forbids_os,
        all: args.all,
        stop: signals::stop_flag().context("cannot handle signals")?,
    };
    if let Some(note) = subject.assumption(common.variant()).filter(|_| !common.quiet) {
        output::note(format_args!("note: {note}"));
    }
    let status = status_line(!common.quiet && !common.json);
    let starting = match subject.start_limit() {
        Some(limit) => format!("starting {subject}, at most {} s ...", limit.as_secs()),
        None => format!("starting {subject} ..."),
    };
    // A start may take minutes, also where there is no terminal to show it in.
    if status.is_hidden() && !common.quiet {
        output::note(&starting);
    }
    status.set_message(starting);
    let mut cases = Vec::new();
    let mut printed = Ok(());
    let checked = check(&subject, common.setting(), &test, &mut |case| {
        status.set_message(format!("{subject}: {} of at most {} positions tried ...", case.number, test.positions()));
        if common.json && printed.is_ok() {
            printed = output::json(&report::case(case));
        }
        cases.push(case.clone());
    });
    status.finish_and_clear();
    let verdict = checked.map_err(misuse)?;
    printed?;
    let outcome = verdict.outcome(&subject, test.positions(), &cases);
    if common.json {
        output::json(&report::summary(&verdict))?;
    } else {
        output::line(outcome.as_str())?;
        if !common.quiet {
            show(args, &verdict, &cases, common)?;
            measured(&verdict, &test, subject.confinement())?;
        }
    }
    match verdict.end {
        _ if verdict.is_good() => Ok(()),
        _ if common.json => bail!(outcome),
        _ => Err(told()),
    }
}

/// `--sandbox`: what protects this machine.
fn protection(hosting: &Hosting, common: &Common) -> Result<()> {
    let protection = Protection::new(hosting).map_err(misuse)?;
    if common.json {
        let object: BTreeMap<_, _> = protection.lines().iter().map(|line| (line.topic, &line.text)).collect();
        return output::json(&object);
    }
    protection.lines().iter().try_for_each(|line| output::line(format_args!("{:<16} {}", line.topic, line.text)))
}

/// All cases, or the first wrong one with its board. A program that does not start fails in no position.
fn show(args: &CheckArgs, verdict: &Verdict, cases: &[Case], common: &Common) -> Result<()> {
    if verdict.end == End::NotStarted {
        let mut complaints = cases.iter().flat_map(|case| &case.complaints);
        return complaints.try_for_each(|complaint| output::line(printable(complaint)));
    }
    if args.all || common.verbose {
        return cases.iter().try_for_each(|case| row(case, common));
    }
    let mut wrong = cases.iter().filter(|case| !case.complaints.is_empty());
    let Some(first) = wrong.next() else {
        return Ok(());
    };
    output::line(format_args!(
        "\nCase {}, {} to move: {}",
        first.number,
        first.position.side(),
        printable(&first.complaints.join("; "))
    ))?;
    output::line(BoardView::for_terminal().draw(first.position, None))?;
    answer(first, "   ")?;
    output::line("")?;
    match wrong.count() {
        0 => Ok(()),
        more => output::line(format_args!("{more} more cases are wrong; --all shows them.")),
    }
}

/// A case in a line, with details if it is wrong.
fn row(case: &Case, common: &Common) -> Result<()> {
    let ok = case.complaints.is_empty();
    let moves = case.position.legal_moves().count();
    let interrupted = if case.interrupted { ", interrupted" } else { "" };
    let indent = " ".repeat(9);
    output::line(format_args!(
        "case {:>2}  {:<5}  {moves:>2} moves  {:.3} s{interrupted}  {}",
        case.number,
        case.position.side(),
        case.took.as_secs_f64(),
        if ok { "right" } else { "WRONG" }
    ))?;
    if ok && !common.verbose {
        return Ok(());
    }
    for complaint in &case.complaints {
        output::line(format_args!("{indent}{}", printable(complaint)))?;
    }
    output::line(format_args!("{indent}position  {}", case.position))?;
    answer(case, &indent)
}

fn answer(case: &Case, indent: &str) -> Result<()> {
    output::line(format_args!("{indent}expected  {}", case.expected))?;
    output::line(format_args!("{indent}answered  {}", printable(&case.came)))
}

/// What the test has measured, and where the program ran.
fn measured(verdict: &Verdict, test: &Test, confinement: &str) -> Result<()> {
    if verdict.start_up.is_zero() {
        return output::line(format_args!("run {confinement}"));
    }
    if verdict.left_out > 0 {
        output::line(format_args!(
            "{} positions without a move were skipped: only the course's class is asked there",
            verdict.left_out
        ))?;
    }
    output::line(format_args!(
        "start {:.2} s, slowest move {:.3} s of {} s, memory {:.1} MB beyond the start; run {confinement}",
        verdict.start_up.as_secs_f64(),
        verdict.slowest.as_secs_f64(),
        test.limit.as_secs_f64(),
        verdict.memory as f64 / 1e6,
    ))
}
