//! A trained network as it is stored.

use turncoat_board::VariantKind;
use turncoat_util::{SplitMix64, fnv1a, fnv1a_with};

use super::design::{Design, DesignFault};

/// The accumulator counts in 512ths of what saturates a unit; a unit's value is in 128ths.
pub(super) const ACCUMULATOR_SHIFT: u32 = 2;
/// Weights of hidden layers are in 64ths.
pub(super) const HIDDEN_SHIFT: u32 = 6;
/// Weights of the output are in 64ths of a disc, for inputs in 128ths.
pub(super) const OUTPUT_SHIFT: u32 = 7;
/// The greatest value of a unit.
pub(super) const FULL: i16 = 127;
/// The greatest bias of the accumulator: no sum overflows.
pub(super) const MOST_BIAS: i16 = 1 << 14;
/// The same of layers.
pub(super) const MOST_LAYER_BIAS: i32 = 1 << 24;

/// A trained network: vectors for contents that are equal by symmetry, and a head for each stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkWeights {
    /// The game that it evaluates.
    pub variant: VariantKind,
    /// Its sizes.
    pub design: Design,
    /// What the accumulator begins with, by unit.
    pub bias: Vec<i16>,
    /// The vectors, one after the other.
    pub vectors: Vec<i8>,
    /// By stage.
    pub heads: Vec<Head>,
}

/// The layers of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The hidden layers.
    pub hidden: Vec<Layer>,
    /// What each unit of the last one adds to the value.
    pub output: Vec<i16>,
    /// What the value begins with.
    pub bias: i32,
}

/// A hidden layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// By unit, then by input.
    pub weights: Vec<i8>,
    /// By unit.
    pub biases: Vec<i32>,
}

impl NetworkWeights {
    /// A network of zeros.
    ///
    /// # Errors
    /// If no network can have these sizes.
    pub fn blank(variant: VariantKind, design: Design) -> Result<Self, DesignFault> {
        design.check()?;
        let layer = |inputs: usize, units: usize| Layer { weights: vec![0; inputs * units], biases: vec![0; units] };
        let mut hidden = Vec::new();
        let mut inputs = design.inputs();
        for &units in &design.hidden {
            hidden.push(layer(inputs, units));
            inputs = units;
        }
        let head = Head { hidden, output: vec![0; inputs], bias: 0 };
        Ok(Self {
            variant,
            bias: vec![0; design.units],
            vectors: vec![0; design.vectors() * design.units],
            heads: vec![head; design.stages],
            design,
        })
    }

    /// A network of random numbers, for tests.
    ///
    /// # Errors
    /// If no network can have these sizes.
    pub fn random(variant: VariantKind, design: Design, seed: u64) -> Result<Self, DesignFault> {
        let mut network = Self::blank(variant, design)?;
        let mut random = SplitMix64::new(seed);
        let mut within = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
        network.bias.fill_with(|| within(200) as i16);
        network.vectors.fill_with(|| within(60) as i8);
        for head in &mut network.heads {
            for layer in &mut head.hidden {
                layer.weights.fill_with(|| within(40) as i8);
                layer.biases.fill_with(|| within(4000));
            }
            head.output.fill_with(|| within(2000) as i16);
            head.bias = within(20_000);
        }
        Ok(network)
    }

    /// A number that tells this network from all others.
    pub fn checksum(&self) -> u64 {
        let Design { parts, units, hidden, stages } = &self.design;
        let sizes = [*parts as usize, *units, hidden.len(), *stages].into_iter().chain(hidden.iter().copied());
        let game = fnv1a(self.variant.name().bytes());
        let design = sizes.fold(game, |hash, size| fnv1a_with(hash, size as u64));
        // Eight bytes at a time: the program waits for this when it starts.
        let join = |word, &byte: &u8| word << 8 | u64::from(byte);
        self.plain().chunks(8).map(|eight| eight.iter().fold(0, join)).fold(design, fnv1a_with)
    }

    /// Everything but the sizes as bytes: the bias, the heads, then the vectors unit by unit, which packs best.
    pub(super) fn plain(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        plain.extend(self.bias.iter().flat_map(|bias| bias.to_le_bytes()));
        for head in &self.heads {
            for layer in &head.hidden {
                plain.extend(layer.weights.iter().map(|weight| weight.cast_unsigned()));
                plain.extend(layer.biases.iter().flat_map(|bias| bias.to_le_bytes()));
            }
            plain.extend(head.output.iter().flat_map(|weight| weight.to_le_bytes()));
            plain.extend(head.bias.to_le_bytes());
        }
        let units = self.design.units.max(1);
        for unit in 0..units {
            plain.extend(self.vectors.iter().skip(unit).step_by(units).map(|weight| weight.cast_unsigned()));
        }
        plain
    }

    /// Fills a blank network of the same sizes from such bytes.
    pub(super) fn set_plain(&mut self, plain: &[u8]) {
        let mut bytes = plain.iter().copied();
        let mut byte = || bytes.next().unwrap_or_default();
        for bias in &mut self.bias {
            *bias = i16::from_le_bytes([byte(), byte()]);
        }
        for head in &mut self.heads {
            for layer in &mut head.hidden {
                layer.weights.fill_with(|| byte().cast_signed());
                layer.biases.fill_with(|| i32::from_le_bytes([byte(), byte(), byte(), byte()]));
            }
            head.output.fill_with(|| i16::from_le_bytes([byte(), byte()]));
            head.bias = i32::from_le_bytes([byte(), byte(), byte(), byte()]);
        }
        let units = self.design.units.max(1);
        for unit in 0..units {
            for weight in self.vectors.iter_mut().skip(unit).step_by(units) {
                *weight = byte().cast_signed();
            }
        }
    }

    /// Whether no sum can overflow.
    pub(super) fn is_bounded(&self) -> bool {
        let layers = || self.heads.iter().flat_map(|head| &head.hidden);
        let biases = layers().flat_map(|layer| &layer.biases).chain(self.heads.iter().map(|head| &head.bias));
        self.bias.iter().all(|bias| bias.unsigned_abs() <= MOST_BIAS.unsigned_abs())
            && biases.into_iter().all(|bias| bias.unsigned_abs() <= MOST_LAYER_BIAS.unsigned_abs())
    }
}
