//! Making inputs for frames: random ones first, a solver for the frames that these miss, then inputs near those that are there.

use dodona_identification::{Category, Frame};
use dodona_sources::{Seed, neighbour};
use dodona_subject::{Column, Function, Value};
use dodona_workbench::inputs::{columns, drawn, eligible, eligible_rows};
use dodona_workbench::{Interruption, LabError, Until, Worker, pool};

use crate::divide::divide;
use crate::framed::Framed;
use crate::options::FramesOptions;
use crate::possible::{Asking, Possible, solver};
use crate::samples::{FrameState, Gathering, Samples};

/// Random inputs that are drawn at most, for each input that is wanted: frames that one in some thousand inputs belongs to are
/// found by it, and the solver has the others.
const DRAWS: usize = 100;

/// Random inputs at one time.
const ROUND: u64 = 4_096;

/// The least and the most random inputs, whatever the number of frames.
const BETWEEN: (usize, usize) = (20_000, 1_000_000);

/// Neighbours that are tried for each input that a frame lacks.
const NEIGHBOURS: usize = 20;

/// Makes inputs of all frames and runs them.
///
/// What is drawn at random is possible without a question, so the solver is asked only about frames that no random input belongs
/// to. It finds one input of such a frame, and its neighbours give the others.
///
/// # Errors
/// When nothing can be drawn, no solver is found, or the host fails.
pub fn samples(
    framed: &Framed,
    options: &FramesOptions,
    interrupted: &Interruption,
) -> Result<Samples, LabError> {
    pool::alone(Worker::Generation, || make(framed, options, interrupted))
}

fn make(framed: &Framed, options: &FramesOptions, interrupted: &Interruption) -> Result<Samples, LabError> {
    let until = options.search.until(interrupted);
    let mut gathering = Gathering::new(framed, options.each)?;
    let mut warnings = Vec::new();
    draw(framed, options, &mut gathering, &until)?;
    let states = ask(framed, options, &mut gathering, &until, &mut warnings)?;
    near(framed, options, &mut gathering, &until);
    let mut samples = gathering.finish(states, warnings);
    // The inputs are few: they are run although the time for finding them is up.
    let until = Until::interrupted(interrupted);
    samples.run(framed, &mut framed.workbench.caller().until(&until))?;
    Ok(samples)
}

/// Random inputs until each frame has enough, or many more were drawn than are wanted.
fn draw(
    framed: &Framed,
    options: &FramesOptions,
    gathering: &mut Gathering<'_>,
    until: &Until,
) -> Result<(), LabError> {
    let function = framed.declared();
    let most = (gathering.frames.len() * options.each * DRAWS).clamp(BETWEEN.0, BETWEEN.1) as u64;
    let mut drawn_so_far = 0;
    let mut round = 0;
    while drawn_so_far < most && !gathering.is_full() && until.goes_on() {
        let seed = Seed(options.seed.0.wrapping_add(round));
        for batch in eligible(function, drawn(function, ROUND, seed)?) {
            gathering.take(&batch);
        }
        drawn_so_far += ROUND;
        round += 1;
        if function.parameters.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Asks a solver about each frame without an input, and takes the inputs that it gives.
fn ask(
    framed: &Framed,
    options: &FramesOptions,
    gathering: &mut Gathering<'_>,
    until: &Until,
    warnings: &mut Vec<String>,
) -> Result<Vec<FrameState>, LabError> {
    let missing: Vec<usize> =
        (0..gathering.frames.len()).filter(|frame| gathering.counts[*frame] == 0).collect();
    let mut states = vec![FrameState::Possible; gathering.frames.len()];
    let mut solver = match solver(&options.search, until) {
        Ok(solver) => solver,
        Err(error) => {
            warnings.push(format!(
                "{error}; frames without a random input stay unknown, and gaps and overlaps that no random input shows are not found"
            ));
            missing.iter().for_each(|frame| states[*frame] = FrameState::Unknown("no solver".to_owned()));
            return Ok(states);
        }
    };
    let function = framed.declared();
    // Frames come first where there is little time: half of it is theirs.
    let half = until.share(2);
    let mut asking = Asking::new(&framed.workbench, function, &mut solver, &options.search, &half);
    divide(gathering, &mut asking, &half, warnings);
    let mut asking = Asking::new(&framed.workbench, function, &mut solver, &options.search, until);
    let missing: Vec<usize> = missing.into_iter().filter(|frame| gathering.counts[*frame] == 0).collect();
    for frame in missing {
        let condition = condition(&framed.specification.inputs, &gathering.frames[frame]);
        states[frame] = match asking.about(&condition) {
            Possible::Yes(values) => {
                gathering.take(&columns(function, [&values[..]]));
                match gathering.counts[frame] {
                    0 => FrameState::Unknown("the solver's input does not fit".to_owned()),
                    _ => FrameState::Possible,
                }
            }
            Possible::No => FrameState::Impossible,
            Possible::Unknown(why) => FrameState::Unknown(why),
        };
    }
    Ok(states)
}

/// What the inputs of a frame satisfy.
pub(crate) fn condition(categories: &[Category], frame: &Frame) -> String {
    let each = categories.iter().zip(&frame.0);
    let parts: Vec<String> =
        each.map(|(c, choice)| format!("({})", c.choices[usize::from(*choice)].condition)).collect();
    parts.join(" and ")
}

/// Inputs near those that are there, for frames that have some and not enough.
fn near(framed: &Framed, options: &FramesOptions, gathering: &mut Gathering<'_>, until: &Until) {
    let function = framed.declared();
    for frame in 0..gathering.frames.len() {
        let lacking = options.each.saturating_sub(gathering.counts[frame]);
        if lacking == 0 || gathering.counts[frame] == 0 || !until.goes_on() {
            continue;
        }
        let known = gathering.of_frame(frame);
        let rows = neighbours(function, &known, lacking * NEIGHBOURS, options.seed, frame);
        let all = columns(function, rows.iter().map(|row| &row[..]));
        let rows = eligible_rows(function, &all);
        let kept: Vec<Column> = all.iter().map(|column| column.select(&rows)).collect();
        if kept.first().is_some_and(|column| !column.is_empty()) {
            gathering.take(&kept);
        }
    }
}

fn neighbours(
    function: &Function,
    known: &[Vec<Value>],
    count: usize,
    seed: Seed,
    frame: usize,
) -> Vec<Vec<Value>> {
    let mut rng = seed.stream("neighbours of frames", frame as u64);
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for turn in 0..count {
        let mut values = known[turn % known.len()].clone();
        // One parameter at a time, and now and then all of them: inputs of narrow frames are left by most steps.
        let only = (turn % 4 != 0).then_some(turn / 4 % function.parameters.len().max(1));
        for (index, (parameter, value)) in function.parameters.iter().zip(&mut values).enumerate() {
            if only.is_none_or(|only| only == index)
                && let Some(near) = neighbour(parameter.ty, &parameter.domain, value, &mut rng)
            {
                *value = near;
            }
        }
        rows.push(values);
    }
    rows
}
