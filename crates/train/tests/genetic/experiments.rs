//! Experiment files: what does not make sense is refused with its place.

use std::fs;
use std::path::Path;

use turncoat_players::Roster;
use turncoat_train::genetic::Lab;

use super::{BINARY, real};

/// A change that makes the experiment impossible, and a part of what is said.
const REFUSED: &[(&str, &str, &str)] = &[
    ("title", "titel", "line 2: unknown field `titel`"),
    ("keep = 3", "keep = 0", "keep: 1 to 1000000, not 0"),
    ("generations = 4", "generations = 0", "generations: 1 to"),
    ("generations = 4", "generations = 4\npatience = 0", "patience: at least 1"),
    ("generations = 4", "generations = 4\ntarget = nan", "target: a number"),
    ("generations = 4", "generations = -4", "line 5: invalid value"),
    ("population = 8", "population = 3", "algorithm.population: 4 to 10000"),
    ("population = 8", "population = 8\nmutation = 1.5", "algorithm.mutation: a chance from 0 to 1"),
    ("population = 8", "population = 8\nelite = 2", "unknown field `elite`"),
    ("kind = \"binary\"\npop", "kind = \"genetic\"\npop", "unknown variant `genetic`"),
    ("kind = \"binary\"\npop", "kind = \"mode-2\"\npop", "genome.kind: the algorithm \"binary\" and"),
    ("bits = 8", "bits = 0", "genome: stable has 1 to 20 bits"),
    ("bits = 8", "bots = 8", "unknown field `bots`"),
    ("group.stable", "group.stabel", "genome: no group \"stabel\" evolves: gene45 has board, action"),
    ("\"stable\", ", "\"stable\", \"stable\", ", "genome.groups: \"stable\" is listed twice"),
    ("bits = 7\n", "bits = 7\nknots = [64, 4]\n", "genome: either \"last_discs\" (rising"),
    (
        "[genome.group.frontier]",
        "[genome.group.board]\nstages = [3]\n[genome.group.frontier]",
        "there is no stage 3: they are 1 to 2",
    ),
    (
        "depth=1,final=0",
        "depth=1,final=0,time=1s",
        "player: \"gene45:depth=1,final=0,time=1s\": time= cannot be repeated",
    ),
    ("gene45:", "gene46:", "player: no player is called \"gene46\""),
    ("\"gene45:depth=1,final=0\"", "\"random\"", "player: random has no parameters"),
    ("player = \"random\"", "player = \"six-stage\"", "yardstick.player: six-stage does not play Reversed"),
    ("games = 6", "games = 7", "yardstick.games: an even number"),
    ("score = ", "plies = 57\nscore = ", "fitness.plies: at most 56 random plies"),
    ("score = ", "opponents = \"pool\"\nscore = ", "fitness.pool: opponents = \"pool\""),
    ("[fitness]", "[champion]\ngames = 3\n[fitness]", "champion.games: an even number from 2 to 100000"),
    ("[fitness]", "[champion]\npool = 5\n[fitness]", "champion.pool: at most 100000 openings against the pool"),
    ("score = ", "openings = 1000000\nscore = ", "fitness: 56000000 games a generation are more than"),
    ("keep = 3", "keep = 3\nsize = 7", "size: sizes are 8, 6 and 4"),
    ("score = \"least-colour\"", "", "missing field `score`"),
];

fn refused(text: &str) -> String {
    match Lab::read(text, 1, &Roster::default()) {
        Ok(_) => panic!("not refused:\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn unknown_keys_and_impossible_values_are_refused_with_their_place() {
    for (from, to, expected) in REFUSED {
        let text = BINARY.replacen(from, to, 1);
        assert_ne!(text, BINARY, "{from}");
        let error = refused(&text);
        assert!(error.contains(expected), "{to}: {error}");
    }
    let seeded = real("real").replace("start = [0, 6]", "start = [0, 6]\nseeds = [\"gene45\"]");
    assert_eq!(refused(&seeded), "genome.seeds: gene45: these are parameters of another player or of other features");
    let open = real("real").replace("start = [0, 6]", "start = [6, 0]");
    assert!(refused(&open).contains("\"start\" and \"bounds\" rise"));
    let none = real("real").replace("start = [0, 6]", "");
    assert!(refused(&none).contains("mobility, stage 1 has no \"start\""));
}

#[test]
fn the_experiments_of_the_project_make_sense() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Other parts of the lab have folders of their own there.
        if path.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        if let Err(error) = Lab::read(&text, 1, &Roster::default()) {
            panic!("{}: {error}", path.display());
        }
        count += 1;
    }
    assert!(count >= 8);
}
