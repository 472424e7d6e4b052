//! The token: a secret that whoever may use the server has.

use std::fmt;
use std::hint::black_box;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

/// The bytes of chance in a new token.
const CHANCE: usize = 16;
/// The shortest token that is accepted from a user: a guess a second finds it in no lifetime.
const SHORTEST: usize = 16;
/// The longest.
const LONGEST: usize = 256;

/// A secret of letters, digits, `-`, `_` and `.`, which need no escape in an address, a header or a cookie.
#[derive(Clone)]
pub struct Token(Arc<str>);

impl Token {
    /// A new token that nobody can guess.
    ///
    /// # Errors
    /// [`TokenError::Chance`] if the system has no random numbers.
    pub fn random() -> Result<Self, TokenError> {
        let mut bytes = [0; CHANCE];
        getrandom::fill(&mut bytes).map_err(|error| TokenError::Chance(error.to_string()))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()))
    }

    /// Whether this is the token. How long that takes does not depend on where the two differ.
    pub(crate) fn matches(&self, given: &str) -> bool {
        let differences = self.0.bytes().zip(given.bytes()).fold(0, |all, (own, other)| black_box(all | (own ^ other)));
        differences == 0 && self.0.len() == given.len()
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let is_plain = |found: char| found.is_ascii_alphanumeric() || "-_.".contains(found);
        if let Some((place, found)) = text.chars().enumerate().find(|&(_, found)| !is_plain(found)) {
            return Err(TokenError::Character { found, character: place + 1 });
        }
        if !(SHORTEST..=LONGEST).contains(&text.len()) {
            return Err(TokenError::Length { found: text.len() });
        }
        Ok(Self(text.into()))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Keeps the secret out of logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// Why there is no token.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TokenError {
    /// It is too short to be a secret, or too long for a header.
    #[error("a token has {SHORTEST} to {LONGEST} characters, not {found}")]
    Length {
        /// Its length.
        found: usize,
    },
    /// A character would need an escape.
    #[error("character {character}: a token has letters, digits, '-', '_' and '.', not {found:?}")]
    Character {
        /// The character.
        found: char,
        /// Its place, from one.
        character: usize,
    },
    /// There are no random numbers.
    #[error("the system has no random numbers for a token: {0}")]
    Chance(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_itself_matches() {
        let token: Token = "0123456789abcdef".parse().unwrap();
        assert!(token.matches("0123456789abcdef"));
        for other in ["", "0", "0123456789abcdeF", "0123456789abcdef0", "1123456789abcdef"] {
            assert!(!token.matches(other), "{other}");
        }
        assert!(!format!("{token:?}").contains("0123"));
    }

    #[test]
    fn new_tokens_differ_and_are_read_back() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert!(!one.matches(&other.to_string()));
        assert!(one.to_string().parse::<Token>().unwrap().matches(&one.to_string()));
    }

    #[test]
    fn what_is_no_token_is_refused_with_its_place() {
        let refused = |text: &str| text.parse::<Token>().unwrap_err();
        assert_eq!(refused("short"), TokenError::Length { found: 5 });
        assert_eq!(refused("0123456789abc;ef"), TokenError::Character { found: ';', character: 14 });
    }
}
