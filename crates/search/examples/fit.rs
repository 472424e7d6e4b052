//! fit
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, Position, Square, VariantKind};
use turncoat_search::Limits;
use turncoat_search::endgame::{Goal, HandMade, MOST_MOVES, PER_DISC, Solver, TERMS, Terms};
struct Dice(u64);
impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
struct See(Board);
impl Task for See {
    type Output = Terms;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Terms {
        Terms::of(isa, self.0, Geometry::EIGHT)
    }
}
struct Value(Board);
impl Task for Value {
    type Output = [i32; 2];
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [i32; 2] {
        use turncoat_search::endgame::Judge;
        [
            HandMade.judge::<I, turncoat_board::Reversi>(isa, self.0, Geometry::EIGHT),
            HandMade.judge::<I, turncoat_board::Reversed>(isa, self.0, Geometry::EIGHT),
        ]
    }
}
fn look(b: Board, v: VariantKind) -> i32 {
    Backend::best().run(Value(b))[usize::from(v == VariantKind::Reversed)]
}
const M: usize = MOST_MOVES + 1;
const P: usize = 2 * M + 2 * TERMS + 2;
fn row(board: Board, n: u32) -> [f64; P] {
    let t = Backend::best().run(See(board));
    let mut r = [0.0; P];
    let d = (f64::from(n) - 14.0) / 16.0;
    for s in 0..2 {
        let m = t.moves[s].min(MOST_MOVES);
        r[s * M + m] = 1.0;
        r[2 * M + 2 * TERMS + s] = m as f64 * d;
    }
    for i in 0..TERMS {
        r[2 * M + i] = f64::from(t.counts[i]);
        r[2 * M + TERMS + i] = f64::from(t.counts[i]) * d;
    }
    r
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let variant: VariantKind = a[1].parse().unwrap();
    let games: usize = a[2].parse().unwrap();
    let most: u32 = a[3].parse().unwrap();
    let verbose = std::env::var("VERBOSE").is_ok();
    let solver = Solver::new(64, 1, HandMade).unwrap();
    let mut dice = Dice(7);
    let mut data: Vec<([f64; P], f64)> = vec![];
    let mut xtx = vec![vec![0.0; P]; P];
    let mut xty = vec![0.0; P];
    for _ in 0..games {
        let mut p = Position::start(Geometry::EIGHT);
        let until = 8 + dice.next() as u32 % (most - 8 + 1);
        let player = if dice.next() % 8 < 5 {
            variant
        } else {
            VariantKind::BOTH[usize::from(variant == VariantKind::Reversed)]
        };
        let noise = if dice.next() % 4 == 0 { 30.0 } else { 6.0 };
        while p.empties() > until && !p.is_over() {
            let moves: Vec<Square> = p.legal_moves().into_iter().collect();
            if moves.is_empty() {
                p = p.pass();
                continue;
            }
            let mut best = (f64::MIN, moves[0]);
            for &m in &moves {
                let q = p.play(m).unwrap();
                let v = if p.empties() > 50 {
                    0.0
                } else {
                    -f64::from(look(q.board(), player)) / f64::from(PER_DISC)
                };
                let v = v - noise * (1.0 - dice.unit()).ln();
                if v > best.0 {
                    best = (v, m);
                }
            }
            p = p.play(best.1).unwrap();
        }
        if p.is_over() {
            continue;
        }

        let s = solver.solve(p, variant, Goal::Score, &Limits::default(), &|p| {
            if verbose && p.above.is_some() {
                eprintln!("{p:?}")
            }
        });
        data.push((row(p.board(), p.empties()), f64::from(s.lower.discs())));
        // siblings teach the differences between moves
        for m in p.legal_moves() {
            let q = p.play(m).unwrap();
            if dice.next() % 3 != 0 || q.is_over() {
                continue;
            }
            let s = solver.solve(q, variant, Goal::Score, &Limits::default(), &|p| {
                if verbose && p.above.is_some() {
                    eprintln!("{p:?}")
                }
            });
            data.push((row(q.board(), q.empties()), f64::from(s.lower.discs())));
        }
    }
    for (r, y) in &data {
        for i in 0..P {
            if r[i] == 0.0 {
                continue;
            }
            xty[i] += r[i] * y;
            for j in 0..P {
                xtx[i][j] += r[i] * r[j];
            }
        }
    }
    for i in 0..P {
        xtx[i][i] += 3.0;
    }
    // Gauss
    let mut w = xty.clone();
    let mut m = xtx.clone();
    for i in 0..P {
        let p = m[i][i];
        for j in i + 1..P {
            let f = m[j][i] / p;
            if f == 0.0 {
                continue;
            }
            for k in i..P {
                m[j][k] -= f * m[i][k];
            }
            w[j] -= f * w[i];
        }
    }
    for i in (0..P).rev() {
        for j in i + 1..P {
            w[i] -= m[i][j] * w[j];
        }
        w[i] /= m[i][i];
    }
    let mean = data.iter().map(|d| d.1).sum::<f64>() / data.len() as f64;
    let var = data.iter().map(|d| (d.1 - mean).powi(2)).sum::<f64>() / data.len() as f64;
    let err = data
        .iter()
        .map(|(r, y)| (y - r.iter().zip(&w).map(|(a, b)| a * b).sum::<f64>()).powi(2))
        .sum::<f64>()
        / data.len() as f64;
    eprintln!(
        "{} positions, sd {:.2}, rms error {:.2}",
        data.len(),
        var.sqrt(),
        err.sqrt()
    );
    let f = |s: &[f64]| {
        s.iter()
            .map(|x| format!("{}", (x * f64::from(PER_DISC)).round()))
            .collect::<Vec<_>>()
            .join(", ")
    };
    println!(
        "static {}: Weights = Weights {{\n    moves: [[{}], [{}]],\n    counts: [{}],\n    by_empties: [{}],\n    moves_by_empties: [{}],\n}};",
        variant.name().to_uppercase(),
        f(&w[..M]),
        f(&w[M..2 * M]),
        f(&w[2 * M..2 * M + TERMS]),
        f(&w[2 * M + TERMS..2 * M + 2 * TERMS]),
        f(&w[2 * M + 2 * TERMS..])
    );
}
