use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

struct Class(TempDir);

impl Class {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn take(&self, name: &str) -> Result<Taken, EntryFault> {
        take(&Listing::new(&self.path(name))?, name, &self.path(".versions"))
    }
}

/// The text of a player without the folder of its copy.
fn text(class: &Class, taken: &Taken) -> String {
    let place = class.path(".versions").canonicalize().unwrap().join(&taken.digest);
    taken.spec.replace(place.to_str().unwrap(), "@")
}

#[test]
fn files_and_folders_are_players() {
    let class = Class::new();
    class.write("huang.py", "class AI: pass");
    class.write("li/ai.py", "class AI: pass");
    class.write("li/net/weights.txt", "1 2 3");
    class.write("wang/only.py", "class AI: pass");
    class.write("chen/player.toml", "name = \"Chen 陈\"\npython = \"python3.11\"\nfile = \"src/bot.py\"");
    class.write("chen/src/bot.py", "class AI: pass");
    class.write("zhou/player.toml", "protocol = \"gtp\"\ncommand = \"./engine 'a b' --fast\"\nlevel = 3");
    class.write("zhou/engine", "#!/bin/sh");
    let spec = |name: &str| text(&class, &class.take(name).unwrap());
    assert_eq!(spec("huang.py"), "py:@/huang.py,folder=@");
    assert_eq!(spec("li"), "py:@/ai.py,folder=@");
    assert_eq!(spec("wang"), "py:@/only.py,folder=@");
    assert_eq!(spec("chen"), "py:@/src/bot.py,python=python3.11,folder=@");
    assert_eq!(spec("zhou"), "gtp:@/./engine 'a b' --fast,level=3,folder=@");
    class.write("Loud.PY", "class AI: pass");
    assert_eq!(spec("Loud.PY"), "py:@/ai.py,folder=@");
    assert_eq!(class.take("chen").unwrap().title, "Chen 陈");
    class.write("chen/player.toml", "name = \"\\u001b[31mred\\u202e\"\nfile = \"src/bot.py\"");
    assert_eq!(class.take("chen").unwrap().title, "\\u{1b}[31mred\\u{202e}", "it is shown on terminals");
    assert_eq!(class.take("li").unwrap().title, "li");
}

#[test]
fn a_version_is_its_contents() {
    let class = Class::new();
    class.write("a.py", "one");
    let first = class.take("a.py").unwrap();
    let copy = class.path(".versions").join(&first.digest).join("a.py");
    class.write("a.py", "two");
    let second = class.take("a.py").unwrap();
    assert_ne!(first.digest, second.digest);
    assert_eq!(fs::read_to_string(copy).unwrap(), "one", "the first plays on as it was");
    class.write("a.py", "one");
    assert_eq!(class.take("a.py").unwrap(), first);
    // The same bytes divided in another way are another version.
    class.write("x/ai.py", "ab");
    class.write("x/b", "c");
    class.write("y/ai.py", "a");
    class.write("y/b", "bc");
    assert_ne!(class.take("x").unwrap().digest, class.take("y").unwrap().digest);
    let left: Vec<_> = fs::read_dir(class.path(".versions")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "no copy is left half made: {left:?}");
}

#[test]
fn what_is_not_a_player_is_refused_in_words() {
    let class = Class::new();
    let secret = tempfile::tempdir().unwrap();
    fs::write(secret.path().join("exam.txt"), "answers").unwrap();
    class.write("readme.txt", "");
    class.write("all.zip", "");
    class.write("two/a.py", "");
    class.write("two/b.py", "");
    class.write("steals/ai.py", "");
    symlink(secret.path().join("exam.txt"), class.path("steals/exam.txt")).unwrap();
    symlink(class.path("two/a.py"), class.path("copy.py")).unwrap();
    class.write("loop/ai.py", "");
    symlink(".", class.path("loop/again")).unwrap();
    class.write("own/ai.py", "");
    symlink("ai.py", class.path("own/same.py")).unwrap();
    let words = |name: &str| class.take(name).unwrap_err().to_string();
    assert!(words("readme.txt").starts_with("it is not a Python file"));
    assert!(words("all.zip").contains("archive"));
    assert!(words("two").contains("no ai.py"));
    assert_eq!(words("steals"), "exam.txt is a link out of the player's own folder: put the file itself there");
    assert!(words("copy.py").contains("is a link"));
    assert!(words("loop").contains("again is a link"));
    assert!(class.take("own").is_ok(), "a link within the folder is followed");
    let deep: PathBuf = std::iter::repeat_n("d", DEEPEST + 2).collect();
    class.write(&format!("deep/{}/ai.py", deep.display()), "");
    assert_eq!(class.take("deep").unwrap_err(), EntryFault::Depth);
    class.write("big.py", "");
    fs::File::options().write(true).open(class.path("big.py")).unwrap().set_len(MOST_BYTES + 1).unwrap();
    assert_eq!(class.take("big.py").unwrap_err(), EntryFault::Bytes);
    for number in 0..=MOST_FILES {
        class.write(&format!("many/{number}"), "");
    }
    assert_eq!(class.take("many").unwrap_err(), EntryFault::Files);
}

