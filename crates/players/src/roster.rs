//! Who can play: the built-in players, and programs if there is a provider.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::options::Files;
use crate::registry::kinds;
use crate::spec::split;
use crate::{BuildError, FilePlayer, Kind, OptionHelp, Options, Player, PlayerFolder, Setting, Spec, SpecError};

/// The longest text of a player, in bytes.
const LONGEST: usize = 4096;

/// Everyone who can play. The default knows the built-in players alone.
///
/// ```
/// use turncoat_players::Roster;
///
/// let roster = Roster::default().with_options(&["level"]);
/// assert!(roster.parse("turncoat:level=3").is_ok());
/// let error = roster.parse("turncoat:hash=4096").unwrap_err();
/// assert_eq!(error.to_string(), "the option \"hash\" cannot be set here");
/// ```
#[derive(Clone, Default)]
pub struct Roster {
    programs: Option<Arc<dyn Programs>>,
    files: Arc<Files>,
    /// Whether no other files are read.
    is_sealed: bool,
    /// Players that are files.
    folder: Option<Arc<PlayerFolder>>,
    /// The options that may be given, if not all.
    allowed: Option<&'static [&'static str]>,
}

impl fmt::Debug for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { folder, allowed, .. } = self;
        f.debug_struct("Roster").field("folder", folder).field("allowed", allowed).finish_non_exhaustive()
    }
}

/// A provider of programs as players.
pub trait Programs: Send + Sync {
    /// The program of a player's text, such as `gtp:edax -l 5`; `None` if the part before the colon is not one of its
    /// protocols. Nothing is started.
    fn find(&self, text: &str) -> Option<Arc<dyn Program>>;

    /// The texts of the programs that can be listed.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A program that can play.
pub trait Program: Send + Sync {
    /// The player, which starts the program when it is first needed.
    ///
    /// # Errors
    /// If there is no such program, or it cannot be run here.
    fn build(&self, setting: Setting) -> Result<Box<dyn Player>, BuildError>;

    /// The contents of its files, which tell versions of it apart; `None` if there are none.
    fn contents(&self) -> Option<String>;
}

impl Roster {
    /// The same with the programs of a provider.
    #[must_use]
    pub fn with_programs(self, programs: impl Programs + 'static) -> Self {
        Self { programs: Some(Arc::new(programs)), ..self }
    }

    /// The same with the [files](Spec::files) of players that were parsed before: they take the place of those on
    /// disk, and a program must not have changed.
    #[must_use]
    pub fn with_files(self, files: &[(String, String)]) -> Self {
        Self { files: Arc::new(files.to_vec()), ..self }
    }

    /// The same where the [files](Self::with_files) that it holds are all there are: none is read from disk.
    #[must_use]
    pub fn sealed(self) -> Self {
        Self { is_sealed: true, ..self }
    }

    /// The same where no options but these may be given: nothing else is looked at, no file read.
    #[must_use]
    pub fn with_options(self, allowed: &'static [&'static str]) -> Self {
        Self { allowed: Some(allowed), ..self }
    }

    /// The same with the players of a folder. They may be given the options that are allowed; which file they are is
    /// decided by their names.
    #[must_use]
    pub fn with_folder(self, folder: PlayerFolder) -> Self {
        Self { folder: Some(Arc::new(folder)), ..self }
    }

    /// The players that are files, as they are now.
    pub fn file_players(&self) -> Vec<Arc<FilePlayer>> {
        self.folder.as_ref().map(|folder| folder.players()).unwrap_or_default()
    }

    /// The texts of programs that can be listed, as they are now.
    pub fn programs(&self) -> Vec<String> {
        self.programs.as_ref().map(|programs| programs.names()).unwrap_or_default()
    }

    /// The built-in players.
    pub fn kinds(&self) -> impl Iterator<Item = &'static Kind> + use<> {
        kinds()
    }

    /// The options of a player that may be given.
    pub fn options(&self, kind: &'static Kind) -> impl Iterator<Item = &'static OptionHelp> {
        kind.options.iter().filter(|option| self.allows(option.key))
    }

    fn allows(&self, key: &str) -> bool {
        self.allowed.is_none_or(|allowed| allowed.contains(&key))
    }

    /// Finds the player of a text and reads the file that it names.
    ///
    /// # Errors
    /// If there is no such player, it has no such option, the option is not allowed, or the program has changed.
    pub fn parse(&self, text: &str) -> Result<Spec, BuildError> {
        let name = check_name(text)?;
        let text = text.trim();
        if let Some(kind) = kinds().find(|kind| kind.name == name) {
            let mut options = Options::parse(text, split(text).1, kind.options)?;
            if let Some(key) = options.keys().find(|key| !self.allows(key)) {
                return Err(BuildError::Forbidden { key: key.chars().take(40).collect() });
            }
            kind.check_options(&options)?;
            options.check_values()?;
            options.read_file(&self.files, self.is_sealed);
            return Ok(Spec::from_kind(text, kind, options));
        }
        if let Some(file) = self.folder.as_ref().and_then(|folder| folder.find(name)) {
            let asked = split(text).1;
            // What is asked for must be allowed to the player that the file is one of.
            self.parse(
                &asked.map_or_else(|| file.kind.name.to_owned(), |asked| format!("{}:{asked}", file.kind.name)),
            )?;
            return Ok(Spec::from_kind(text, file.kind, file.options(text, asked)?));
        }
        let program = self.programs.as_ref().and_then(|programs| programs.find(text));
        let program = program.ok_or_else(|| self.unknown(name, text))?;
        let spec = Spec::from_program(text, program);
        let known = self.files.iter().find(|(known, _)| known == text);
        if known.is_some_and(|(_, fingerprint)| *fingerprint != spec.fingerprint().unwrap_or_default()) {
            return Err(BuildError::Changed { spec: text.to_owned() });
        }
        Ok(spec)
    }

    /// Why there is no player of this name. Files are looked at only where programs may play.
    fn unknown(&self, name: &str, text: &str) -> BuildError {
        let path = Path::new(text);
        // As on Windows, where a colon is part of a path: `C:\programs\mine.exe`.
        let is_on_drive =
            name.len() == 1 && [":\\", ":/"].iter().any(|after| text.trim_start_matches(name).starts_with(after));
        if self.programs.is_some() && is_on_drive && !path.exists() {
            return BuildError::NoFile { file: text.to_owned() };
        }
        if self.programs.is_none() || !path.is_file() {
            return BuildError::Unknown { name: name.chars().take(40).collect() };
        }
        let protocol = if path.extension().is_some_and(|end| end == "py") { "py" } else { "line" };
        BuildError::NoProtocol { file: text.to_owned(), protocol }
    }
}

/// The name in a player's text, whether there is such a player or not.
///
/// # Errors
/// If the text is too long or the name is missing.
pub fn check_name(text: &str) -> Result<&str, SpecError> {
    let fault = |fault: &str| SpecError { spec: text.chars().take(80).collect(), fault: fault.to_owned() };
    if text.len() > LONGEST {
        return Err(fault(&format!("a player is described in at most {LONGEST} bytes")));
    }
    match split(text.trim()).0 {
        "" => Err(fault("the name of the player is missing")),
        name => Ok(name),
    }
}
