//! Makes inputs for frames: random inputs first, then an input from a solver for each frame that these miss. Frames that still have too few
//! inputs get neighbours of their inputs, and inputs that symbolic execution finds along paths.
//!
//! What is drawn is possible. So a solver is asked only about the frames that no random input belongs to. What it gives is a single
//! input, so the frame is filled with its neighbours, and then with inputs along paths.

use std::time::Duration;

use dodona_generation::{Asking, Possible};
use dodona_sources::Seed;
use dodona_target::{Interruption, Until};
use dodona_workbench::inputs::{columns, drawn, eligible};
use dodona_workbench::{LabError, Worker, pool};

use crate::divide::divide;
use crate::framed::Framed;
use crate::gathering::Gathering;
use crate::more::{along_paths, near};
use crate::options::FramesOptions;
use crate::outputs::reach;
use crate::samples::{FrameState, InputOrigin, Samples};

/// The most random inputs that are drawn for each wanted input. A frame that one input in some thousand belongs to is found with them;
/// rarer frames are left to the solver.
const DRAWS: usize = 100;

/// How long the inputs of frames may still run after an interruption, so that the command answers within little more than a second.
const MOMENT: Duration = Duration::from_millis(500);

/// The part of the time that inputs of frames may take. The rest is for inputs of outputs that these do not show. Inputs of most frames are made in less.
const INPUTS_PART: f64 = 0.75;

/// How many random inputs are drawn at one time.
const ROUND: u64 = 4_096;

/// The least and the most random inputs, whatever the number of frames.
const BETWEEN: (usize, usize) = (20_000, 1_000_000);

/// Makes inputs of all frames and runs them.
///
/// A frame with a random input is possible, so the solver is asked only about the other frames. It gives one input of such a frame. Its
/// other inputs are neighbours of this one, or come from paths that inputs of the frame take. Then symbolic execution is asked for an input
/// of each input-and-output-based frame that none of these shows.
///
/// # Errors
/// When nothing can be drawn, no solver is found, or the host fails.
pub fn samples(
    framed: &Framed,
    options: &FramesOptions,
    interrupted: &Interruption,
) -> Result<Samples, LabError> {
    pool::alone(Worker::Generation, || {
        let part = |part: f64| {
            let time = options.search.time.map(|time| time.mul_f64(part));
            Until::after(time, interrupted)
        };
        let mut samples = inputs(framed, options, &part(INPUTS_PART))?;
        // The inputs are few, so they are run even if the time for finding them is up. After an interruption, they get only a moment.
        let until = match interrupted.is_raised() {
            true => Until::after(Some(MOMENT), &Interruption::default()),
            false => Until::interrupted(interrupted),
        };
        samples.run(framed, &mut framed.workbench.caller().until(&until))?;
        reach(framed, &options.search, &mut samples, &part(1.0 - INPUTS_PART))?;
        Ok(samples)
    })
}

/// Makes inputs of all frames, without running them.
///
/// # Errors
/// As for [`samples`].
pub(crate) fn inputs(framed: &Framed, options: &FramesOptions, until: &Until) -> Result<Samples, LabError> {
    let mut gathering = Gathering::new(framed, options.each)?;
    let mut warnings = Vec::new();
    draw(framed, options, &mut gathering, until)?;
    gathering.now_by(InputOrigin::Solver);
    let mut states = ask(framed, options, &mut gathering, until, &mut warnings)?;
    gathering.now_by(InputOrigin::Near);
    near(options, &mut gathering, until);
    gathering.now_by(InputOrigin::Path);
    along_paths(options, &mut gathering, &states, until)?;
    for (state, count) in states.iter_mut().zip(&gathering.counts) {
        // The search along paths finds inputs that the question about the whole frame did not: longer ones, or those of a frame that was
        // too much for the solver at once.
        if *count > 0 {
            *state = FrameState::Possible;
        }
    }
    Ok(gathering.finish(states, warnings))
}

/// Draws random inputs until each frame has enough, or until [`DRAWS`] times as many were drawn as are wanted (within [`BETWEEN`]).
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
    let mut solver = match options.search.solver(until) {
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
    // The check of the choices gets half of the time, so that the other half is left for frames without an input.
    let half = until.share(2);
    let mut asking = Asking::new(function, &mut solver, &options.search, &half);
    divide(gathering, &mut asking, &half, warnings);
    let mut asking = Asking::new(function, &mut solver, &options.search, until);
    let missing: Vec<usize> = missing.into_iter().filter(|frame| gathering.counts[*frame] == 0).collect();
    for frame in missing {
        let condition = gathering.condition(frame);
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
