//! Making inputs for frames: random ones first, a solver for the frames that these miss, then inputs near those that are there and along paths for
//! frames that have not enough.

use std::time::Duration;

use dodona_generation::{Asking, Possible};
use dodona_sources::Seed;
use dodona_workbench::inputs::{columns, drawn, eligible};
use dodona_workbench::{Interruption, LabError, Until, Worker, pool};

use crate::divide::divide;
use crate::framed::Framed;
use crate::gathering::Gathering;
use crate::more::{along_paths, near};
use crate::options::FramesOptions;
use crate::samples::{FrameState, InputOrigin, Samples};

/// Random inputs that are drawn at most, for each input that is wanted: frames that one in some thousand inputs belongs to are
/// found by it, and the solver has the others.
const DRAWS: usize = 100;

/// What the inputs of frames may take to run where somebody interrupted: a command answers within little more than a second then.
const MOMENT: Duration = Duration::from_millis(500);

/// Random inputs at one time.
const ROUND: u64 = 4_096;

/// The least and the most random inputs, whatever the number of frames.
const BETWEEN: (usize, usize) = (20_000, 1_000_000);

/// Makes inputs of all frames and runs them.
///
/// What is drawn at random is possible without a question, so the solver is asked only about frames that no random input belongs
/// to. It finds one input of such a frame; neighbours of what is there, then paths that the frame's inputs take, give the others.
///
/// # Errors
/// When nothing can be drawn, no solver is found, or the host fails.
pub fn samples(
    framed: &Framed,
    options: &FramesOptions,
    interrupted: &Interruption,
) -> Result<Samples, LabError> {
    pool::alone(Worker::Generation, || {
        let mut samples = inputs(framed, options, &options.search.until(interrupted))?;
        // The inputs are few: they are run although the time for finding them is up, and if somebody interrupted as many as can be in a moment.
        let until = match interrupted.is_raised() {
            true => Until::after(Some(MOMENT), &Interruption::default()),
            false => Until::interrupted(interrupted),
        };
        samples.run(framed, &mut framed.workbench.caller().until(&until))?;
        Ok(samples)
    })
}

/// Makes inputs of all frames, which are not run.
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
        // A path leads to inputs that the solver was not asked for, because they are longer or the frame was too much for it at once.
        if *count > 0 {
            *state = FrameState::Possible;
        }
    }
    Ok(gathering.finish(states, warnings))
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
    // Frames come first where there is little time: half of it is theirs.
    let half = until.share(2);
    let mut asking = Asking::new(&framed.workbench, function, &mut solver, &options.search, &half);
    divide(gathering, &mut asking, &half, warnings);
    let mut asking = Asking::new(&framed.workbench, function, &mut solver, &options.search, until);
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
