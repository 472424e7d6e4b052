//! Programs of a folder as opponents: `program:NAME`, and nothing that the folder does not hold.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use turncoat_host::Hosting;
use turncoat_host::programs::Program;
use turncoat_players::{Program as AnyProgram, Programs};

use crate::folder::{Listing, is_ignored, take};

/// What stands before the name.
const PREFIX: &str = "program:";

/// The programs of a folder. Each is copied when it is asked for, so that it plays as it lies there.
#[derive(Debug)]
pub struct FolderPrograms {
    folder: PathBuf,
    copies: TempDir,
    hosting: Hosting,
}

impl FolderPrograms {
    /// The programs of a folder, run like this.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(folder: &Path, hosting: Hosting) -> io::Result<Self> {
        fs::read_dir(folder)?;
        let copies = tempfile::tempdir()?;
        // In the sandbox a program may be another user.
        #[cfg(unix)]
        fs::set_permissions(copies.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(Self { folder: folder.canonicalize()?, copies, hosting })
    }
}

impl Programs for FolderPrograms {
    fn find(&self, text: &str) -> Option<Arc<dyn AnyProgram>> {
        let name = text.strip_prefix(PREFIX).filter(|_| self.names().iter().any(|known| known == text))?;
        let listing = Listing::new(&self.folder.join(name)).ok()?;
        let taken = take(&listing, name, self.copies.path()).ok()?;
        Some(Arc::new(Program::parse(&taken.spec, &self.hosting)?))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_player = |name: &String| !is_ignored(name) && Listing::new(&self.folder.join(name)).is_ok();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_player);
        let mut names: Vec<String> = names.map(|name| format!("{PREFIX}{name}")).collect();
        names.sort();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_the_folder_is_found() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["li.py", "_huang.py", ".hidden.py"] {
            fs::write(folder.path().join(name), "class AI: pass").unwrap();
        }
        fs::write(folder.path().join("notes.txt"), "").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("passwd.py")).unwrap();
        let programs = FolderPrograms::open(folder.path(), Hosting::default()).unwrap();
        assert_eq!(programs.names(), ["program:_huang.py", "program:li.py"]);
        assert!(programs.find("program:li.py").is_some());
        for bad in
            ["py:/etc/passwd", "line:sh", "program:passwd.py", "program:../li.py", "program:", "program:notes.txt"]
        {
            assert!(programs.find(bad).is_none(), "{bad}");
        }
        assert!(FolderPrograms::open(&folder.path().join("none"), Hosting::default()).is_err());
    }
}
