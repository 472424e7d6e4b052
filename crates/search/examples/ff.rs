//! temporary
use turncoat_board::{Geometry, Position, VariantKind};
use turncoat_search::Limits;
use turncoat_search::endgame::{Goal, HandMade, Solver};
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    f[11].parse::<f64>().unwrap() / 100.0
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let variant: VariantKind = a[2].parse().unwrap();
    let (from, to): (usize, usize) = (a[3].parse().unwrap(), a[4].parse().unwrap());
    let verbose = std::env::var("VERBOSE").is_ok();
    let solver = Solver::new(
        512,
        std::env::var("THREADS").map_or(1, |t| t.parse().unwrap()),
        HandMade,
    )
    .unwrap();
    let (mut tn, mut tt) = (0, 0.0);
    for (i, line) in std::fs::read_to_string(&a[1])
        .unwrap()
        .lines()
        .filter(|l| !l.starts_with('%'))
        .enumerate()
    {
        if i < from || i > to {
            continue;
        }
        let mut f = line.split(';');
        let p = Position::parse(f.next().unwrap(), Geometry::EIGHT).unwrap();
        let best: i32 = f
            .next()
            .unwrap()
            .split(':')
            .nth(1)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let t = cpu();
        let s = solver.solve(p, variant, Goal::Score, &Limits::default(), &|p| {
            if verbose && p.above.is_some() {
                eprintln!("{p:?}")
            }
        });
        let dt = cpu() - t;
        println!(
            "{i} n={} score {} expected {} nodes {:.1}M t {:.2} {:.1}Mn/s {}",
            p.empties(),
            s.lower.discs(),
            best,
            s.nodes as f64 / 1e6,
            dt,
            s.nodes as f64 / 1e6 / dt,
            if s.lower.discs() != best { "WRONG" } else { "" }
        );
        tn += s.nodes;
        tt += dt;
    }
    println!(
        "total {:.1}M nodes {:.2}s {:.1}Mn/s",
        tn as f64 / 1e6,
        tt,
        tn as f64 / 1e6 / tt
    );
}
