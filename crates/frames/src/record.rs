//! Writes what was found about frames as a record.

use crate::identification::{Category, Frame, Misfit, MisfitKind, Specification, contradiction};
use dodona_records::{
    Binding, CategoryRecord, FORMAT_VERSION, FrameRecord, FramesRecord, InputOrigins, MisfitRecord,
    OpenOutputsRecord,
};
use dodona_sources::Seed;
use dodona_target::Value;
use dodona_workbench::bindings;

use crate::framed::Framed;
use crate::samples::{FrameState, InputOrigin, OpenOutputs, Samples};

/// The record of a function's frames with their inputs.
pub fn frames_record(framed: &Framed, samples: &Samples, seed: Seed) -> FramesRecord {
    let specification = &framed.specification;
    let workbench = &framed.workbench;
    let mut warnings = samples.warnings.clone();
    warnings.extend(without_outputs(samples));
    let guilty = contradiction(specification).unwrap_or_default();
    FramesRecord {
        format_version: FORMAT_VERSION,
        subject: workbench.target.name().to_owned(),
        manifest: workbench.target.declared_in().display().to_string(),
        function: framed.declared().name.clone(),
        file: framed.file.display().to_string(),
        seed: seed.0,
        inputs: categories(&specification.inputs, &input_frames(samples)),
        outputs: categories(&specification.outputs, &samples.outputs.iter().flatten().collect::<Vec<_>>()),
        frames: frames(framed, samples),
        open: open(specification, samples),
        origins: origins(samples),
        contradiction: guilty.into_iter().map(|i| specification.constraints[i].1.clone()).collect(),
        misfits: misfits(framed, samples),
        warnings,
    }
}

/// Choices of outputs of which it is not known whether further frames have them.
fn open(specification: &Specification, samples: &Samples) -> Vec<OpenOutputsRecord> {
    let of = |open: &OpenOutputs| OpenOutputsRecord {
        outputs: specification.choices_in_words(&open.outputs),
        frames: open.frames as u64,
        why: open.why.clone(),
    };
    samples.open.iter().map(of).collect()
}

/// How many inputs were found in each way.
fn origins(samples: &Samples) -> InputOrigins {
    let count = |origin: InputOrigin| samples.origins.iter().filter(|other| **other == origin).count() as u64;
    InputOrigins {
        random: count(InputOrigin::Random),
        solver: count(InputOrigin::Solver),
        near: count(InputOrigin::Near),
        path: count(InputOrigin::Path),
        refuting: count(InputOrigin::Refuting),
    }
}

/// How many inputs have no output, and how the call on the first of these ended.
fn without_outputs(samples: &Samples) -> Option<String> {
    let mut ends = samples.calls.outcomes.iter().filter(|outcome| !outcome.has_outputs());
    let first = ends.next()?;
    Some(match ends.count() + 1 {
        1 => format!("1 input has no output, since its call does not return: {first}"),
        count => {
            format!("{count} inputs have no output, since their calls do not return; the first: {first}")
        }
    })
}

fn input_frames(samples: &Samples) -> Vec<&Frame> {
    samples.frame_of.iter().map(|frame| &samples.frames[*frame as usize]).collect()
}

fn categories(categories: &[Category], frames: &[&Frame]) -> Vec<CategoryRecord> {
    let of = |(number, category): (usize, &Category)| {
        let mut inputs = vec![0; category.choices.len()];
        frames.iter().for_each(|frame| inputs[usize::from(frame.0[number])] += 1);
        CategoryRecord {
            name: category.name.clone(),
            choices: category.choices.iter().map(|choice| choice.name.clone()).collect(),
            inputs,
        }
    };
    categories.iter().enumerate().map(of).collect()
}

fn frames(framed: &Framed, samples: &Samples) -> Vec<FrameRecord> {
    let specification = &framed.specification;
    let mut scenarios: Vec<Vec<String>> = vec![Vec::new(); samples.frames.len()];
    let mut seen = std::collections::HashSet::new();
    for (frame, output) in samples.frame_of.iter().zip(&samples.outputs) {
        if let Some(output) = output
            && seen.insert((*frame, output))
        {
            scenarios[*frame as usize].push(specification.output_words(output));
        }
    }
    let counts = samples.counts();
    let record = |(number, mut scenarios): (usize, Vec<String>)| {
        scenarios.sort();
        let (state, why) = match &samples.states[number] {
            FrameState::Possible => ("possible", None),
            FrameState::Impossible => ("impossible", None),
            FrameState::Unknown(why) => ("unknown", Some(why.clone())),
        };
        FrameRecord {
            choices: specification.words(&samples.frames[number]),
            state: state.to_owned(),
            why,
            inputs: counts[number],
            scenarios,
        }
    };
    scenarios.into_iter().enumerate().map(record).collect()
}

