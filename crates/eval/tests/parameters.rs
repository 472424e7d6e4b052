//! Files of parameters: written and read again, and refused with the reason where they do not fit.

use turncoat_board::{Color, Geometry, Position, VariantKind};
use turncoat_eval::classic::{
    ColorWeights, Gene45, Linear, NineWeights, Parameters, Schema, ShiftingWeights, SixStage, StageCourse, TopSix,
    TopSixSet,
};
use turncoat_eval::{ClassicEvaluation, RootView};

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
        assert_eq!(schema.read(&schema.write(&parameters)), Ok(parameters), "{}", schema.player);
    }
}

#[test]
fn files_that_do_not_fit_are_refused_with_the_reason() {
    let schema = Gene45::SCHEMA;
    let file = schema.write(&Gene45::published());
    let refused = |text: String| schema.read(&text).unwrap_err().to_string();
    for (from, to, expected) in [
        ("player = \"gene45\"", "", "the file has no \"player\""),
        ("\"gene45\"", "\"top-six\"", "these are parameters of \"top-six\", not of \"gene45\""),
        ("\"reversed\"", "\"reversi\"", "these are parameters for \"reversi\", not for \"reversed\""),
        ("stable = 202", "stabel = 202", "the file has no \"stable\""),
        ("stable = 202", "stable = 202\nmagic = 1", "the file has \"magic\", which this player does not know"),
        ("stable = 202", "stable = \"many\"", "the file: \"stable\" holds \"many\", which is not a number"),
        ("stable = 202", "stable = nan", "the file: \"stable\" holds nan, which is not a number"),
        ("stable = 202", "stable = 1e7", "which is not a number from -1000000 to 1000000"),
        ("47, -35, 9", "47, -35", "stage 1: \"board\" has 9 numbers instead of 10"),
        ("[34]", "[34, 50]", "there are 2 stages for 2 thresholds"),
        ("[34]", "[2]", "\"last_discs\" is a list of rising whole numbers from 4 to 63"),
        ("[34]", "\"all\"", "\"last_discs\" is a list of rising whole numbers from 4 to 63"),
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

#[test]
fn smooth_weights_are_interpolated_between_their_knots() {
    let mut parameters = Gene45::published();
    parameters.course = StageCourse::Knots(vec![10, 50]);
    let stage = |factor: f64| {
        let stage = &Gene45::published().stages[0];
        stage.iter().map(|weight| weight * factor).collect::<Vec<_>>()
    };
    parameters.stages = vec![stage(1.0), stage(3.0)];
    parameters.shared = vec![0.0];
    let read = Gene45::SCHEMA.read(&Gene45::SCHEMA.write(&parameters));
    assert_eq!(read.as_ref(), Ok(&parameters));
    let smooth = Gene45::new(&parameters, Geometry::EIGHT).unwrap();
    parameters.course = StageCourse::LastDiscs(vec![]);
    parameters.stages = vec![stage(1.0)];
    let plain = Gene45::new(&parameters, Geometry::EIGHT).unwrap();
    let mut position = Position::start(Geometry::EIGHT);
    while !position.is_over() {
        let view = RootView::from_root(position);
        let discs = f64::from(position.board().discs().count());
        let factor = ((discs - 10.0) / 20.0 + 1.0).clamp(1.0, 3.0);
        let (expected, found) = (factor * plain.evaluate(&view), smooth.evaluate(&view));
        assert!((expected - found).abs() < 1e-6 * expected.abs().max(1.0));
        let square = position.legal_moves().into_iter().next();
        position = square.map_or_else(|| position.pass(), |square| position.play(square).unwrap());
    }
}

#[test]
fn white_may_have_weights_of_its_own() {
    let mut parameters = NineWeights::published();
    parameters.white = Some(ColorWeights { shared: vec![1.0; 11], stages: vec![vec![2.0; 4], vec![3.0; 4]] });
    let text = NineWeights::SCHEMA.write(&parameters);
    assert_eq!(NineWeights::SCHEMA.read(&text).as_ref(), Ok(&parameters));
    assert_eq!(parameters.for_color(Color::Black), NineWeights::published());
    assert_eq!(parameters.for_color(Color::White).stages[1], vec![3.0; 4]);
    let names: Vec<String> = NineWeights::SCHEMA.tables(&parameters).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["board, black", "board, white"]);
    for (from, to, expected) in [
        ("[[white.stage]]\nmobility", "[[white.stage]]\nspeed = 1\nmobility", "white, stage 1 has"),
        ("[white]\n", "[white]\nspeed = 1\n", "[white] has \"speed\""),
        ("last_discs = [33]", "knots = [4, 70]", "\"knots\" is a list of rising"),
        ("last_discs = [33]", "knots = [4]", "there are 2 stages for 1 \"knots\""),
        ("last_discs = [33]", "knots = [4, 64]\nlast_discs = [33]", "\"knots\" is a list of rising"),
    ] {
        let commentless: String =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        let bad = commentless.replacen(from, to, 1);
        assert_ne!(bad, commentless, "{from}");
        let error = NineWeights::SCHEMA.read(&bad).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_file_of_linear_says_which_features_it_weighs() {
    for variant in VariantKind::BOTH {
        let (schema, parameters) = Linear::published(variant).unwrap();
        assert_eq!(schema.variant, variant);
        assert_eq!(Linear::read(&schema.write(&parameters)), Ok((schema, parameters)));
    }
    let file = "player = \"linear\"\nvariant = \"reversi\"\nmoves = 2\n";
    let (schema, parameters) = Linear::read(file).unwrap();
    assert_eq!((schema.shared.len(), schema.staged.len(), schema.variant), (1, 0, VariantKind::Reversi));
    assert_eq!(Linear::read(&schema.write(&parameters)), Ok((schema, parameters)));
    let names = ["moves", "board"].map(str::to_owned);
    let (schema, blank) = Linear::blank(VariantKind::Reversed, &names).unwrap();
    assert_eq!(blank.stages, [[0.0; 11]]);
    let refitted = Linear::new(&schema, &blank.restaged(StageCourse::Knots(vec![14, 54])), Geometry::SIX).unwrap();
    assert_eq!(refitted.terms(&RootView::from_root(Position::start(Geometry::SIX))).len(), 11);
    for (text, expected) in [
        (file.replace("moves", "mvoes"), "the file has \"mvoes\", which is no feature: there are discs, own_discs, "),
        (file.replace("moves = 2", ""), "the file weighs no feature: there are discs, "),
        (file.replace("reversi", "chess"), "these are parameters for \"chess\", not for \"reversed\""),
        (format!("{file}[[stage]]\nmoves = 1\n"), "\"moves\" is weighed twice"),
        (format!("{file}[[stage]]\nkil = 1\n"), "stage 1 has \"kil\", which is no feature"),
        (format!("{file}[[stage]]\nkill = 1\n[[stage]]\n"), "there are 2 stages for 0 thresholds"),
        (format!("{file}knots = [4, 60]\n[[stage]]\nkill = 1\n[[stage]]\n"), "stage 2 has no \"kill\""),
        (format!("{file}board = [1, 2]\n"), "\"board\" has 2 numbers instead of 10"),
        (format!("{file}[white]\n"), "[white] has no \"moves\""),
    ] {
        let error = Linear::read(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
