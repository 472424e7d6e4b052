//! What matches and tournaments print and write.

use std::fs;

use serde_json::Value;

use super::{Folder, objects, said};

#[test]
fn a_match_prints_its_games_and_a_summary_from_the_first_players_view() {
    let folder = Folder::new();
    let lines = objects(&folder.printed("match greedy random --games 40 --json"));
    assert_eq!(lines.len(), 41);
    let (games, summary) = (&lines[..40], &lines[40]);
    let mut wins = 0;
    for (index, game) in games.iter().enumerate() {
        assert_eq!(game["game"], index + 1);
        let greedy_is = if index % 2 == 0 { "black" } else { "white" };
        assert_eq!(game[greedy_is], "greedy");
        assert_eq!(game["reason"], "finished");
        wins += u64::from(game["winner"] == greedy_is);
        if index % 2 == 1 {
            let opening = |game: &Value| game["moves"].as_str().unwrap()[..16].to_owned();
            assert_eq!(opening(game), opening(&games[index - 1]), "a pair shares its opening");
        }
    }
    assert_eq!(summary["summary"], true);
    assert_eq!((&summary["a"], &summary["b"]), (&"greedy".into(), &"random".into()));
    assert_eq!((summary["games"].as_u64(), summary["wins"].as_u64()), (Some(40), Some(wins)));
    for key in ["draws", "losses", "faults", "margin", "elo", "elo_error", "los"] {
        assert!(summary[key].is_number(), "{key}");
    }
    assert_eq!(summary["sprt"], Value::Null);
    let text = folder.printed("match greedy random --games 40");
    assert!(text.starts_with("greedy – random: Reversed Reversi on 8x8, openings random:8, seed 1\n"), "{text}");
    assert!(text.contains("likelihood of superiority"), "{text}");
    assert!(text.contains("(95 %, from 20 complete pairs)"), "{text}");
    assert!(folder.files().is_empty(), "nothing is left behind");
}

#[test]
fn a_test_stops_by_itself_and_says_why() {
    let folder = Folder::new();
    let lines = objects(&folder.printed("match greedy random --sprt elo0=0,elo1=20,alpha=0.1 --json"));
    let summary = lines.last().unwrap();
    let sprt = &summary["sprt"];
    assert_eq!((&sprt["decision"], &sprt["alpha"]), (&"H1".into(), &0.1.into()));
    assert!(sprt["llr"].as_f64() >= sprt["upper"].as_f64());
    assert_eq!(summary["games"], lines.len() - 1);
    assert_eq!(summary["complete"], true);
    let text = folder.printed("match random greedy --sprt elo0=0,elo1=20");
    assert!(text.contains("H0 accepted after"), "{text}");
    assert!(text.contains("because LLR"), "{text}");
    let text = folder.printed("match random random --sprt elo0=-500,elo1=500 --games 2");
    assert!(text.contains("SPRT    undecided") || text.contains("accepted"), "{text}");
}

#[test]
fn a_match_without_a_loss_has_a_bound() {
    let folder = Folder::new();
    let run = "match turncoat:level=8 greedy --games 20";
    let text = folder.printed(run);
    let won = "games   20: turncoat:level=8 won 20, drew 0, lost 0 (100.0 %)";
    assert!(text.contains(won), "{text}");
    let elo = "Elo     at least +140.2 (95 %, all 10 pairs won), likelihood of superiority 100.0 %";
    assert!(text.contains(elo), "{text}");
    let summary = objects(&folder.printed(&format!("{run} --json"))).pop().unwrap();
    assert_eq!((&summary["elo"], &summary["elo_upper"]), (&Value::Null, &Value::Null));
    assert!(summary["elo_lower"].as_f64().unwrap() > 140.0);
    let even = folder.printed("match greedy greedy --games 20");
    assert!(
        even.contains("Elo     0.0 ± 110.8 (95 %, from 10 complete pairs), likelihood of superiority 50.0 %"),
        "{even}"
    );
}

