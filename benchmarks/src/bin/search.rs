//! What each technique of the midgame search brings: nodes of the same searches with it left out. And how
//! deep the player looks in five seconds.

use std::time::{Duration, Instant};

use turncoat_board::{Geometry, Position, Square, Variant, VariantKind};
use turncoat_eval::Evaluation;
use turncoat_players::flagship::{EvaluationTask, error_model_for, with_evaluation};
use turncoat_players::{Limits, Setting, Spec};
use turncoat_search::Watch;
use turncoat_search::pvs::{Selectivity, Techniques, Searcher};
use turncoat_search::transposition::TranspositionTable;

const DEPTH: u32 = 9;

fn main() {
    let seconds: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(5);
    ablations();
    depths(Duration::from_secs(seconds));
}

/// Ten positions of 20 to 47 discs.
fn position(number: u64) -> Position {
    let mut position = Position::start(Geometry::EIGHT);
    let mut state = number.wrapping_mul(0x2545_f491_4f6c_dd1d);
    for _ in 0..16 + number * 3 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        position = match moves.len() {
            0 if position.is_over() => break,
            0 => position.pass(),
            n => position.play(moves[((state >> 33) % n as u64) as usize]).expect("a legal move"),
        };
    }
    position
}

fn ablations() {
    let all = Techniques::ALL;
    println!("Nodes of iterations 1 to {DEPTH} from ten positions, relative to all techniques:\n");
    println!(
        "| left out | Reversed (gene45), full width | Reversed, selective | Reversi (hand), full width | Reversi, selective |"
    );
    println!("|---|---:|---:|---:|---:|");
    let variations = [
        ("nothing", all),
        ("values from the table", Techniques { table_values: false, ..all }),
        ("moves from the table", Techniques { table_moves: false, ..all }),
        ("looking children up", Techniques { child_lookup: false, ..all }),
        ("inner deepening", Techniques { inner_deepening: false, ..all }),
        ("order by estimate", Techniques { estimated_order: false, ..all }),
        ("order by replies", Techniques { mobility_order: false, ..all }),
        ("history", Techniques { history: false, ..all }),
        ("aspiration", Techniques { aspiration: false, ..all }),
    ];
    let columns = [
        ("gene45", VariantKind::Reversed, Selectivity::FULL_WIDTH),
        ("gene45", VariantKind::Reversed, Selectivity::ALL[1]),
        ("hand", VariantKind::Reversi, Selectivity::FULL_WIDTH),
        ("hand", VariantKind::Reversi, Selectivity::ALL[1]),
    ];
    let nodes = |techniques, (name, variant, level): (&str, VariantKind, Selectivity)| {
        let task = Nodes { techniques, level };
        with_evaluation(name, variant, Geometry::EIGHT, task).unwrap_or_else(|error| panic!("{error}"))
    };
    let whole = columns.map(|column| nodes(all, column));
    for (name, techniques) in variations {
        let cells = columns.iter().zip(whole).map(|(&column, whole)| {
            let nodes = nodes(techniques, column);
            if techniques == all {
                format!("{:.2} M", nodes as f64 / 1e6)
            } else {
                format!("{:.2}", nodes as f64 / whole as f64)
            }
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

struct Nodes {
    techniques: Techniques,
    level: Selectivity,
}

impl EvaluationTask for Nodes {
    type Output = u64;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> u64 {
        let fit = error_model_for("", V::KIND, Geometry::EIGHT, &evaluation).expect("no file is read");
        (0..10)
            .map(|number| {
                let position = position(number);
                let table = TranspositionTable::new(32).expect("32 MiB");
                let mut watch = Watch::start(&Limits::default());
                let searcher = Searcher::new(variant, Geometry::EIGHT, &evaluation, &table, fit.as_ref(), &mut watch);
                let mut searcher = searcher.with(self.techniques);
                let mut lines = Searcher::<V, E>::root_moves(position);
                for depth in 1..=DEPTH {
                    searcher.iterate(position, depth, self.level, 1, &mut lines, &mut |_, _| {});
                }
                watch.nodes()
            })
            .sum()
    }
}

fn depths(time: Duration) {
    println!(
        "\nDepth after {time:?} on one core, ten positions:\n\n| position | discs | Reversed: depth | million nodes/s | Reversi: depth | million nodes/s |\n|---|---:|---:|---:|---:|---:|"
    );
    for number in 0..10 {
        let position = position(number);
        let cells = VariantKind::BOTH.map(|variant| {
            let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
            let spec: Spec = "turncoat:solve=0".parse().expect("a player");
            let mut player = spec.build(setting).unwrap_or_else(|error| panic!("{error}"));
            let limits = Limits { time: Some(time), ..Limits::default() };
            let started = Instant::now();
            let thought = player.choose(position, &limits, &mut |_| {}).expect("no fault").expect("a move");
            let rate = thought.nodes as f64 / started.elapsed().as_secs_f64() / 1e6;
            format!("{}{} | {rate:.1}", thought.depth, if thought.exact { " (end)" } else { "" })
        });
        println!("| {} | {} | {} |", number + 1, position.board().discs().count(), cells.join(" | "));
    }
}
