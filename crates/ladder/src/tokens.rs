//! Tokens of programs: whoever bears one sees what that program printed.
//!
//! They are kept in one file beside the store, hashed, a line each: the hash, a space, the player's name in the folder. The
//! tokens themselves are shown once, when they are made.

use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};
use turncoat_util::{read_bounded, replace_file};

/// The most bytes of the file.
const LONGEST: u64 = 1 << 20;

fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whose token this is, by the player's name in the folder; `None` if it is nobody's.
pub fn bearer(file: &Path, token: &str) -> Option<String> {
    // What is compared is a hash: where it differs tells nothing about a token.
    let hash = hash(token.trim());
    let text = read(file).ok()?;
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(known, _)| *known == hash).map(|(_, name)| name.to_owned())
}

/// Sets the token of a player in place of an older one.
///
/// # Errors
/// If the file cannot be read or written, or the name has a line end in it.
pub fn set(file: &Path, name: &str, token: &str) -> io::Result<()> {
    if name.contains(['\n', '\r']) {
        return Err(io::Error::other("a name with a line end in it cannot have a token"));
    }
    let others = read(file)?;
    let others = others.lines().filter(|line| line.split_once(' ').is_none_or(|(_, known)| known != name));
    let mut text: String = others.map(|line| format!("{line}\n")).collect();
    text += &format!("{} {name}\n", hash(token));
    replace_file(file, text.as_bytes())
}

fn read(file: &Path) -> io::Result<String> {
    match fs::File::open(file) {
        Ok(file) => Ok(String::from_utf8_lossy(&read_bounded(file, LONGEST)?).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_player_and_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens");
        assert_eq!(bearer(&file, "x"), None);
        set(&file, "li", "secret of li").unwrap();
        set(&file, "a b.py", "another").unwrap();
        assert_eq!(bearer(&file, "secret of li").as_deref(), Some("li"));
        assert_eq!(bearer(&file, "another").as_deref(), Some("a b.py"));
        assert_eq!(bearer(&file, "li"), None);
        set(&file, "li", "renewed").unwrap();
        assert_eq!((bearer(&file, "secret of li"), bearer(&file, "renewed").is_some()), (None, true));
        assert!(!fs::read_to_string(&file).unwrap().contains("renewed"));
        assert!(set(&file, "a\nb", "x").is_err());
    }
}
