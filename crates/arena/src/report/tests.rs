//! What is written is read again.

use std::path::Path;

use serde_json::Value;
use turncoat_board::{Color, Geometry, VariantKind};
use turncoat_players::Fault;

use super::*;
use crate::plan::tests::plan;
use crate::played::Ending;
use crate::results::tests::game;

const START: &str = "---------------------------OX------XO--------------------------- O";

/// A match between somebody with a dangerous name and `random`.
fn example() -> (Plan, Results) {
    let plan = plan(&["</script><b>\"evil\",x&", "random"], 6);
    let schedule = crate::Schedule::round_robin(plan.players.len(), plan.games / 2);
    let mut results = Results::new(2);
    results.add(game(&schedule, 0, 10));
    results.add(game(&schedule, 1, -4));
    let mut drawn = game(&schedule, 2, 0);
    drawn.start = Some(START.to_owned());
    results.add(drawn);
    let mut faulty = game(&schedule, 3, 0);
    faulty.ending = Ending::Fault { by: Color::White, fault: Fault::Crash("a \"broken\"\nline, {{data}}".to_owned()) };
    results.add(faulty);
    while results.count_next().is_some() {}
    (plan, results)
}

fn with_report<T>(look: impl FnOnce(&Report<'_>) -> T) -> T {
    let (plan, results) = example();
    let names = plan.names();
    look(&Report { plan: &plan, names: &names, results: &results, complete: false })
}

fn json(value: impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn objects_have_the_names_of_the_documentation() {
    with_report(|report| {
        let keys = |value: &Value| -> Vec<String> {
            let mut keys: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
            keys.sort();
            keys
        };
        let first = json(report.results.games()[0].object(report.names));
        assert_eq!(keys(&first), ["black", "game", "margin", "moves", "reason", "white", "winner"]);
        assert_eq!((&first["game"], &first["winner"], &first["margin"]), (&json(1), &json("black"), &json(10)));
        let fault = json(report.results.games()[3].object(report.names));
        assert_eq!((&fault["margin"], &fault["reason"]), (&Value::Null, &json("crash")));
        let summary = json(report.match_summary());
        for key in ["a", "b", "games", "wins", "draws", "losses", "faults", "margin", "elo", "elo_error", "los", "sprt"]
        {
            assert!(summary.get(key).is_some(), "{key}");
        }
        assert_eq!(summary["summary"], true);
        assert_eq!((&summary["wins"], &summary["faults"]), (&json(2), &json(1)));
        let table = json(report.tournament_summary());
        assert_eq!(table["table"][0]["rank"], 1);
        assert_eq!(table["cross"][0][0], Value::Null);
        assert_eq!(table["cross"][0][1]["wins"], 2);
    });
}

#[test]
fn a_csv_line_has_as_many_fields_as_the_header() {
    /// A reader of quoted fields, as simple as can be.
    fn fields(text: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
        let mut quoted = false;
        for c in text.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(std::mem::take(&mut field)),
                '\r' if !quoted => {}
                '\n' if !quoted => {
                    row.push(std::mem::take(&mut field));
                    rows.push(std::mem::take(&mut row));
                }
                c => field.push(c),
            }
        }
        rows
    }
    with_report(|report| {
        for (text, lines) in [(table_csv(report), 3), (games_csv(report), 5)] {
            let rows = fields(&text);
            assert_eq!(rows.len(), lines);
            assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
        }
    });
}

#[test]
fn transcripts_are_openings_again() {
    with_report(|report| {
        let text = transcripts(report);
        let games =
            crate::read_openings(text.as_bytes(), Path::new("games.txt"), VariantKind::Reversed, Geometry::EIGHT)
                .unwrap();
        assert_eq!(games.len(), 4);
        assert_eq!(games[0].moves().len(), 3);
        assert_eq!(games[2].start().to_string(), START);
        assert!(text.contains("white wins by 4"), "{text}");
    });
}

#[test]
fn the_page_holds_names_and_games_safely() {
    with_report(|report| {
        let page = page(report);
        assert!(!page.contains("<b>"), "names are escaped");
        assert!(page.contains("&lt;/script&gt;&lt;b&gt;&quot;evil&quot;,x&amp;"));
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["names"][0], "</script><b>\"evil\",x&");
        assert_eq!(data["games"].as_array().unwrap().len(), 4);
        assert_eq!(data["games"][3][5], "a \"broken\"\nline, {{data}}");
        for place in ["{{title}}", "{{about}}", "{{table}}", "{{cross}}"] {
            assert!(!page.contains(place), "{place}");
        }
        for elsewhere in ["http://", "https://"] {
            let found = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(elsewhere), "nothing comes from elsewhere");
        }
    });
}
