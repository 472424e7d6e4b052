//! The evaluations on bitboards against the reports' formulas, cell by cell, on thousands of positions.

mod literal;

use literal::{Grid, as_linear};
use proptest::prelude::*;
use turncoat_board::{Bitboard, Color, Geometry, Position, Setup, Square};
use turncoat_eval::classic::{Gene45, Linear, NineWeights, ShiftingWeights, Signs, SixStage, TopSix, TopSixSet};
use turncoat_eval::{ClassicEvaluation, RootView};

/// Positions of random games, each ply of them.
fn for_positions_of_random_play(geometry: Geometry, games: u64, mut check: impl FnMut(&RootView, &Grid)) {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    for _ in 0..games {
        let mut position = Position::start(geometry);
        while !position.is_over() {
            let mut view = RootView::from_root(position);
            view.root_discs = 4 + below(usize::from(geometry.area()) - 3) as u32;
            check(&view, &Grid::of(position.board(), geometry));
            let moves: Vec<Square> = position.legal_moves().into_iter().collect();
            position = match moves.len() {
                0 => position.pass(),
                n => position.play(moves[below(n)]).unwrap(),
            };
        }
    }
}

/// Any discs, corners among them far more often than in play.
fn any_view() -> impl Strategy<Value = (RootView, Geometry)> {
    (any::<u64>(), any::<u64>(), any::<u64>(), 0..3usize).prop_filter_map("no discs", |(a, b, c, size)| {
        let geometry = Geometry::ALL[size];
        // Mostly full boards with long runs of one colour near the corners.
        let discs = (a | b) & geometry.squares().0;
        let colors = c & c.rotate_left(1) | a & b;
        let setup =
            Setup { geometry, black: Bitboard(discs & colors), white: Bitboard(discs & !colors), side: Color::Black };
        setup.check().ok().map(|position| (RootView::from_root(position), geometry))
    })
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs() + b.abs())
}

fn classes(weights: &[f64]) -> [f64; 10] {
    weights.try_into().unwrap()
}

fn gene45(grid: &Grid) -> f64 {
    let parameters = Gene45::published();
    let discs = grid.count(1) + grid.count(-1);
    let stage = &parameters.stages[((discs - 5) / 30) as usize];
    let moves = |color: i8| grid.moves(color).into_iter().map(move |(row, column)| (row, column, color));
    -grid.table(classes(&stage[..10]), grid.all())
        + grid.table(classes(&stage[10..20]), moves(1).chain(moves(-1)))
        + parameters.shared[0] * f64::from(grid.walked_stable(-1) - grid.walked_stable(1))
        + stage[20] * f64::from(grid.frontier_pairs(1) - grid.frontier_pairs(-1))
        + stage[21] * f64::from(grid.count(1) - grid.count(-1))
}

fn nine_weights(grid: &Grid, literal_signs: bool) -> f64 {
    let parameters = NineWeights::published();
    let placed = grid.count(1) + grid.count(-1) - 4;
    let stage = &parameters.stages[usize::from(placed >= 30)];
    let sign = if literal_signs { -1.0 } else { 1.0 };
    parameters.shared[0] * grid.table(classes(&parameters.shared[1..]), grid.all())
        + stage[0] * (grid.moves(1).len() as f64 - grid.moves(-1).len() as f64)
        + sign * stage[1] * f64::from(grid.frontier_discs(-1) - grid.frontier_discs(1))
        + sign * stage[2] * f64::from(grid.walked_stable(-1) - grid.walked_stable(1))
        + stage[3] * f64::from(grid.count(-1) - grid.count(1))
}

fn top_six(view: &RootView, grid: &Grid, set: TopSixSet) -> f64 {
    let parameters = TopSix::published(set);
    let (moves_made, phases) = (view.root_discs as usize - 4, parameters.stages.len());
    let w = &parameters.stages[(moves_made * phases / 60).min(phases - 1)];
    w[0] * grid.table(classes(&parameters.shared), grid.all())
        + w[1] * f64::from(grid.walked_stable(-1) - grid.walked_stable(1))
        + w[2] * (grid.moves(1).len() as f64 - grid.moves(-1).len() as f64)
        + w[3] * f64::from(grid.kill(-1) - grid.kill(1))
        + w[4] * f64::from(grid.corners(-1) - grid.corners(1))
        + w[5] * f64::from(grid.conquered(1) - grid.conquered(-1))
        + w[6] * f64::from(grid.count(-1) - grid.count(1))
}

