//! Where the books that come with the program lie: `books/` beside it, in the `share` of a system that has it in `bin`, or in
//! the repository that it was built in.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use turncoat_board::{Geometry, VariantKind};

/// The variable that names another folder of books; an empty one has none.
const FOLDER: &str = "TURNCOAT_BOOKS";

/// The name of the file for a game and size.
pub fn file_name(variant: VariantKind, geometry: Geometry) -> String {
    if geometry == Geometry::EIGHT { format!("{variant}.book") } else { format!("{variant}-{geometry}.book") }
}

/// Where a library that is no program of its own has its books.
static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

/// Says where the books lie if no variable does, for a library that is loaded by another program; the first word counts.
pub fn set_folder(folder: PathBuf) {
    LIBRARY.get_or_init(|| folder);
}

/// The folder of the books that come with the program, if there is one.
pub fn folder() -> Option<PathBuf> {
    let told = env::var_os(FOLDER).map(PathBuf::from).or_else(|| LIBRARY.get().cloned());
    match told {
        Some(folder) => Some(folder).filter(|folder| folder.is_dir()),
        None => near(&env::current_exe().ok()?),
    }
}

/// The book that comes with the program for a game and size, if there is one.
pub fn locate(variant: VariantKind, geometry: Geometry) -> Option<PathBuf> {
    folder().map(|folder| folder.join(file_name(variant, geometry))).filter(|path| path.is_file())
}

/// The folder `books` beside a program, where packages have it, or beside the folder `target` that it lies in.
fn near(program: &Path) -> Option<PathBuf> {
    let home = program.parent();
    let beside = home.map(|folder| folder.join("books"));
    let shared = home.and_then(Path::parent).map(|folder| folder.join("share/turncoat/books"));
    let built = program.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "target"));
    let repository = built.and_then(Path::parent).map(|folder| folder.join("books"));
    [beside, shared, repository].into_iter().flatten().find(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_game_and_size() {
        assert_eq!(file_name(VariantKind::Reversed, Geometry::EIGHT), "reversed.book");
        assert_eq!(file_name(VariantKind::Reversi, Geometry::SIX), "reversi-6x6.book");
    }

    #[test]
    fn books_lie_beside_the_program_or_the_folder_it_was_built_in() {
        let root = env::temp_dir().join(format!("turncoat-books-{}", std::process::id()));
        let make = |path: &str| std::fs::create_dir_all(root.join(path)).unwrap();
        make("target/release/deps");
        let program = root.join("target/release/turncoat");
        assert_eq!(near(&program), None);
        make("books");
        assert_eq!(near(&program), Some(root.join("books")));
        assert_eq!(near(&root.join("target/release/deps/test")), Some(root.join("books")));
        assert_eq!(near(&root.join("bin/turncoat")), None);
        make("share/turncoat/books");
        assert_eq!(near(&root.join("bin/turncoat")), Some(root.join("share/turncoat/books")));
        make("target/release/books");
        assert_eq!(near(&program), Some(root.join("target/release/books")));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
