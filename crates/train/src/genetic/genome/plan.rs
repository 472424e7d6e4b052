//! From the plan of an experiment to genes: which groups and stages evolve, and within what.

use turncoat_eval::classic::features::{CLASS_LABELS, CLASSES};
use turncoat_eval::classic::{Group, Parameters, Range, Schema, StageCourse};

use super::{Gene, GenePlace, GenomeError, Width};
use crate::genetic::experiment::{GenePlan, GenomeKind, GenomePlan};

/// No parameter may be larger: a file with it could not be read again.
const LARGEST: f64 = 1e6;

/// When the stages of the plan hold.
pub(super) fn course(plan: &GenomePlan, base: &Parameters) -> Result<StageCourse, GenomeError> {
    let rising = |counts: &[u32], most: u32| {
        counts.iter().all(|count| (4..=most).contains(count)) && counts.windows(2).all(|pair| pair[0] < pair[1])
    };
    match (&plan.last_discs, &plan.knots) {
        (None, None) => Ok(base.course.clone()),
        (Some(last), None) if rising(last, 63) => Ok(StageCourse::LastDiscs(last.clone())),
        (None, Some(knots)) if !knots.is_empty() && rising(knots, 64) => Ok(StageCourse::Knots(knots.clone())),
        _ => Err(GenomeError::Stages),
    }
}

/// Depths between two stages are rounded, so that the player can have them.
pub(super) fn round_plies(schema: &Schema, parameters: &mut Parameters) {
    let mut from = 0;
    for group in schema.staged.iter() {
        if group.range == Range::Plies {
            for stage in &mut parameters.stages {
                for number in &mut stage[from..from + group.count] {
                    *number = number.round();
                }
            }
        }
        from += group.count;
    }
}

/// The groups that evolve, each with where it begins and whether every stage has its own.
pub(super) fn chosen<'a>(plan: &GenomePlan, schema: &'a Schema) -> Result<Vec<(&'a Group, usize, bool)>, GenomeError> {
    let mut all = Vec::new();
    for (groups, staged) in [(&schema.shared, false), (&schema.staged, true)] {
        let mut from = 0;
        for group in groups.iter() {
            if group.range == Range::Weight {
                all.push((group, from, staged));
            }
            from += group.count;
        }
    }
    let Some(names) = &plan.groups else {
        return Ok(all);
    };
    let known = || all.iter().map(|(group, ..)| group.name).collect::<Vec<_>>();
    let mut found: Vec<(&Group, usize, bool)> = Vec::new();
    for name in names {
        let group = all.iter().find(|(group, ..)| group.name == name);
        let group = group.ok_or_else(|| GenomeError::UnknownGroup {
            name: name.clone(),
            player: schema.player,
            known: known().join(", "),
        })?;
        if found.iter().any(|(other, ..)| other.name == name) {
            return Err(GenomeError::Twice { name: name.clone() });
        }
        found.push(*group);
    }
    Ok(found)
}

/// A group that is described but does not evolve is a slip.
pub(super) fn check_groups(plan: &GenomePlan, schema: &Schema) -> Result<(), GenomeError> {
    let chosen = chosen(plan, schema)?;
    let names: Vec<&str> = chosen.iter().map(|(group, ..)| group.name).collect();
    match plan.group.keys().find(|key| !names.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            Err(GenomeError::UnknownGroup { name: key.clone(), player: schema.player, known: names.join(", ") })
        }
    }
}

/// What a group says, and what holds for all where it says nothing.
pub(super) fn merged(plan: &GenomePlan, own: &GenePlan) -> GenePlan {
    GenePlan {
        bits: own.bits.or(plan.bits),
        signed: own.signed.or(plan.signed),
        start: own.start.or(plan.start),
        bounds: own.bounds.or(plan.bounds),
        whole: own.whole.or(plan.whole),
        stages: own.stages.clone(),
    }
}

/// The stages whose weights of a group evolve.
pub(super) fn stages_of(
    group: &Group,
    staged: bool,
    gene: &GenePlan,
    count: usize,
) -> Result<Vec<Option<usize>>, GenomeError> {
    match (&gene.stages, staged) {
        (_, false) => Ok(vec![None]),
        (None, true) => Ok((0..count).map(Some).collect()),
        (Some(stages), true) => {
            let fits = |stage: &usize| (1..=count).contains(stage);
            if let Some(&stage) = stages.iter().find(|stage| !fits(stage)) {
                let name = group.name.to_owned();
                return Err(GenomeError::UnknownStage { name, stage, count });
            }
            Ok(stages.iter().map(|stage| Some(stage - 1)).collect())
        }
    }
}

/// One gene of a group.
pub(super) fn make(
    kind: GenomeKind,
    group: &Group,
    offset: usize,
    place: GenePlace,
    plan: &GenePlan,
) -> Result<Gene, GenomeError> {
    let mut name = group.name.to_owned();
    match group.count {
        1 => {}
        CLASSES => name += &format!(" {}", CLASS_LABELS[offset]),
        _ => name += &format!(" {}", offset + 1),
    }
    if let Some(stage) = place.stage {
        name += &format!(", stage {}", stage + 1);
    }
    if place.white {
        name += ", white";
    }
    let width = Width { bits: plan.bits.unwrap_or(7), signed: plan.signed.unwrap_or(true) };
    if !(1..=20).contains(&width.bits) {
        return Err(GenomeError::Bits { name });
    }
    let bounds = match kind {
        GenomeKind::Binary => width.range(),
        GenomeKind::Real => plan.bounds.unwrap_or([-LARGEST, LARGEST]),
    };
    let start = match (kind, plan.start) {
        (GenomeKind::Binary, _) => width.range(),
        (GenomeKind::Real, Some(start)) => start,
        (GenomeKind::Real, None) => return Err(GenomeError::NoStart { name }),
    };
    let is_range = |[low, high]: [f64; 2]| low < high && low >= -LARGEST && high <= LARGEST;
    if !is_range(bounds) || !is_range(start) || start[0] < bounds[0] || start[1] > bounds[1] {
        return Err(GenomeError::Range { name });
    }
    Ok(Gene { name, place, start, bounds, whole: kind == GenomeKind::Binary || plan.whole.unwrap_or(false), width })
}
