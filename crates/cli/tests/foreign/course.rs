//! The course's class: hosted as it is, interrupted at its limit, tested and ranked.

use std::fs;

use super::{Folder, objects, said, trust};

fn games(folder: &Folder, bot: &str, more: &[&str]) -> Vec<serde_json::Value> {
    let mut objects = folder.objects(&words(bot, more));
    objects.pop();
    assert_eq!(folder.left_running(), Vec::<String>::new(), "{bot}");
    objects
}

fn words<'a>(bot: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["match", bot, "random", "--games", "2", "--json", "-q"];
    words.extend(more);
    words.extend(trust());
    words
}

/// Every game is played to its end.
fn plays(folder: &Folder, bot: &str, more: &[&str]) {
    for game in folder.games_in_time(&words(bot, more)) {
        assert_eq!(game["reason"], "finished", "{bot}: {game}");
    }
    assert_eq!(folder.left_running(), Vec::<String>::new(), "{bot}");
}

#[test]
fn programs_that_rely_on_being_interrupted_play_whole_games() {
    let folder = Folder::new();
    // The last positions alone: a whole game of full time would take too long.
    for bot in ["course_relies", "course_swallows", "course_native", "course_alarm"] {
        let more = ["--time", "150ms", "--openings", "random:52"];
        plays(&folder, &format!("py:{bot}.py"), &more);
    }
}

#[test]
fn a_list_that_is_read_while_it_changes_loses_nothing() {
    let folder = Folder::new();
    plays(&folder, "py:course_slowly.py", &["--time", "60s", "--openings", "random:52"]);
}

#[test]
fn starting_is_not_thinking() {
    let folder = Folder::new();
    plays(&folder, "py:course_late.py", &["--time", "1s"]);
}

#[test]
fn who_has_nothing_in_its_list_loses_by_time_and_who_raises_by_its_crash() {
    let folder = Folder::new();
    for game in games(&folder, "py:course_empty.py", &["--time", "200ms"]) {
        assert_eq!(game["reason"], "timeout", "{game}");
    }
    for game in games(&folder, "py:course_raises.py", &[]) {
        assert_eq!(
            (game["reason"].as_str(), game["detail"].as_str()),
            (Some("crash"), Some("KeyError: 'fifth' (line 19)"))
        );
    }
}

#[test]
fn what_is_printed_goes_to_the_log_of_the_game() {
    let folder = Folder::new();
    games(&folder, "py:course_good.py", &["--logs", "logs"]);
    let log = fs::read_to_string(folder.path("logs/game-00001-black-py-course-good-py.log")).unwrap();
    assert!(log.starts_with("my moves: [("), "{log}");
    assert!(folder.path("logs/game-00002-white-py-course-good-py.log").exists());
}

#[test]
fn check_says_what_was_expected_and_what_came() {
    let folder = Folder::new();
    let mut words = vec!["check", "course_good.py", "--random", "10", "--json"];
    words.extend(trust());
    let good = folder.objects(&words);
    assert_eq!(good.len(), 21);
    assert!(good[..20].iter().all(|case| case["ok"] == true));
    let summary = good.last().unwrap();
    assert_eq!((summary["passed"].as_u64(), summary["ok"].as_bool()), (Some(20), Some(true)));
    assert!(summary["memory_megabytes"].as_f64().unwrap() < 50.0);

    let line = Folder::line("good_line");
    words[1] = &line;
    let summary = folder.objects(&words).pop().unwrap();
    assert_eq!(summary["ok"], true);
    let (cases, left_out) = (&summary["cases"], &summary["left_out"]);
    assert_eq!(cases.as_u64().unwrap() + left_out.as_u64().unwrap(), 20);
    assert!(left_out.as_u64().unwrap() >= 2, "{summary}");

    words[1] = "course_wrong.py";
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(1));
    let wrong = objects(&output);
    assert_eq!(wrong[0]["expected"], "(2, 3) (3, 2) (4, 5) (5, 4)");
    assert_eq!(wrong[0]["came"], "[[3, 2] (list), [4, 5] (list), [5, 4] (list), (0, 9)]");
    assert_eq!(wrong[0]["complaints"].as_array().unwrap().len(), 4, "{}", wrong[0]);
    assert_eq!(wrong.last().unwrap()["forbidden_imports"].as_array().unwrap().len(), 1);
    assert!(said(&output).contains("0 of 20 answers are right, and it imports os in line 4"), "{}", said(&output));
}

#[test]
fn the_profile_of_the_course_has_its_limits_and_points() {
    let folder = Folder::new();
    let mut words =
        vec!["tournament", "py:course_good.py", "greedy", "random", "--profile", "course", "--store", "t.db"];
    words.extend(trust());
    let output = folder.run(&words);
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("5 s a move, 180 s a game"), "{text}");
    assert!(text.contains("+5/0/-5"), "{text}");
    words[1] = "py:course_wrong.py";
    words[7] = "u.db";
    let noted = said(&folder.run(&words));
    assert!(noted.contains("note: py:course_wrong.py imports os in line 4"), "{noted}");
}

