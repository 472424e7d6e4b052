//! `cargo xtask bench search`: the nodes of the same searches with one technique disabled, and the depth that the player
//! reaches in five seconds.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use turncoat_board::{Geometry, Position, Variant, VariantKind};
use turncoat_eval::Evaluation;
use turncoat_players::flagship::{EvaluationTask, error_model_for, with_evaluation};
use turncoat_players::{Limits, Setting, Spec};
use turncoat_search::Watch;
use turncoat_search::pvs::{Searcher, Selectivity, Techniques};
use turncoat_search::transposition::TranspositionTable;

use crate::argument;
use crate::positions::{congruential, random_position};

const DEPTH: u32 = 9;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let seconds = argument(words, 0, 5)?;
    ablations()?;
    depths(Duration::from_secs(seconds))
}

/// Ten positions of 20 to 47 discs.
fn position(number: u64) -> Position {
    random_position(16 + number * 3, congruential(number))
}

fn ablations() -> Result<()> {
    let all = Techniques::ALL;
    println!("Nodes of iterations 1 to {DEPTH} from ten positions, relative to all techniques:\n");
    println!(
        "| disabled | Reversed (gene45), full width | Reversed, selective | Reversi (hand), full width | Reversi, selective |"
    );
    println!("|---|---:|---:|---:|---:|");
    let variations = [
        ("nothing", all),
        ("values from the table", Techniques { table_values: false, ..all }),
        ("moves from the table", Techniques { table_moves: false, ..all }),
        ("looking up children", Techniques { child_lookup: false, ..all }),
        ("internal deepening", Techniques { inner_deepening: false, ..all }),
        ("order by estimate", Techniques { estimated_order: false, ..all }),
        ("order by mobility", Techniques { mobility_order: false, ..all }),
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
        with_evaluation(name, variant, Geometry::EIGHT, task).map_err(|error| anyhow!("{error}"))?
    };
    let whole = columns.into_iter().map(|column| nodes(all, column)).collect::<Result<Vec<u64>>>()?;
    for (name, techniques) in variations {
        print!("| {name} |");
        for (&column, &whole) in columns.iter().zip(&whole) {
            match nodes(techniques, column)? as f64 {
                nodes if techniques == all => print!(" {:.2} M |", nodes / 1e6),
                nodes => print!(" {:.2} |", nodes / whole as f64),
            }
        }
        println!();
    }
    Ok(())
}

struct Nodes {
    techniques: Techniques,
    level: Selectivity,
}

impl EvaluationTask for Nodes {
    type Output = Result<u64>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Result<u64> {
        let model = error_model_for("", V::KIND, Geometry::EIGHT, &evaluation).map_err(|error| anyhow!("{error}"))?;
        let mut nodes = 0;
        for number in 0..10 {
            let position = position(number);
            let table = TranspositionTable::new(32)?;
            let mut watch = Watch::start(&Limits::default());
            let searcher = Searcher::new(variant, Geometry::EIGHT, &evaluation, &table, model.as_ref(), &mut watch);
            let mut searcher = searcher.with(self.techniques);
            let mut moves = Searcher::<V, E>::root_moves(position);
            for depth in 1..=DEPTH {
                searcher.iterate(position, depth, self.level, 1, &mut moves, &mut |_, _| {});
            }
            nodes += watch.nodes();
        }
        Ok(nodes)
    }
}

fn depths(time: Duration) -> Result<()> {
    println!(
        "\nDepth after {time:?} on one core, ten positions:\n\n| position | discs | Reversed: depth | million nodes/s | Reversi: depth | million nodes/s |\n|---|---:|---:|---:|---:|---:|"
    );
    for number in 0..10 {
        let position = position(number);
        print!("| {} | {} |", number + 1, position.board().discs().count());
        for variant in VariantKind::BOTH {
            let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
            let mut player = "turncoat:solve=0".parse::<Spec>()?.build(setting)?;
            let limits = Limits { time: Some(time), ..Limits::default() };
            let started = Instant::now();
            let thought = player.choose(position, &limits, &mut |_| {})?.context("no move")?;
            let rate = thought.nodes as f64 / started.elapsed().as_secs_f64() / 1e6;
            print!(" {}{} | {rate:.1} |", thought.depth, if thought.exact { " (end)" } else { "" });
        }
        println!();
    }
    Ok(())
}