#[test]
fn descriptions_are_doubted() {
    let class = Class::new();
    let words = |toml: &str| {
        class.write("p/ai.py", "");
        class.write("p/player.toml", toml);
        class.take("p").unwrap_err().to_string()
    };
    assert!(words("\nnme = 1").starts_with("player.toml: line 2: unknown field `nme`"));
    assert!(words("protocol = \"uci\"").contains("there are py, line"));
    assert!(words("python = \"./python\"").contains("not by a path"));
    assert!(words("python = \"sh\"").contains("not by a path"));
    assert!(words("file = \"../x.py\"").contains("no such file"));
    assert!(words("file = \"a,depth=3.py\"").contains("letters"));
    assert!(words("name = \"\"").contains("1 to 60"));
    assert!(words("command = \"./x\"").contains("no meaning"));
    assert!(words("protocol = \"line\"\ncommand = \"cat /etc/passwd\"").contains("/etc/passwd leads out"));
    assert!(words("protocol = \"line\"\ncommand = \"../../x\"").contains("leads out"));
    assert!(words("protocol = \"line\"\ncommand = \"./missing\"").contains("there is no ./missing"));
    // A file of the folder that the ladder was started in.
    assert!(words("protocol = \"line\"\ncommand = \"cat Cargo.toml\"").contains("Cargo.toml leads out"));
    assert!(words("protocol = \"line\"\ncommand = \"'a\"").contains("ends within quotes"));
}

#[test]
fn a_file_is_taken_when_it_has_settled() {
    let class = Class::new();
    let mut watch = Watch::new(class.0.path()).unwrap();
    let (start, step) = (Instant::now(), Duration::from_secs(1));
    class.write(".hidden.py", "");
    class.write("__pycache__/x.pyc", "");
    class.write("a.py", "half");
    let changing = || vec![Sighting::Changing { name: "a.py".to_owned() }];
    assert_eq!(watch.look(start).unwrap(), changing());
    class.write("a.py", "half and more");
    assert_eq!(watch.look(start + step).unwrap(), changing());
    assert_eq!(watch.look(start + step * 2).unwrap(), []);
    assert!(matches!(&watch.look(start + step * 3).unwrap()[..], [Sighting::Settled { name, .. }] if name == "a.py"));
    assert_eq!(watch.look(start + step * 4).unwrap(), [], "it is told once");
    watch.forget("a.py", start + step * 4);
    assert!(matches!(&watch.look(start + step * 6).unwrap()[..], [Sighting::Settled { .. }]));
    fs::remove_file(class.path("a.py")).unwrap();
    assert_eq!(watch.look(start + step * 7).unwrap(), [Sighting::Left { name: "a.py".to_owned() }]);
    fs::remove_dir_all(class.0.path()).unwrap();
    assert!(watch.look(start + step * 8).is_err());
}

proptest! {
    /// Whatever a file is called, it is one player whose text names no other file.
    #[test]
    fn names_with_every_character(name in "[^/\\x00.][^/\\x00]{0,20}") {
        let class = Class::new();
        let name = format!("{name}.py");
        prop_assume!(!is_ignored(&name) && name.len() < 200);
        class.write(&name, "class AI: pass");
        let taken = class.take(&name).unwrap();
        let spec = text(&class, &taken);
        let file = spec.strip_prefix("py:@/").unwrap().strip_suffix(",folder=@").unwrap();
        prop_assert!(manifest::is_plain(file), "{}", spec);
        prop_assert_eq!(fs::read_to_string(class.path(".versions").join(&taken.digest).join(file)).unwrap(), "class AI: pass");
    }
}
