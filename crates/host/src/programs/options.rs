//! Options of a program: what stands after its file or command, as `,key=value`.

use super::Protocol;

/// What a player's text says besides the file or the command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ProgramOptions {
    /// The folder that it is shown, besides its own file.
    pub(super) folder: Option<String>,
    /// The Python that runs the course's class, by its name on the path.
    pub(super) python: Option<String>,
    /// The depth that an engine of NBoard is told.
    pub(super) depth: Option<u32>,
    /// The level that a GTP engine is told.
    pub(super) level: Option<u32>,
    /// The first option that is wrong, and why.
    wrong: Option<String>,
}

impl ProgramOptions {
    /// The file or command of a player's text, and the options at its end. What is no option, or is quoted, belongs to
    /// the command.
    pub(super) fn split_off(text: &str) -> (&str, Self) {
        let (mut rest, mut options) = (text, Self::default());
        while let Some((before, last)) = rest.rsplit_once(',')
            && let Some((key, value)) = last.trim().split_once('=')
            && !value.contains(['"', '\''])
            && options.set(key, value)
        {
            rest = before;
        }
        (rest, options)
    }

    /// Sets an option; whether there is one of this name and such a value.
    fn set(&mut self, key: &str, value: &str) -> bool {
        let place = match key {
            "folder" => return set_once(&mut self.folder, value),
            "python" => return set_once(&mut self.python, value),
            "depth" => &mut self.depth,
            "level" => &mut self.level,
            _ => return false,
        };
        match value.parse() {
            _ if value.contains(' ') => return false,
            Ok(_) if place.is_some() => self.wrong = Some(format!("option {key:?} is given twice")),
            Ok(number) => *place = Some(number),
            Err(error) => self.wrong = Some(format!("{key}={value}: {error}")),
        }
        true
    }

    /// The options but the folder, as they are written.
    pub(super) fn others(&self) -> impl Iterator<Item = (&'static str, String)> {
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let all = [("python", self.python.clone()), ("depth", number(self.depth)), ("level", number(self.level))];
        all.into_iter().filter_map(|(key, value)| Some((key, value?)))
    }

    /// Checks that all options are right, and that the protocol has a word for them.
    pub(super) fn check(&self, protocol: Protocol) -> Result<(), String> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        let given = [
            ("depth", self.depth.is_some(), Protocol::Nboard),
            ("level", self.level.is_some(), Protocol::Gtp),
            ("python", self.python.is_some(), Protocol::Course),
        ];
        match given.iter().find(|(_, is_given, of)| *is_given && *of != protocol) {
            Some((key, ..)) => Err(format!("{} has no word for {key}", protocol.name())),
            None => Ok(()),
        }
    }
}

/// Sets a text that is not set yet; whether it was not.
fn set_once(place: &mut Option<String>, value: &str) -> bool {
    let is_new = place.is_none();
    if is_new {
        *place = Some(value.to_owned());
    }
    is_new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_at_the_end_and_the_rest_is_the_command() {
        let split = ProgramOptions::split_off;
        let depth = |depth| ProgramOptions { depth: Some(depth), ..ProgramOptions::default() };
        assert_eq!(split("ntest x,depth=17"), ("ntest x", depth(17)));
        assert_eq!(split("./e --set a=1,b=2, depth=3"), ("./e --set a=1,b=2", depth(3)));
        for whole in ["./e --set a=1,b=2", "e 'a,depth=3'", "e \"a,depth=3\"", "a,b.py", "e --x=1,depth=3 y"] {
            assert_eq!(split(whole), (whole, ProgramOptions::default()));
        }
        let (command, both) = split("./ntest x,folder=my engine,depth=3");
        assert_eq!((command, both.folder.as_deref(), both.depth), ("./ntest x", Some("my engine"), Some(3)));
        let (file, chosen) = split("ai.py,python=python3.11,folder=a");
        assert_eq!(
            (file, chosen.python.as_deref(), chosen.folder.as_deref()),
            ("ai.py", Some("python3.11"), Some("a"))
        );
        assert_eq!(chosen.check(Protocol::Line).unwrap_err(), "line has no word for python");
        let (file, first) = split("a,folder=b/ai.py,folder=a");
        assert_eq!((file, first.folder.as_deref()), ("a,folder=b/ai.py", Some("a")), "what was set last stays");
        let twice = split("e,depth=3,depth=4").1;
        assert!(twice.check(Protocol::Nboard).unwrap_err().contains("given twice"));
        assert!(split("e,depth=").1.check(Protocol::Nboard).unwrap_err().starts_with("depth=: "));
        assert!(depth(3).check(Protocol::Nboard).is_ok());
        assert_eq!(depth(3).check(Protocol::Gtp).unwrap_err(), "gtp has no word for depth");
    }
}
