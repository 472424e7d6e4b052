//! Replays the saved corpus of every target: seeds of every shape, and whatever once broke one.

use std::fs;
use std::path::Path;

use turncoat_fuzz::TARGETS;

#[test]
fn the_corpus_of_every_target_is_replayed() {
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let mut inputs = 0;
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            target(&fs::read(entry.unwrap().path()).unwrap());
            inputs += 1;
        }
        assert!(inputs >= 3, "{name} has only {inputs} inputs");
    }
}