fn six_stage(view: &RootView, grid: &Grid) -> f64 {
    let parameters = SixStage::published();
    let number = view.root_discs - 3;
    let stage = [15, 30, 40, 50, 60].into_iter().filter(|&last| number >= last).count();
    let w = &parameters.stages[stage];
    w[0] * grid.table(classes(&parameters.shared), grid.all())
        + w[1] * (grid.moves(1).len() as f64 - grid.moves(-1).len() as f64)
        + w[2] * f64::from(grid.tied_and_clamped(1) - grid.tied_and_clamped(-1))
}

/// shifting-weights' "stator", square by square.
fn shifting_weights(grid: &Grid) -> f64 {
    let classes_8x8 = classes(&ShiftingWeights::published().shared[1..]);
    let mut matrix = [[0.0; 8]; 8];
    for (row, line) in matrix.iter_mut().enumerate() {
        for (column, cell) in line.iter_mut().enumerate() {
            *cell = grid.table(classes_8x8, std::iter::once((row as i32, column as i32, 1)));
        }
    }
    let held = |row: i32, column: i32| grid.get(row, column) == Some(1);
    for (row, column) in [(0, 0), (0, 7), (7, 0), (7, 7)] {
        if held(row, column) {
            let (r, c) = (if row == 0 { 1 } else { -1 }, if column == 0 { 1 } else { -1 });
            let mut set = |row: i32, column: i32, weight| matrix[row as usize][column as usize] = weight;
            set(row + r, column, -200.0);
            set(row, column + c, -200.0);
            set(row + r, column + c, -100.0);
            set(row + 3 * r, column, -50.0);
            set(row, column + 3 * c, -50.0);
            set(row + 4 * r, column, if held(7 - row, column) { -50.0 } else { -30.0 });
            set(row, column + 4 * c, if held(row, 7 - column) { -50.0 } else { -30.0 });
        }
    }
    grid.all().map(|(row, column, cell)| f64::from(cell) * matrix[row as usize][column as usize]).sum()
}

/// Every evaluation that plays on this size, beside its literal twin.
fn check_all(view: &RootView, grid: &Grid, geometry: Geometry) {
    let check = |name: &str, value: f64, terms: Vec<turncoat_eval::Term>, expected: Option<f64>| {
        let sum: f64 = terms.iter().map(turncoat_eval::Term::product).sum();
        assert!(close(value, sum), "{name}: {value} but its terms add up to {sum}");
        if let Some(expected) = expected {
            assert!(close(value, expected), "{name}: {value} instead of {expected}: {:?}", view.board);
        }
    };
    // Stages by disc count shrink on small boards, which the literal twins do not know.
    let full = geometry == Geometry::EIGHT;
    let e = Gene45::new(&Gene45::published(), geometry).unwrap();
    check("gene45", e.evaluate(view), e.terms(view), full.then(|| gene45(grid)));
    for (signs, literal) in [(Signs::Sensible, false), (Signs::Literal, true)] {
        let e = NineWeights::new(&NineWeights::published(), signs, geometry).unwrap();
        check("nine-weights", e.evaluate(view), e.terms(view), full.then(|| nine_weights(grid, literal)));
    }
    for set in [TopSixSet::Static, TopSixSet::Dynamic, TopSixSet::Genetic] {
        let e = TopSix::new(&TopSix::published(set), geometry).unwrap();
        let expected = (full || set == TopSixSet::Static).then(|| top_six(view, grid, set));
        check("top-six", e.evaluate(view), e.terms(view), expected);
    }
    let e = SixStage::new(&SixStage::published(), geometry).unwrap();
    check("six-stage", e.evaluate(view), e.terms(view), full.then(|| six_stage(view, grid)));
    if full {
        let e = ShiftingWeights::new(&ShiftingWeights::published()).unwrap();
        check("shifting-weights", e.evaluate(view), e.terms(view), Some(shifting_weights(grid)));
    }
}

