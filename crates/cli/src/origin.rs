//! What a program was built from and for.

use std::fmt;

use turncoat_board::isa::Backend;

/// What a program was built from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Origin {
    /// The commit; `None` if that is not known.
    pub commit: Option<&'static str>,
    /// The day of the commit, as in 2026-11-16.
    pub date: Option<&'static str>,
}

impl Origin {
    /// The version of the program.
    pub(crate) const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    /// The system it was built for.
    pub(crate) fn system() -> String {
        format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
    }
}

/// Version, commit and date, instruction set, in lines.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commit = self.commit.unwrap_or("unknown");
        let date = self.date.map_or_else(String::new, |date| format!(", {date}"));
        writeln!(f, "{}", Self::VERSION)?;
        writeln!(f, "commit           {commit}{date}")?;
        write!(f, "instruction set  {} ({})", Backend::best().name(), Self::system())
    }
}
