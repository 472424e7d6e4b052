//! Files of parameters: written and read again, and refused with the reason where they do not fit.

use turncoat_eval::classic::{
    Gene45, NineWeights, Parameters, Schema, ShiftingWeights, SixStage, TopSix, TopSixSet,
};

fn all() -> Vec<(Schema, Parameters)> {
    let top_six = |set| (TopSix::SCHEMA, TopSix::published(set));
    vec![
        (Gene45::SCHEMA, Gene45::published()),
        (NineWeights::SCHEMA, NineWeights::published()),
        top_six(TopSixSet::Static),
        top_six(TopSixSet::Dynamic),
        top_six(TopSixSet::Genetic),
        (ShiftingWeights::SCHEMA, ShiftingWeights::published()),
        (SixStage::SCHEMA, SixStage::published()),
    ]
}

#[test]
fn published_parameters_survive_a_file() {
    for (schema, parameters) in all() {
        assert!(schema.fits(&parameters), "{}", schema.player);
        assert_eq!(
            schema.read(&schema.write(&parameters)),
            Ok(parameters),
            "{}",
            schema.player
        );
    }
}

#[test]
fn files_that_do_not_fit_are_refused_with_the_reason() {
    let schema = Gene45::SCHEMA;
    let file = schema.write(&Gene45::published());
    let refused = |text: String| schema.read(&text).unwrap_err().to_string();
    for (from, to, expected) in [
        ("player = \"gene45\"", "", "the file has no \"player\""),
        (
            "\"gene45\"",
            "\"top-six\"",
            "these are parameters of \"top-six\", not of \"gene45\"",
        ),
        (
            "\"reversed\"",
            "\"reversi\"",
            "these are parameters for \"reversi\", not for \"reversed\"",
        ),
        ("stable = 202", "stabel = 202", "the file has no \"stable\""),
        (
            "stable = 202",
            "stable = 202\nmagic = 1",
            "the file has \"magic\", which this player does not know",
        ),
        (
            "stable = 202",
            "stable = \"many\"",
            "the file: \"stable\" holds \"many\", which is not a number",
        ),
        (
            "stable = 202",
            "stable = nan",
            "the file: \"stable\" holds nan, which is not a number",
        ),
        (
            "stable = 202",
            "stable = 1e7",
            "which is not a number from -1000000 to 1000000",
        ),
        (
            "47, -35, 9",
            "47, -35",
            "stage 1: \"board\" has 9 numbers instead of 10",
        ),
        ("[34]", "[34, 50]", "there are 2 stages for 2 thresholds"),
        (
            "[34]",
            "[2]",
            "\"last_discs\" is a list of rising whole numbers from 4 to 63",
        ),
        (
            "[34]",
            "\"all\"",
            "\"last_discs\" is a list of rising whole numbers from 4 to 63",
        ),
        ("= 202", "202", "line 6: not TOML: "),
    ] {
        let changed = file.replacen(from, to, 1);
        assert_ne!(changed, file, "{from}");
        let said = refused(changed);
        assert!(said.contains(expected), "{from} -> {to}: {said}");
    }
    assert!(refused(file + "discs = [1]\n").contains("not TOML"));
    assert!(refused(String::new()).contains("no \"player\""));
}