/// The evaluations once more, written as files of `linear`: whatever they count it counts too.
fn check_linear(view: &RootView, geometry: Geometry) {
    // The stage of some is that of the root.
    let view = &RootView { root_discs: view.board.discs().count(), ..*view };
    let check = |text: String, expected: f64| {
        let (schema, parameters) = Linear::read(&text).unwrap();
        let linear = Linear::new(&schema, &parameters, geometry).unwrap();
        let (value, sum) = (linear.evaluate(view), linear.terms(view).iter().map(turncoat_eval::Term::product).sum());
        assert!(close(value, expected) && close(value, sum), "{value}, {sum} instead of {expected}:\n{text}");
    };
    check(as_linear::gene45(), Gene45::new(&Gene45::published(), geometry).unwrap().evaluate(view));
    let nine_weights = NineWeights::new(&NineWeights::published(), Signs::Sensible, geometry).unwrap();
    check(as_linear::nine_weights(), nine_weights.evaluate(view));
    let top_six = TopSix::new(&TopSix::published(TopSixSet::Dynamic), geometry).unwrap();
    check(as_linear::top_six(), top_six.evaluate(view));
    check(as_linear::six_stage(), SixStage::new(&SixStage::published(), geometry).unwrap().evaluate(view));
    if geometry == Geometry::EIGHT {
        let shifting_weights = ShiftingWeights::new(&ShiftingWeights::published()).unwrap();
        check(as_linear::shifting_weights(), shifting_weights.evaluate(view));
    }
}

/// Every feature on its own, on every size of board.
fn check_features(view: &RootView, grid: &Grid, geometry: Geometry) {
    use turncoat_board::isa::{Isa, Portable};
    use turncoat_eval::classic::features as f;
    let empties = view.board.empties(geometry);
    let marked = f::walked_stable(view.own(), view.opposing(), geometry);
    for (color, board, moves) in [(1, view.board, view.own_moves), (-1, view.board.pass(), view.opposing_moves)] {
        let (own, opposing) = (board.mover(), board.other());
        let tied = 5 * f::tied_to_corners(own, geometry).count() + f::clamped_edges(own, opposing, geometry).count();
        assert_eq!(moves.count() as usize, grid.moves(color).len());
        assert_eq!(Portable.legal_moves(board, empties), moves);
        assert_eq!(f::kill(Portable, board, moves) as i32, grid.kill(color));
        assert_eq!((own & marked).count() as i32, grid.walked_stable(color));
        assert_eq!(tied as i32, grid.tied_and_clamped(color));
        assert_eq!(f::frontier_discs(own, empties) as i32, grid.frontier_discs(color));
        assert_eq!((own & f::corners(geometry)).count() as i32, grid.corners(color));
        assert_eq!(f::conquered_corners(own, empties, geometry) as i32, grid.conquered(color));
        assert_eq!(f::lead(own, opposing), grid.count(color) - grid.count(-color));
        let pairs = grid.frontier_pairs(color) - grid.frontier_pairs(-color);
        assert_eq!(f::frontier_pairs(own, opposing, empties), pairs);
    }
    let weights = [1.0, 20.0, 300.0, 4e3, 5e4, 6e5, 7e6, 8e7, 9e8, 1e10];
    let table = f::ClassTable::new(weights, geometry);
    assert!(close(table.difference(view.own(), view.opposing()), grid.table(weights, grid.all())));
}

#[test]
fn random_play_agrees_with_the_reports() {
    for (geometry, games) in [(Geometry::EIGHT, 100), (Geometry::SIX, 30), (Geometry::FOUR, 30)] {
        for_positions_of_random_play(geometry, games, |view, grid| {
            check_features(view, grid, geometry);
            check_all(view, grid, geometry);
        });
    }
    for geometry in Geometry::ALL {
        for_positions_of_random_play(geometry, 5, |view, _| check_linear(view, geometry));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_discs_agree_with_the_reports((view, geometry) in any_view()) {
        check_features(&view, &Grid::of(view.board, geometry), geometry);
        check_all(&view, &Grid::of(view.board, geometry), geometry);
        check_linear(&view, geometry);
    }
}

#[test]
fn the_printed_matrices_are_the_classes() {
    // gene45's report, matrix (1), first four rows.
    let printed = [
        [47, -35, 9, 23, 23, 9, -35, 47],
        [-35, -25, 48, 25, 25, 48, -25, -35],
        [9, 48, 6, -45, -45, 6, 48, 9],
        [23, 25, -45, -53, -53, -45, 25, 23],
    ];
    let weights = classes(&Gene45::published().stages[0][..10]);
    let table = turncoat_eval::classic::features::ClassTable::new(weights, Geometry::EIGHT);
    for (row, line) in printed.iter().enumerate() {
        for (column, &weight) in line.iter().enumerate() {
            for row in [row as u8, 7 - row as u8] {
                let found = table.weight(Square::from_coordinates(row, column as u8).unwrap());
                assert!(close(found, f64::from(weight)));
            }
        }
    }
}
