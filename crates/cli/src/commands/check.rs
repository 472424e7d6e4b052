//! `check`: the usability test of a foreign program.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use turncoat_host::check::{Case, Test, Verdict, check, confinement};
use turncoat_host::players::is_foreign;
use turncoat_players::Spec;

use super::signals;
use crate::args::{Common, HostArgs, Profile};
use crate::failure::misuse;
use crate::output;

/// `check`
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The program: py:FILE, line:COMMAND, gtp:COMMAND, nboard:COMMAND or botzone:COMMAND; a path alone is a py:FILE
    #[arg(value_name = "BOT")]
    bot: String,
    /// Random positions beside the ten fixed ones
    #[arg(long, value_name = "N", default_value_t = 20)]
    random: u64,
    /// Whose limits hold
    #[arg(long, value_enum, value_name = "NAME", default_value = "course")]
    profile: Profile,
    #[command(flatten)]
    host: HostArgs,
}

/// The JSON object of a case.
#[derive(Serialize)]
struct CaseObject<'a> {
    case: usize,
    position: String,
    ok: bool,
    seconds: f64,
    interrupted: bool,
    expected: &'a str,
    came: &'a str,
    complaints: &'a [String],
}

/// The JSON object of the whole test.
#[derive(Serialize)]
struct Whole {
    summary: bool,
    cases: usize,
    /// Positions without a move, where only the course's class is asked.
    left_out: usize,
    passed: usize,
    ok: bool,
    start_seconds: f64,
    slowest_seconds: f64,
    memory_megabytes: f64,
    forbidden_imports: Vec<usize>,
}

/// The program that is meant: a player's description, or the path of a Python file.
fn spec(bot: &str) -> Result<Spec> {
    let given = bot.parse::<Spec>();
    let is_python = Path::new(bot).extension().is_some_and(|end| end == "py");
    if is_python && !given.as_ref().is_ok_and(is_foreign) {
        return format!("py:{bot}").parse().map_err(misuse);
    }
    given.map_err(misuse)
}

pub(super) fn run(args: &CheckArgs, common: &Common) -> Result<()> {
    let spec = spec(&args.bot)?;
    let hosting = args.host.hosting(Some(args.profile));
    let rules = args.profile.rules();
    let test = Test {
        random: args.random,
        seed: common.seed,
        limit: common.time.unwrap_or(rules.move_time),
        forbids_os: rules.forbids_os,
        stop: signals::stop_flag().context("signals cannot be watched for")?,
    };
    if !common.quiet && is_foreign(&spec) {
        let _ = writeln!(io::stderr(), "starting {spec} ...");
    }
    let mut printed = Ok(());
    let verdict = check(&spec, common.setting(), &hosting, &test, &mut |case| {
        if printed.is_ok() {
            printed = show(case, test.limit, common);
        }
    })
    .map_err(misuse)?;
    printed?;
    conclude(&spec, &verdict, &test, confinement(&spec, &hosting), common)?;
    if verdict.stopped {
        bail!("the test of {spec} was interrupted");
    }
    if !verdict.starts {
        bail!("{spec} fails the test: it does not start, so nothing else was tried");
    }
    if !verdict.is_good() {
        bail!(
            "{spec} fails the test: {} of {} cases are right{}",
            verdict.passed,
            verdict.cases,
            if verdict.forbidden.is_empty() {
                ""
            } else {
                ", and it imports os"
            }
        );
    }
    Ok(())
}

fn show(case: &Case, limit: Duration, common: &Common) -> Result<()> {
    let ok = case.complaints.is_empty();
    if common.json {
        return output::json(&CaseObject {
            case: case.number,
            position: case.position.to_string(),
            ok,
            seconds: case.took.as_secs_f64(),
            interrupted: case.interrupted,
            expected: &case.expected,
            came: &case.came,
            complaints: &case.complaints,
        });
    }
    if common.quiet && ok {
        return Ok(());
    }
    let moves = case.position.legal_moves().count();
    let interrupted = if case.interrupted {
        format!(", interrupted after {} s", limit.as_secs_f64())
    } else {
        String::new()
    };
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
        output::line(format_args!("         {complaint}"))?;
    }
    output::line(format_args!("         position  {}", case.position))?;
    output::line(format_args!("         expected  {}", case.expected))?;
    output::line(format_args!("         came      {}", case.came))
}

fn conclude(
    spec: &Spec,
    verdict: &Verdict,
    test: &Test,
    confinement: &str,
    common: &Common,
) -> Result<()> {
    let megabytes = verdict.memory as f64 / 1e6;
    if common.json {
        return output::json(&Whole {
            summary: true,
            cases: verdict.cases,
            left_out: verdict.left_out,
            passed: verdict.passed,
            ok: verdict.is_good(),
            start_seconds: verdict.start_up.as_secs_f64(),
            slowest_seconds: verdict.slowest.as_secs_f64(),
            memory_megabytes: megabytes,
            forbidden_imports: verdict.forbidden.clone(),
        });
    }
    for line in &verdict.forbidden {
        output::line(format_args!(
            "line {line} imports os, which the course forbids"
        ))?;
    }
    if verdict.left_out > 0 {
        output::line(format_args!(
            "{} positions without a move were left out: only the course's class is asked there",
            verdict.left_out
        ))?;
    }
    output::line(format_args!(
        "{spec}: {} of {} right; start {:.2} s, slowest move {:.3} s of {} s, memory {megabytes:.1} MB beyond the \
         start; run {confinement}",
        verdict.passed,
        verdict.cases,
        verdict.start_up.as_secs_f64(),
        verdict.slowest.as_secs_f64(),
        test.limit.as_secs_f64(),
    ))
}
