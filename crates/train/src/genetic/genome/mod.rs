//! Genes: which parameters evolve, in which order, and how they are written as bits or numbers.

mod error;
mod plan;

use serde::{Deserialize, Serialize};
use turncoat_eval::classic::{ColorWeights, Parameters, Schema, StageCourse};

use super::experiment::{Colours, GenomeKind, GenomePlan};
use plan::{check_groups, chosen, course, make, merged, round_plies, stages_of};

pub use error::GenomeError;

/// One evolving parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Gene {
    /// What it is, as in "board (0,1), stage 2".
    pub name: String,
    place: GenePlace,
    /// Where it begins.
    pub start: [f64; 2],
    /// What it never leaves.
    pub bounds: [f64; 2],
    /// Whether it is whole.
    pub whole: bool,
    /// Its bits, in a binary genome.
    pub width: Width,
}

/// How a gene is written in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    /// How many.
    pub bits: u32,
    /// Whether half of the range is below zero.
    pub signed: bool,
}

impl Width {
    /// What is taken off the sum of powers of two.
    const fn offset(self) -> i64 {
        if self.signed { 1 << (self.bits - 1) } else { 0 }
    }

    fn range(self) -> [f64; 2] {
        let offset = self.offset();
        [-offset as f64, ((1_i64 << self.bits) - 1 - offset) as f64]
    }
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GenePlace {
    white: bool,
    /// None for a group that all stages share.
    stage: Option<usize>,
    index: usize,
}

/// A string of bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Dna(pub Vec<bool>);

impl From<Dna> for String {
    fn from(dna: Dna) -> Self {
        dna.0.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
    }
}

impl TryFrom<String> for Dna {
    type Error = GenomeError;
    fn try_from(text: String) -> Result<Self, GenomeError> {
        let bit = |c| match c {
            '0' => Ok(false),
            '1' => Ok(true),
            other => Err(GenomeError::NoBit { found: other }),
        };
        text.chars().map(bit).collect::<Result<_, _>>().map(Self)
    }
}

/// All genes of an individual.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Genome {
    /// As bits.
    Bits(Dna),
    /// As numbers, before they are rounded and kept within bounds.
    Numbers(Vec<f64>),
}

/// Which parameters of a player are genes, and what the others are.
#[derive(Debug, Clone)]
pub struct Layout {
    kind: GenomeKind,
    genes: Vec<Gene>,
    base: Parameters,
}

impl Layout {
    /// The layout of a plan for a player with these parameters.
    ///
    /// # Errors
    /// If the plan names groups or stages that the player does not have, or ranges that make no sense.
    pub fn new(plan: &GenomePlan, schema: &Schema, base: &Parameters) -> Result<Self, GenomeError> {
        let mut base = base.restaged(course(plan, base)?);
        if base.course.stages() > schema.most_stages {
            return Err(GenomeError::TooManyStages { found: base.course.stages(), most: schema.most_stages });
        }
        round_plies(schema, &mut base);
        if plan.colours == Colours::Apart && base.white.is_none() {
            base.white = Some(ColorWeights { shared: base.shared.clone(), stages: base.stages.clone() });
        }
        let mut genes = Vec::new();
        let colours: &[bool] = match plan.colours {
            Colours::Together => &[false],
            Colours::Apart => &[false, true],
        };
        check_groups(plan, schema)?;
        for &white in colours {
            for (group, from, staged) in chosen(plan, schema)? {
                let own = plan.group.get(group.name).cloned().unwrap_or_default();
                let gene = merged(plan, &own);
                let stages = stages_of(group, staged, &gene, base.course.stages())?;
                for stage in stages {
                    for offset in 0..group.count {
                        let place = GenePlace { white, stage, index: from + offset };
                        genes.push(make(plan.kind, group, offset, place, &gene)?);
                    }
                }
            }
        }
        if genes.is_empty() {
            return Err(GenomeError::NoGenes);
        }
        Ok(Self { kind: plan.kind, genes, base })
    }

    /// The layout in which every weight of a player is a number, with the stages and colours that the player has.
    ///
    /// # Errors
    /// If the player has no weights.
    pub fn of_weights(schema: &Schema, base: &Parameters) -> Result<Self, GenomeError> {
        let colours = if base.white.is_some() { Colours::Apart } else { Colours::Together };
        Self::new(&GenomePlan::of_weights(colours), schema, base)
    }

    /// The genes, in their order.
    pub fn genes(&self) -> &[Gene] {
        &self.genes
    }

    /// Bits or numbers.
    pub const fn kind(&self) -> GenomeKind {
        self.kind
    }

    /// When the stages hold.
    pub const fn course(&self) -> &StageCourse {
        &self.base.course
    }

