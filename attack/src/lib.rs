//! Attacks on the binary, each with a seed and a length.
//!
//! - [`programs`]: hostile programs play a match. None may break out, and each ends as its header says.
//! - [`kills`]: runs are killed at random moments, and resumed. The result is that of an undisturbed run.
//! - [`corruptions`]: files are damaged. They are refused by name, or read as they were.
//! - [`inputs`]: mutated texts are fed to every parser.
//!
//! `cargo xtask attack` runs all of them, and bad requests to the server; the tests run a short form.
#![cfg(target_os = "linux")]

pub mod corruptions;
pub mod inputs;
pub mod kills;
pub mod programs;
pub mod target;

pub use target::Target;

/// What an attack found out.
#[derive(Debug, Default)]
pub struct Findings {
    /// How many times it was tried.
    pub tried: usize,
    /// What went wrong, one line each.
    pub wrong: Vec<String>,
}

impl Findings {
    /// Counts one try, and what went wrong in it; `tell` hears of both.
    fn add(&mut self, name: &str, result: anyhow::Result<()>, tell: Tell<'_>) {
        self.tried += 1;
        let fault = result.err().map(|fault| format!("{name}: {fault:#}"));
        tell(self.tried, fault.as_deref());
        self.wrong.extend(fault);
    }
}

/// Hears of each try by its number, and of its fault.
pub type Tell<'a> = &'a mut dyn FnMut(usize, Option<&str>);