#[test]
fn games_that_repeat_and_tiny_samples_are_no_proof() {
    let folder = Folder::new();
    let run = "match greedy greedy --openings random:0 --games 40";
    let output = folder.run(run);
    let said = said(&output);
    assert!(said.contains("random:0 has 1 different openings for 20 pairs"), "{said}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("only 2 games differ"), "{text}");
    let lines = objects(&folder.printed(&format!("{run} --json")));
    assert_eq!(lines.last().unwrap()["distinct"], 2);
    let lines = objects(&folder.printed("match greedy random --games 2 --json"));
    let summary = lines.last().unwrap();
    assert_eq!((&summary["elo_error"], &summary["los"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_tournament_has_a_table_a_crosstable_and_files() {
    let folder = Folder::new();
    let run = "tournament greedy random random --games 10 --html t.html --csv t.csv --games-csv g.csv --export g.txt";
    let text = folder.printed(run);
    for expected in ["rank", "rating", "random (2)", "Won-drawn-lost"] {
        assert!(text.contains(expected), "{text}");
    }
    assert_eq!(folder.files(), ["g.csv", "g.txt", "t.csv", "t.html"]);
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(read("t.csv").lines().count(), 4);
    assert_eq!(read("g.csv").lines().count(), 31);
    assert!(read("t.html").starts_with("<!DOCTYPE html>"));
    // Exported games are openings again, and other commands read them.
    let again = folder.printed("convert --file g.txt --to transcript");
    assert_eq!(again.lines().count(), 30);
    let said = folder.refused("match greedy random --games 2 --openings g.txt", 2);
    assert!(said.contains("g.txt, line 2: the game is over there"), "{said}");

    let before = read("t.csv");
    let said = folder.refused(run, 2);
    assert!(said.contains("t.html exists already: --force overwrites it"), "{said}");
    folder.printed(&format!("{run} --force --seed 2"));
    assert_ne!(read("t.csv"), before);
    assert_eq!(folder.files().len(), 4);

    let lines = objects(&folder.printed("tournament greedy random random --gauntlet --games 4 --json"));
    assert_eq!(lines.len(), 9);
    let summary = &lines[8];
    assert_eq!(summary["table"].as_array().unwrap().len(), 3);
    assert!(summary["table"][0]["rating"].is_f64());
    let cross = summary["cross"].as_array().unwrap();
    let empty = cross.iter().flat_map(|row| row.as_array().unwrap()).filter(|c| c.is_null());
    assert_eq!(empty.count(), 5, "three of themselves, and two who did not meet");
}

#[test]
fn the_course_has_its_points_and_limits() {
    let folder = Folder::new();
    let text = folder.printed("tournament greedy random random --profile course");
    assert!(text.starts_with("6 games of Reversed Reversi on 8x8, openings random:0"), "{text}");
    assert!(text.contains("+5/0/-5"), "{text}");
    let text = folder.printed("tournament greedy random --games 6 --points course");
    assert!(text.contains("+5/0/-5") && text.starts_with("6 games"), "{text}");
    // The store knows them.
    for (profile, more) in [("--points course", "--games 2"), ("--profile course", "")] {
        let folder = Folder::new();
        let run = format!("tournament greedy random random {profile} {more} --store games.db");
        let text = folder.printed(&run);
        let shown = |more: &str| folder.printed(&format!("{more} --show --store games.db"));
        assert_eq!(shown("tournament"), text);
        assert_eq!(shown("match"), text);
        assert!(!shown("tournament --points standard").contains("+5/0/-5"));
    }
}

#[test]
fn every_variant_and_size_is_played() {
    let folder = Folder::new();
    for variant in ["reversed", "reversi"] {
        for size in [8, 6, 4] {
            let run = format!(
                "match greedy random --games 10 --variant {variant} --size {size} --json --time 1s --clock 20s --depth 2"
            );
            assert_eq!(objects(&folder.printed(&run)).len(), 11);
        }
    }
}

#[test]
fn watching_shows_boards_on_standard_error_only() {
    let folder = Folder::new();
    let output = folder.run("match greedy random --games 2 --watch --json");
    assert!(output.status.success());
    let plain = folder.printed("match greedy random --games 2 --json");
    assert_eq!(String::from_utf8_lossy(&output.stdout), plain);
    let seen = said(&output);
    assert!(seen.matches("a  b  c  d  e  f  g  h").count() > 100);
    assert!(seen.contains("Game 2: random (X) – greedy (O)"), "{seen}");
    assert!(seen.contains("wins by"), "{seen}");
}

#[test]
fn faults_are_listed_with_their_reasons() {
    let folder = Folder::new();
    folder.printed("match greedy random --games 4 --store games.db");
    // The built-in players do nothing wrong, so it is put into their mouths.
    rusqlite::Connection::open(folder.path("games.db"))
        .unwrap()
        .execute_batch(
            "UPDATE games SET reason = 'crash', detail = 'boom', margin = NULL, winner = 'white' WHERE number = 0;
             UPDATE games SET reason = 'timeout', margin = NULL, winner = 'white' WHERE number = 1",
        )
        .unwrap();
    let text = folder.printed("match --show --store games.db --export games.txt --html page.html");
    for expected in
        ["lost by faults: greedy 1, random 1", "game 1: greedy lost by crash: boom", "game 2: random lost by timeout"]
    {
        assert!(text.contains(expected), "{text}");
    }
    let exported = fs::read_to_string(folder.path("games.txt")).unwrap();
    assert!(exported.contains("white wins by crash of the other: boom"), "{exported}");
    let lines = objects(&folder.printed("match --show --store games.db --json"));
    assert_eq!((&lines[0]["reason"], &lines[0]["margin"]), (&"crash".into(), &Value::Null));
    assert_eq!((&lines[4]["faults"], &lines[4]["opponent_faults"]), (&1.into(), &1.into()));
}

#[test]
fn equal_players_have_a_rating_without_a_sign() {
    let folder = Folder::new();
    let text = folder.printed("tournament greedy greedy --openings random:0 --games 2 --csv t.csv");
    assert_eq!(text.matches("  0  ±").count(), 2, "{text}");
    let table = fs::read_to_string(folder.path("t.csv")).unwrap();
    assert!(!table.contains("-0.0"), "{table}");
}

#[test]
fn names_cannot_command_the_terminal() {
    let folder = Folder::new();
    folder.printed("match greedy random --games 2 --store games.db");
    rusqlite::Connection::open(folder.path("games.db"))
        .unwrap()
        .execute_batch(r#"UPDATE plan SET value = '["gre\u001b[2Jedy","random"]' WHERE name = 'players'"#)
        .unwrap();
    for more in ["", "--json"] {
        let text = folder.printed(&format!("match --show --store games.db {more}"));
        assert!(text.contains(r"\u{1b}[2Jedy"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn help_has_examples() {
    let folder = Folder::new();
    for command in ["match", "tournament"] {
        assert!(folder.printed(&format!("help {command}")).contains("Example"));
    }
    assert!(!folder.printed("help tournament").contains("sprt"));
}
