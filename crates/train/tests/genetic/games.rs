//! Games: the same wherever and in whatever parts they are played; counted as the reports count.

use turncoat_players::Roster;
use turncoat_train::genetic::{Batch, ColorTally, Counts, Score, algorithm, fitness};

use super::{BINARY, lab, real};

fn batch(text: &str) -> Batch {
    let lab = lab(text);
    fitness::games(&lab, &algorithm::first(&lab))
}

#[test]
fn everyone_has_its_own_games_in_seed_000() {
    let batch = batch(BINARY);
    assert_eq!(batch.games.len(), 8 * 7);
    let margins = vec![2; batch.games.len()];
    let tallies = fitness::count(&batch, &margins, 8);
    assert!(tallies.iter().all(|tally| tally.games() == 7));
    let blacks: u32 = tallies.iter().map(|tally| tally.black_wins).sum();
    // Black wins them all; who has black is by chance.
    assert!((15..=41).contains(&blacks), "{blacks}");
    assert!(batch.games.iter().all(|game| game.counts != Counts::Both));
}

#[test]
fn pairs_meet_with_both_colours_and_the_same_openings() {
    let text = real("mode-2").replace("[fitness]", "[fitness]\nplies = 6\nopenings = 3");
    let common = batch(&text);
    assert_eq!(common.games.len(), 9 * 8 * 3);
    let mut openings: Vec<u64> = common.games.iter().map(|game| game.opening).collect();
    openings.dedup();
    openings.sort_unstable();
    openings.dedup();
    assert_eq!(openings.len(), 3);
    let own = batch(&text.replace("plies = 6", "plies = 6\ncommon_random_numbers = false"));
    let mut openings: Vec<u64> = own.games.iter().map(|game| game.opening).collect();
    openings.dedup();
    assert_eq!(openings.len(), 9 * 8 / 2 * 3);
}

#[test]
fn the_pool_counts_for_individuals_alone() {
    let pool = "[fitness]\nopponents = \"both\"\npool = [\"random\", \"greedy\"]\nplies = 4";
    let text = real("mode-2").replace("[fitness]", pool);
    let batch = batch(&text);
    assert_eq!(batch.games.len(), 9 * 8 + 9 * 2 * 2);
    let margins = batch.play(0..batch.games.len(), &Roster::default()).unwrap();
    let tallies = fitness::count(&batch, &margins, 9);
    assert!(tallies.iter().all(|tally| tally.games() == 8 * 2 + 4));
}

#[test]
fn a_batch_can_be_sent_away_and_played_in_parts() {
    let pool = "[fitness]\nopponents = \"pool\"\npool = [\"random\"]\nplies = 4";
    let batch = batch(&real("mode-2").replace("[fitness]", pool));
    let whole = batch.play(0..batch.games.len(), &Roster::default()).unwrap();
    let text = serde_json::to_string(&batch).unwrap();
    let sent: Batch = serde_json::from_str(&text).unwrap();
    assert_eq!(sent, batch);
    let mut parts = sent.play(5..batch.games.len(), &Roster::default()).unwrap();
    parts.splice(0..0, sent.play(0..5, &Roster::default()).unwrap());
    assert_eq!(parts, whole);
    // A part can also be a batch of its own.
    let tail = Batch { games: batch.games[5..].to_vec(), ..batch };
    assert_eq!(tail.play(0..tail.games.len(), &Roster::default()).unwrap(), whole[5..]);
}

#[test]
fn a_player_that_learns_does_not_depend_on_who_played_before() {
    let pool = "[fitness]\nopponents = \"pool\"\npool = [\"adaptive:base=gene45,depth=1,final=0,sure=0,playouts=1\"]";
    let batch = batch(&real("mode-2").replace("[fitness]", pool));
    let whole = batch.play(0..6, &Roster::default()).unwrap();
    let alone = (0..6).flat_map(|game| batch.play(game..game + 1, &Roster::default()).unwrap());
    assert_eq!(whole, alone.collect::<Vec<_>>());
}

#[test]
fn scores_are_those_of_the_reports() {
    let tally = ColorTally { black_wins: 5, white_wins: 3, losses: 4, draws: 2, margin: 17 };
    for (score, expected) in [
        (Score::LeastColour, 3.0),
        (Score::WinsMinusLosses, 4.0),
        (Score::WonOrNot, 2.0),
        (Score::Points, 9.0),
        (Score::Margin, 17.0),
    ] {
        assert!((fitness::worth(score, &tally) - expected).abs() < 1e-12);
    }
}

#[test]
fn a_batch_that_makes_no_sense_is_refused() {
    let good = batch(&real("mode-2"));
    let refused = |batch: &Batch| batch.play(0..1, &Roster::default()).unwrap_err().to_string();
    let with = |change: fn(&mut Batch)| {
        let mut bad = good.clone();
        change(&mut bad);
        refused(&bad)
    };
    let text = serde_json::to_string(&good).unwrap();
    for (from, to) in [("\"variant\":\"reversed\"", "\"variant\":\"chess\""), ("\"size\":8", "\"size\":7")] {
        assert!(text.contains(from), "{text}");
        assert!(serde_json::from_str::<Batch>(&text.replacen(from, to, 1)).is_err(), "{to}");
    }
    assert_eq!(with(|b| b.games[0].white = 99), "game 0 is not between two contenders");
    let same = with(|b| b.games[0].white = b.games[0].black);
    assert_eq!(same, "game 0 is not between two contenders");
    let nobody = with(|b| b.contenders[0].player = "nobody".to_owned());
    assert!(nobody.contains("no player is called \"nobody\""), "{nobody}");
    let plies = with(|b| b.plies = 60);
    assert!(plies.contains("at most 56 random plies"), "{plies}");
}

#[test]
fn the_pool_may_help_to_choose_the_champion() {
    let pool = "[champion]\nopenings = 2\npool = 5\n[fitness]\nopponents = \"pool\"\npool = [\"random\", \"greedy\"]";
    let lab = lab(&real("mode-2").replace("[fitness]", pool));
    let population = algorithm::first(&lab);
    let entrants = population.individuals[..3].iter();
    let entrants = entrants.map(|individual| lab.contender(&individual.genome));
    let batch = fitness::round_robin(&lab, entrants.collect(), &lab.experiment.champion);
    assert_eq!(batch.contenders.len(), 3 + 2);
    let tallies = fitness::count(&batch, &vec![2; batch.games.len()], 3);
    assert!(tallies.iter().all(|tally| tally.games() == 2 * 2 * 2 + 2 * 2 * 5));
}
