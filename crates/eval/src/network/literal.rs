//! The network once more, square by square and number by number, and the tests that compare the two.

use proptest::prelude::*;
use turncoat_board::isa::{Backend, Isa, Portable, Task};
use turncoat_board::{Board, Geometry, Position, Square, Symmetry, VariantKind};

use super::design::weights_of;
use super::{Design, Network, NetworkWeights};
use crate::UNITS;
use crate::patterns::{Indices, PARTS, PLACES, SHAPES, counts, folds, part, square_at};

/// The value of a board, as the documentation says it.
fn literal(network: &NetworkWeights, board: Board) -> i64 {
    let design = &network.design;
    let mut accumulator: Vec<i64> = network.bias.iter().map(|&bias| i64::from(bias)).collect();
    for slot in slots(board) {
        let number = (0..PARTS).find(|&number| part(number).contains(&slot)).unwrap();
        if !design.reads(number) {
            continue;
        }
        let before: usize = (0..number).filter(|&n| design.reads(n)).map(|n| weights_of(n).len()).sum();
        let vector = before + folds(Geometry::EIGHT).weight[slot] as usize - weights_of(number).start;
        for (unit, sum) in accumulator.iter_mut().enumerate() {
            *sum += i64::from(network.vectors[vector * design.units + unit]);
        }
    }
    let values = accumulator.iter().map(|sum| (sum >> 2).clamp(-127, 127));
    let mut inputs: Vec<i64> = values.clone().map(|value| value.max(0)).collect();
    inputs.extend(values.map(|value| (-value).max(0)));
    let empties = board.empties(Geometry::EIGHT).count() as usize;
    let head = &network.heads[design.stage_of(empties)];
    let sum = |bias: i32, weights: &[i64], inputs: &[i64]| {
        assert_eq!(weights.len(), inputs.len());
        i64::from(bias) + weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum::<i64>()
    };
    for layer in &head.hidden {
        let unit = |(unit, &bias): (usize, &i32)| {
            let weights = &layer.weights[unit * inputs.len()..][..inputs.len()];
            let weights: Vec<i64> = weights.iter().map(|&weight| weight.into()).collect();
            (sum(bias, &weights, &inputs) >> 6).clamp(0, 127)
        };
        inputs = layer.biases.iter().enumerate().map(unit).collect();
    }
    let output: Vec<i64> = head.output.iter().map(|&weight| weight.into()).collect();
    (sum(head.bias, &output, &inputs) >> 7).clamp(i64::from(-63 * UNITS), i64::from(63 * UNITS))
}

/// The slots of a board, read square by square.
fn slots(board: Board) -> Vec<usize> {
    let lane = |place: &crate::patterns::Placement| {
        let mut index = part(place.shape).start;
        for (number, &(row, column)) in SHAPES[place.shape].squares.iter().enumerate() {
            let square = place.symmetry.square(square_at(row, column));
            let contents = match (board.mover().contains(square), board.other().contains(square)) {
                (false, true) => 0,
                (true, _) => 2,
                _ => 1,
            };
            index += contents * SHAPES[place.shape].worth(number);
        }
        index
    };
    let moves = Portable.legal_moves(board, board.empties(Geometry::EIGHT));
    PLACES.iter().map(lane).chain(counts(Portable, board, Geometry::EIGHT, moves)).collect()
}

struct Value<'a>(&'a Network, Board);

impl Task for Value<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let moves = isa.legal_moves(self.1, self.1.empties(Geometry::EIGHT));
        self.0.value(isa, self.1, moves, &Indices::new(self.1, Geometry::EIGHT))
    }
}

/// The positions of a game of these choices.
fn positions(choices: &[usize]) -> Vec<Position> {
    let mut choices = choices.iter();
    let choose = |position: Position, _| {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        let choice = *choices.next()?;
        (!moves.is_empty()).then(|| moves[choice % moves.len()])
    };
    Position::start(Geometry::EIGHT).playout(choose).collect()
}

fn designs() -> impl Strategy<Value = Design> {
    let hidden = prop::collection::vec((1usize..=4).prop_map(|blocks| 16 * blocks), 1..=2);
    (1u32..1 << PARTS, prop::sample::select(vec![16, 32, 48, 128]), hidden, 1usize..=60)
        .prop_map(|(parts, units, hidden, stages)| Design { parts, units, hidden, stages })
}

proptest! {
    // A network is large; each case looks at a whole game.
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn every_instruction_set_computes_what_is_written(
        design in designs(), seed in any::<u64>(), choices in prop::collection::vec(0usize..64, 60)
    ) {
        let weights = NetworkWeights::random(VariantKind::Reversed, design, seed).unwrap();
        let network = Network::new(&weights);
        for board in positions(&choices).into_iter().map(Position::board) {
            let expected = literal(&weights, board);
            for backend in Backend::all() {
                prop_assert_eq!(i64::from(backend.run(Value(&network, board))), expected);
            }
        }
    }

    #[test]
    fn all_orientations_of_a_board_have_one_value(
        design in designs(), seed in any::<u64>(), choices in prop::collection::vec(0usize..64, 60)
    ) {
        let network = Network::new(&NetworkWeights::random(VariantKind::Reversed, design, seed).unwrap());
        for position in positions(&choices) {
            let value = Backend::best().run(Value(&network, position.board()));
            for symmetry in Symmetry::ALL {
                let board = position.transformed(symmetry).board();
                prop_assert_eq!(Backend::best().run(Value(&network, board)), value);
            }
        }
    }
}

#[test]
fn the_greatest_sums_do_not_overflow() {
    let design = Design { parts: (1 << PARTS) - 1, units: 128, hidden: vec![64, 64], stages: 1 };
    for sign in [1, -1] {
        let mut weights = NetworkWeights::blank(VariantKind::Reversed, design.clone()).unwrap();
        weights.bias.fill(sign * (1 << 14));
        weights.vectors.fill(127 * sign as i8);
        let head = &mut weights.heads[0];
        for layer in &mut head.hidden {
            layer.weights.fill(127);
            layer.biases.fill(1 << 24);
        }
        head.output.fill(i16::MAX * sign);
        head.bias = i32::from(sign) << 24;
        let board = Board::start(Geometry::EIGHT);
        let expected = literal(&weights, board);
        for backend in Backend::all() {
            assert_eq!(i64::from(backend.run(Value(&Network::new(&weights), board))), expected);
        }
    }
}
