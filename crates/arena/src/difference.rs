//! Where two plans differ, in the words of the command line.

use serde_json::Value;

use crate::plan::{Plan, PlanError};

/// The values of a plan by which runs differ, with what people call them: what they most likely meant comes first, since
/// other values follow from it.
const NAMES: [(&str, &str); 14] = [
    ("format", "the kind of run"),
    ("players", "the players"),
    ("players_digests", FILES_OF_PLAYERS),
    ("variant", "--variant"),
    ("size", "--size"),
    ("seed", "--seed"),
    ("move_seconds", "--time"),
    ("game_seconds", "--clock"),
    ("increment_seconds", "--increment"),
    ("grace_seconds", "--grace"),
    ("depth", "--depth"),
    ("sprt", "--sprt"),
    ("memory", "--memory"),
    ("openings", "--openings"),
];

/// What differs where players are written the same but their files are not.
pub(crate) const FILES_OF_PLAYERS: &str = "the files of the players";

/// Where a plan differs from another one, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What differs: an option of the command line, if there is one.
    pub what: &'static str,
    /// What the plan has.
    pub ours: String,
    /// What the other one has.
    pub theirs: String,
}

impl Plan {
    /// The first difference from the plan of a run that this one is to continue. It may have more games, and count
    /// points in another way.
    ///
    /// # Errors
    /// If one of the plans cannot be written.
    pub fn difference(&self, other: &Self) -> Result<Option<Difference>, PlanError> {
        let (ours, theirs) = (self.values()?, other.values()?);
        let listed = self.openings_digest.is_some() && other.openings_digest.is_some();
        let told = |what, name: &str| {
            let [ours, theirs] = [&ours, &theirs].map(|values| words(name, values.get(name).unwrap_or(&Value::Null)));
            Ok(Some(Difference { what, ours, theirs }))
        };
        for (name, what) in NAMES {
            // The same file may be called by another path: its digest is what counts.
            if ours.get(name) != theirs.get(name) && !(name == "openings" && listed) {
                return told(what, name);
            }
        }
        if self.openings_digest != other.openings_digest {
            return told("--openings", "openings_digest");
        }
        if self.games < other.games {
            return told("--games", "games");
        }
        Ok(None)
    }
}

/// A value of a plan for people.
fn words(name: &str, value: &Value) -> String {
    let pair = |(key, value): (&String, &Value)| format!("{key}={value}");
    match value {
        Value::Null => "none".to_owned(),
        Value::String(digest) if name == "openings_digest" => format!("a list with the checksum {digest}"),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(|item| words(name, item)).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields.iter().map(pair).collect::<Vec<_>>().join(","),
        value if name.ends_with("seconds") => format!("{value} s"),
        value if name == "memory" => format!("{} MB", value.as_u64().unwrap_or_default() / 1_000_000),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan;

    fn difference(ours: &Plan, theirs: &Plan) -> Option<(&'static str, String, String)> {
        let found = ours.difference(theirs).unwrap();
        found.map(|Difference { what, ours, theirs }| (what, ours, theirs))
    }

    #[test]
    fn differences_are_named_as_on_the_command_line() {
        let ours = plan(&["greedy", "random"], 20);
        assert_eq!(difference(&ours, &Plan { games: 10, course_points: true, ..ours.clone() }), None);
        let size = turncoat_board::Geometry::from_side(6).unwrap();
        for (theirs, what, here, there) in [
            (Plan { games: 30, ..ours.clone() }, "--games", "20", "30"),
            (Plan { seed: 3, ..ours.clone() }, "--seed", "18446744073709551615", "3"),
            // The usual openings follow from the size.
            (Plan { size, openings: "random:6".to_owned(), ..ours.clone() }, "--size", "8", "6"),
            (Plan { move_seconds: None, ..ours.clone() }, "--time", "0.1 s", "none"),
            (Plan { memory: Some(5_000_000), ..ours.clone() }, "--memory", "none", "5 MB"),
            (Plan { sprt: None, ..ours.clone() }, "--sprt", "alpha=0.05,beta=0.05,elo0=0.0,elo1=10.0", "none"),
            (plan(&["greedy", "gene45"], 20), "the players", "greedy, random", "greedy, gene45"),
        ] {
            assert_eq!(difference(&ours, &theirs), Some((what, here.to_owned(), there.to_owned())));
        }
    }

    #[test]
    fn every_value_that_games_depend_on_has_a_name() {
        let free = ["games", "course_points", "openings_digest"];
        for name in plan(&["greedy", "random"], 2).values().unwrap().keys() {
            assert!(free.contains(&name.as_str()) || NAMES.iter().any(|(known, _)| known == name), "{name}");
        }
    }
}