#[test]
fn a_ladder_can_be_interrupted_and_gone_on_with() {
    let folder = Folder::new();
    let whole = ["tournament", "--ladder", "random", "greedy", "turncoat:depth=1", "--games", "12", "--json", "-q"];
    let expected = folder.run(&whole);
    assert!(expected.status.success(), "{}", said(&expected));
    let mut part = whole.to_vec();
    part.extend(["--store", "ladder.db"]);
    part[6] = "4";
    assert!(folder.run(&part).status.success());
    part[6] = "12";
    part.push("--resume");
    let resumed = folder.run(&part);
    assert!(resumed.status.success(), "{}", said(&resumed));
    assert_eq!(objects(&resumed).last(), objects(&expected).last());
    let ladder = objects(&expected).last().unwrap()["ladder"].clone();
    assert_eq!(ladder.as_array().unwrap().len(), 3);
}

#[test]
fn without_python_or_numpy_it_says_what_to_install() {
    let folder = Folder::new();
    let mut command = folder.command(&["match", "py:course_good.py", "random", "--trust"]);
    let output = command.env("TURNCOAT_PYTHON", "/no/such/python").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("install Python 3"), "{}", said(&output));
    // A Python without its packages has no numpy.
    let bare = folder.path("bare-python");
    fs::write(&bare, format!("#!/bin/sh\nexec {} -S \"$@\"\n", super::python().display())).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&bare, mode).unwrap();
    let mut command = folder.command(&["match", "py:course_good.py", "random", "--trust"]);
    let output = command.env("TURNCOAT_PYTHON", &bare).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("-m pip install numpy"), "{}", said(&output));
}

#[test]
fn what_cannot_be_loaded_is_told_once_with_its_line() {
    let folder = Folder::new();
    fs::write(folder.path("broken.py"), "x = 1\nclass AI(object)\n").unwrap();
    let output = folder.run(&[&["check", "broken.py"], trust()].concat());
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("SyntaxError") && text.contains("(line 2)"), "{text}");
    assert!(text.starts_with("py:broken.py fails the test: it does not start"), "{text}");
    // No position is at fault, so none is shown.
    assert_eq!(text.lines().count(), 3, "{text}");
    let rows = folder.run(&[&["check", "broken.py", "--all"], trust()].concat());
    assert_eq!(String::from_utf8_lossy(&rows.stdout), text);
}

/// A class that plays the first legal move, after this.
fn player_after(folder: &Folder, first: &str) {
    let good = fs::read_to_string(folder.path("course_good.py")).unwrap();
    fs::write(folder.path("mine.py"), format!("{first}\n{good}")).unwrap();
}

#[test]
fn files_named_like_pythons_own_modules_do_not_stand_in_for_them() {
    let folder = Folder::new();
    let names = ["random", "json", "time", "typing", "numpy", "types", "queue", "signal", "os", "re"];
    for name in names {
        // Nothing of the folder runs outside the sandbox either: there it could write this.
        let text = "open(__file__ + '.ran', 'w')\nraise SystemExit('mine')\n";
        fs::write(folder.path(&format!("{name}.py")), text).unwrap();
    }
    player_after(&folder, "import numpy, random, json, typing\nrandom.choice(json.loads('[1]'))");
    for game in games(&folder, "py:mine.py", &[]) {
        assert_eq!(game["reason"], "finished", "{game}");
    }
    for name in names {
        assert!(!folder.path(&format!("{name}.py.ran")).exists(), "{name}");
    }
}

#[test]
fn a_file_that_is_mistaken_for_a_module_of_pythons_is_named() {
    let folder = Folder::new();
    // Python's own module comes first, unless the program sees to it that its folder does.
    let own_first = "import sys; sys.path.insert(0, __file__.rsplit('/', 1)[0]); ";
    let (replaced, hidden) =
        ("graphlib.py in the program's folder replaces", "Python's own module random comes before");
    for (file, text, first, said) in [
        ("graphlib.py", "x = 1", format!("{own_first}from graphlib import TopologicalSorter"), replaced),
        ("graphlib.py", "1 / 0", format!("{own_first}import graphlib"), replaced),
        ("random.py", "def best(): pass", "from random import best".to_owned(), hidden),
    ] {
        fs::write(folder.path(file), text).unwrap();
        player_after(&folder, &first);
        for game in games(&folder, "py:mine.py", &[]) {
            assert!(game["detail"].as_str().unwrap().contains(said), "{first}: {game}");
        }
        fs::remove_file(folder.path(file)).unwrap();
    }
}
