//! Where sources come from.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Digits of a commit that are shown.
const DIGITS: usize = 12;

/// What is known of a folder of sources.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) commit: Option<String>,
    /// As in 2026-11-16.
    pub(crate) date: Option<String>,
    /// The file that changes with every commit.
    pub(crate) log: Option<String>,
}

impl Origin {
    /// The origin of a folder, where a commit and a time that are given count more than what is found.
    pub(crate) fn new(folder: &Path, commit: Option<String>, epoch: Option<String>) -> Self {
        let date = epoch.and_then(|text| text.trim().parse().ok()).map(day);
        let found = if commit.is_some() { Self { commit, ..Self::default() } } else { Self::found(folder) };
        Self { date: date.or(found.date), ..found }
    }

    fn found(folder: &Path) -> Self {
        if let Ok(text) = fs::read_to_string(folder.join(".cargo_vcs_info.json")) {
            return Self { commit: packaged(&text), ..Self::default() };
        }
        git(folder).unwrap_or_default()
    }
}

/// The commit that cargo notes in a package.
fn packaged(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("\"sha1\"")?;
    let sha = rest.split('"').nth(1)?;
    let is_commit = sha.len() >= DIGITS && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| sha[..DIGITS].to_owned())
}

/// What git says; nothing if the folder is not in it, as when it was unpacked inside of other people's sources.
fn git(folder: &Path) -> Option<Origin> {
    let ask = |words: &[&str]| -> Option<String> {
        // Nothing is locked that a command of the user may want at this moment.
        let mut asked = Command::new("git");
        asked.arg("-C").arg(folder).args(words).env("GIT_OPTIONAL_LOCKS", "0").env("TZ", "UTC");
        let output = asked.output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim_end().to_owned())
    };
    ask(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let text = ask(&["log", "-1", "--format=%H %cd", "--date=format-local:%Y-%m-%d"])?;
    let (hash, date) = text.split_once(' ')?;
    let changed = ask(&["status", "--porcelain", "--untracked-files=no"])?;
    let changes = if changed.is_empty() { "" } else { " with changes" };
    let log = ask(&["rev-parse", "--git-path", "logs/HEAD"]).map(|path| folder.join(path));
    let log = log.filter(|path| path.is_file()).and_then(|path| Some(path.to_str()?.to_owned()));
    Some(Origin { commit: Some(format!("{}{changes}", hash.get(..DIGITS)?)), date: Some(date.to_owned()), log })
}

/// The day of a time in seconds since 1970, in UTC.
fn day(seconds: i64) -> String {
    // Years of this count begin in March, so that the leap day is the last; 400 of them have 146097 days.
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + i64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (-1, "1969-12-31"),
            (0, "1970-01-01"),
            (68_169_600, "1972-02-29"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_735_689_599, "2024-12-31"),
            (1_794_787_200, "2026-11-16"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day(seconds), expected);
        }
    }

    #[test]
    fn what_is_given_counts_most_and_nothing_is_made_up() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Origin::new(folder.path(), None, None), Origin::default());
        let given = Origin::new(folder.path(), Some("abc".to_owned()), Some("0".to_owned()));
        assert_eq!((given.commit.as_deref(), given.date.as_deref()), (Some("abc"), Some("1970-01-01")));
        let noted = "{\n  \"git\": {\n    \"sha1\": \"0123456789abcdef0123456789abcdef01234567\"\n  }\n}";
        fs::write(folder.path().join(".cargo_vcs_info.json"), noted).unwrap();
        assert_eq!(Origin::new(folder.path(), None, None).commit.as_deref(), Some("0123456789ab"));
        assert_eq!(packaged("{}"), None);
        assert_eq!(packaged("{\"sha1\": \"not a commit\"}"), None);
    }

    #[test]
    fn git_tells_the_commit_its_date_and_whether_it_was_changed() {
        let folder = tempfile::tempdir().unwrap();
        let git = |words: &[&str]| {
            let mut git = Command::new("git");
            git.arg("-C").arg(folder.path()).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(words);
            git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_COMMITTER_DATE", "2026-11-16T23:30:00-0200");
            assert!(git.output().unwrap().status.success(), "{words:?}");
        };
        let origin = || Origin::new(folder.path(), None, None);
        git(&["init"]);
        fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        assert_eq!(origin().commit, None);
        git(&["add", "."]);
        git(&["commit", "--message", "first"]);
        let clean = origin();
        assert_eq!(clean.commit.as_ref().map(String::len), Some(DIGITS));
        assert_eq!(clean.date.as_deref(), Some("2026-11-17"));
        assert!(clean.log.is_some());
        fs::write(folder.path().join("Cargo.toml"), "[package]").unwrap();
        assert_eq!(origin().commit, clean.commit.map(|commit| commit + " with changes"));
    }
}