    /// All bits of a binary genome.
    pub fn bits(&self) -> usize {
        self.genes.iter().map(|gene| gene.width.bits as usize).sum()
    }

    /// Whether a genome is one of this layout.
    pub fn fits(&self, genome: &Genome) -> bool {
        match (self.kind, genome) {
            (GenomeKind::Binary, Genome::Bits(dna)) => dna.0.len() == self.bits(),
            (GenomeKind::Real, Genome::Numbers(numbers)) => {
                numbers.len() == self.genes.len() && numbers.iter().all(|n| n.is_finite())
            }
            _ => false,
        }
    }

    /// The numbers that a genome stands for, one for each gene.
    pub fn values(&self, genome: &Genome) -> Vec<f64> {
        match genome {
            Genome::Bits(dna) => self.decode(dna),
            Genome::Numbers(numbers) => {
                let kept = self.genes.iter().zip(numbers);
                kept.map(|(gene, &number)| gene.kept(number)).collect()
            }
        }
    }

    /// The parameters that a genome stands for.
    pub fn parameters(&self, genome: &Genome) -> Parameters {
        let mut parameters = self.base.clone();
        for (gene, value) in self.genes.iter().zip(self.values(genome)) {
            if let Some(place) = gene.place.find(&mut parameters) {
                *place = value;
            }
        }
        parameters
    }

    /// The genome of parameters, whose stages may be others.
    ///
    /// # Errors
    /// If a value does not fit its gene.
    pub fn genome(&self, parameters: &Parameters) -> Result<Genome, GenomeError> {
        let mut parameters = parameters.restaged(self.base.course.clone());
        if self.base.white.is_some() && parameters.white.is_none() {
            parameters.white =
                Some(ColorWeights { shared: parameters.shared.clone(), stages: parameters.stages.clone() });
        }
        let values = self.genes.iter().map(|gene| {
            let value = gene.place.find(&mut parameters).map(|place| *place);
            value.ok_or(GenomeError::OtherPlayer)
        });
        let values: Vec<f64> = values.collect::<Result<_, _>>()?;
        match self.kind {
            GenomeKind::Binary => self.encode(&values).map(Genome::Bits),
            GenomeKind::Real => Ok(Genome::Numbers(values)),
        }
    }

    /// The bits of numbers, the lowest of each gene first (Algorithm 19 of gene45's report).
    ///
    /// # Errors
    /// If a number is not whole or does not fit its bits: it is never wrapped around.
    pub fn encode(&self, values: &[f64]) -> Result<Dna, GenomeError> {
        let mut bits = Vec::with_capacity(self.bits());
        for (gene, &value) in self.genes.iter().zip(values) {
            let [low, high] = gene.width.range();
            if value.fract() != 0.0 || !(low..=high).contains(&value) {
                return Err(GenomeError::DoesNotFit {
                    gene: gene.name.clone(),
                    value,
                    bits: gene.width.bits,
                    low,
                    high,
                });
            }
            let raw = value as i64 + gene.width.offset();
            bits.extend((0..gene.width.bits).map(|i| raw >> i & 1 == 1));
        }
        Ok(Dna(bits))
    }

    /// The numbers of bits: the sum of 2^i times bit i, less half of the range where it is signed.
    fn decode(&self, dna: &Dna) -> Vec<f64> {
        let mut rest = dna.0.as_slice();
        let mut values = Vec::with_capacity(self.genes.len());
        for gene in &self.genes {
            let (own, after) = rest.split_at((gene.width.bits as usize).min(rest.len()));
            rest = after;
            let raw = own.iter().enumerate().map(|(i, &bit)| i64::from(bit) << i).sum::<i64>();
            values.push((raw - gene.width.offset()) as f64);
        }
        values
    }
}

impl Gene {
    /// A number as it is played: rounded if it is whole, and within bounds.
    pub fn kept(&self, number: f64) -> f64 {
        let number = number.clamp(self.bounds[0], self.bounds[1]);
        // Adding zero turns a negative zero into a plain one.
        (if self.whole { number.round() } else { number }) + 0.0
    }

    /// How far apart the ends of its start are.
    pub fn scale(&self) -> f64 {
        self.start[1] - self.start[0]
    }
}

impl GenePlace {
    fn find(self, parameters: &mut Parameters) -> Option<&mut f64> {
        let (shared, stages) = match &mut parameters.white {
            Some(white) if self.white => (&mut white.shared, &mut white.stages),
            _ => (&mut parameters.shared, &mut parameters.stages),
        };
        match self.stage {
            None => shared.get_mut(self.index),
            Some(stage) => stages.get_mut(stage)?.get_mut(self.index),
        }
    }
}
