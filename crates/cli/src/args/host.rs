//! Arguments about foreign programs, and the profiles of platforms.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use turncoat_host::Hosting;
use turncoat_players::Roster;

use super::Points;

/// How foreign programs are treated.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Foreign programs")]
pub(crate) struct HostArgs {
    /// Run foreign programs without a sandbox: they can do anything you can
    #[arg(long)]
    pub(crate) trust: bool,
    /// Megabytes that a foreign program may use beyond what it holds after its start
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) memory: Option<u32>,
    /// Log what foreign programs print to this folder, one file per game
    #[arg(long, value_name = "FOLDER")]
    pub(crate) logs: Option<PathBuf>,
}

impl HostArgs {
    /// What foreign programs may use under this profile.
    pub(crate) fn hosting(&self, profile: Option<Profile>) -> Hosting {
        let memory = self.memory.or(profile.and_then(|profile| profile.rules().megabytes));
        Hosting {
            trust: self.trust,
            memory: memory.map(|megabytes| u64::from(megabytes) * 1_000_000),
            one_thread: profile.is_some_and(|profile| profile.rules().one_thread),
            logs: self.logs.clone(),
            ..Hosting::default()
        }
    }

    /// Everyone who can play: the built-in players, and programs under this profile.
    pub(crate) fn roster(&self, profile: Option<Profile>) -> Roster {
        Roster::default().with_programs(self.hosting(profile))
    }
}

/// Defaults that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// The course: 2 games from the start, 5 s a move, 180 s a game, 100 MB, one thread, points +5, 0, -5
    Course,
    /// Botzone: 2 games from the start, 1 s a move, 256 MB
    Botzone,
    /// Many games in a short time: 100 ms a move
    Fast,
}

/// The rules of a profile; `None` means the usual default.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) games: Option<u64>,
    pub(crate) from_start: bool,
    pub(crate) move_time: Duration,
    pub(crate) game_time: Option<Duration>,
    pub(crate) megabytes: Option<u32>,
    pub(crate) one_thread: bool,
    pub(crate) points: Points,
    /// Whether the course forbids some imports.
    pub(crate) forbids_os: bool,
}

impl Profile {
    /// What it stands for.
    pub(crate) const fn rules(self) -> Rules {
        match self {
            Self::Course => Rules {
                games: Some(2),
                from_start: true,
                move_time: Duration::from_secs(5),
                game_time: Some(Duration::from_mins(3)),
                megabytes: Some(100),
                one_thread: true,
                points: Points::Course,
                forbids_os: true,
            },
            Self::Botzone => Rules {
                games: Some(2),
                from_start: true,
                move_time: Duration::from_secs(1),
                game_time: None,
                megabytes: Some(256),
                one_thread: false,
                points: Points::Standard,
                forbids_os: false,
            },
            Self::Fast => Rules {
                games: None,
                from_start: false,
                move_time: Duration::from_millis(100),
                game_time: None,
                megabytes: None,
                one_thread: false,
                points: Points::Standard,
                forbids_os: false,
            },
        }
    }
}
