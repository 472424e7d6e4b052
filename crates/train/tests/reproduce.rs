//! Reproductions of the reports: all their work can be done, stopped and resumed, and ends in a page.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use turncoat_players::StopFlag;
use turncoat_train::reproduce::{PAGE, Report, ReproduceError, Reproduction, Scale, Step};
use turncoat_train::run_folder::FolderError;

/// Works on a reproduction until so many messages; whether it came to its end.
fn work(run: &mut Reproduction, messages: u64) -> bool {
    let (stop, heard) = (StopFlag::default(), AtomicU64::new(0));
    loop {
        let step = run.step(&stop, &|_| {
            if heard.fetch_add(1, Ordering::Relaxed) == messages {
                stop.raise();
            }
        });
        match step.unwrap() {
            Step::Part(..) => {}
            Step::Complete => return true,
            Step::Interrupted => return false,
        }
    }
}

fn page(folder: &Path) -> String {
    fs::read_to_string(folder.join(PAGE)).unwrap()
}

#[test]
fn every_report_is_run_to_its_end() {
    let place = tempfile::tempdir().unwrap();
    for name in Report::names() {
        let folder = place.path().join(name);
        let mut run = Reproduction::create(name, Scale::Quick, 1, &folder).unwrap();
        assert!(work(&mut run, u64::MAX));
        let (done, all) = run.done();
        assert!(done == all && all > 0);
        let page = page(&folder);
        assert!(page.ends_with("</html>\n") && !page.contains("Not done yet"), "{name}");
        for part in &run.report().parts {
            assert!(page.contains(&format!("<h2 id=\"{}\">", part.id)), "{name}");
        }
    }
    // The report's numbers beside ours.
    let nine = page(&place.path().join("nine-weights"));
    assert!(nine.contains("(34.35)") && nine.contains("4.7 min"), "Tables I and II");
    assert!(nine.contains("<td>mobility, stage 1<td>2.51<td>") && nine.contains("mode 1, both ways"));
    let six = page(&place.path().join("top-six"));
    assert!(six.contains("Fig. 13: conquers three corners") && six.contains("1_9 – 1_7"));
    assert!(six.matches("<figure class=\"boards\">").count() == 1);
}

#[test]
fn a_stopped_one_continues_with_the_same_numbers() {
    let place = tempfile::tempdir().unwrap();
    let (whole, pieces) = (place.path().join("whole"), place.path().join("pieces"));
    work(&mut Reproduction::create("shifting-weights", Scale::Quick, 5, &whole).unwrap(), u64::MAX);
    let mut complete = work(&mut Reproduction::create("shifting-weights", Scale::Quick, 5, &pieces).unwrap(), 2);
    let mut stops = 0;
    while !complete {
        stops += 1;
        complete = work(&mut Reproduction::resume(&pieces).unwrap(), 7 * stops);
    }
    assert!(stops > 0);
    let tables = |folder: &Path| Reproduction::resume(folder).unwrap().outcomes()["forms"].tables.clone();
    assert_eq!(tables(&whole), tables(&pieces));
}

#[test]
fn faults_are_named() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("one");
    let unknown = Reproduction::create("gene46", Scale::Quick, 1, &folder).unwrap_err();
    assert!(unknown.is_misuse() && !folder.exists());
    drop(Reproduction::create("gene45", Scale::Quick, 1, &folder).unwrap());
    let occupied = Reproduction::create("gene45", Scale::Quick, 1, &folder).unwrap_err();
    assert!(matches!(occupied, ReproduceError::Folder(FolderError::Occupied(_))));
    fs::write(folder.join("speed.json"), "{").unwrap();
    let damaged = Reproduction::resume(&folder).unwrap_err();
    assert!(damaged.to_string().contains("speed.json is damaged"), "{damaged}");
    fs::remove_file(folder.join("speed.json")).unwrap();
    let settings = fs::read_to_string(folder.join("settings.toml")).unwrap();
    fs::write(folder.join("settings.toml"), settings.replace("seed = 1", "seed = 2")).unwrap();
    assert!(matches!(Reproduction::resume(&folder), Err(ReproduceError::Folder(FolderError::Changed { .. }))));
}