/// What is wrong with the categories and choices of a file, in words. If anything is, `dodona frames` exits with status 2, and numbers
/// counted over the frames are not reliable.
pub fn mistakes(framed: &Framed, samples: &Samples) -> Vec<String> {
    let misfits = misfits(framed, samples);
    let shown = misfits.iter().map(|misfit| format!("{}: {}", misfit.what, Binding::list(&misfit.input)));
    contradicting(framed).into_iter().chain(shown).collect()
}

/// Which constraints contradict each other, in words; `None` if some frame satisfies all.
pub(crate) fn contradicting(framed: &Framed) -> Option<String> {
    let specification = &framed.specification;
    let guilty = contradiction(specification)?;
    let each: Vec<String> = guilty.iter().map(|i| format!("`{}`", specification.constraints[*i].1)).collect();
    Some(format!("no frame is left: these constraints contradict each other: {}", each.join(", ")))
}

fn misfits(framed: &Framed, samples: &Samples) -> Vec<MisfitRecord> {
    let specification = &framed.specification;
    let inputs = samples.misfits.iter().map(|found| (found, &specification.inputs, "this input"));
    let outputs = samples
        .output_misfits
        .iter()
        .map(|found| (found, &specification.outputs, "the output of this input"));
    let mut all: Vec<MisfitRecord> = inputs
        .chain(outputs)
        .map(|((misfit, values), categories, side)| MisfitRecord {
            what: words(misfit, categories, side),
            input: bound(framed, values),
        })
        .collect();
    for (frame, values) in &samples.forbidden {
        let violated = specification.constraints.iter().find(|(formula, _)| !formula.holds(&frame.0));
        let what = match violated {
            Some((_, text)) => format!("an input violates the constraint `{text}`"),
            None => format!("an input is of the frame {}, which was left out", specification.words(frame)),
        };
        all.push(MisfitRecord { what, input: bound(framed, values) });
    }
    all.extend(against_scenarios(framed, samples));
    all
}

/// Inputs whose outputs contradict the scenarios of the file, one for each output category.
fn against_scenarios(framed: &Framed, samples: &Samples) -> Vec<MisfitRecord> {
    let specification = &framed.specification;
    let mut shown = vec![false; specification.outputs.len()];
    let mut found = Vec::new();
    if specification.scenarios.is_empty() {
        return found;
    }
    let stated: Vec<_> = samples.frames.iter().map(|frame| specification.stated(frame)).collect();
    for row in 0..samples.rows() {
        // Inputs that were not run have no outputs.
        let Some(Some(output)) = samples.outputs.get(row) else { continue };
        let frame = samples.frame_of[row] as usize;
        for (category, choice) in output.0.iter().enumerate() {
            if stated[frame][category].contains(choice) || std::mem::replace(&mut shown[category], true) {
                continue;
            }
            let declared = &specification.outputs[category];
            let what = format!(
                "{} gives {}, which the scenarios exclude",
                specification.words(&samples.frames[frame]),
                declared.named(*choice),
            );
            found.push(MisfitRecord { what, input: bound(framed, &samples.values(row)) });
        }
    }
    found
}

fn words(misfit: &Misfit, categories: &[Category], side: &str) -> String {
    let category = &categories[misfit.category];
    match misfit.kind {
        MisfitKind::Gap => format!("no choice of `{}` fits {side}", category.name),
        MisfitKind::Overlap(a, b) => format!(
            "two choices of `{}`, {} and {}, fit {side}",
            category.name,
            category.choices[usize::from(a)],
            category.choices[usize::from(b)]
        ),
    }
}

/// The values of an input, with the names of the parameters.
pub(crate) fn bound(framed: &Framed, values: &[Value]) -> Vec<Binding> {
    bindings(framed.declared().parameters.iter().map(|p| p.name.as_str()).zip(values))
}
