//! `--sources-by frames`: source inputs of each complete test frame.

use std::sync::Arc;

use dodona_frames::{Framed, FramesOptions, mistakes, samples};
use dodona_generation::ForRelations;
use dodona_target::Interruption;
use dodona_wasm::Workbench;
use dodona_workbench::{MadeInputs, takes};

use super::CheckArgs;
use crate::failure::Failure;
use crate::open;
use crate::verbs::frames::no_input;

/// Adds the inputs of the frames of the function that `frames.toml` is about.
pub(super) fn add(
    workbench: &Arc<Workbench>,
    args: &CheckArgs,
    made: &mut ForRelations,
    interrupted: &Interruption,
) -> Result<(), Failure> {
    let framed = Framed::open(workbench, None, None).map_err(open::lab_failure)?;
    let options = FramesOptions { seed: args.seed.seed(), ..FramesOptions::default() };
    let samples = samples(&framed, &options, interrupted).map_err(open::lab_failure)?;
    let (name, file) = (&framed.declared().name, framed.file.display());
    let mistakes = mistakes(&framed, &samples);
    if samples.rows() == 0 {
        return Err(no_input(&framed, &mistakes));
    }
    made.warnings.extend(mistakes.iter().map(|mistake| format!("{file}: {mistake}")));
    made.warnings.extend(samples.warnings.iter().map(|warning| format!("{name}, frames: {warning}")));
    let selected = workbench.select(&args.relations.names).map_err(open::lab_failure)?;
    if !selected.iter().any(|&index| takes(&workbench.relations[index].relation, framed.function)) {
        made.warnings.push(format!("no relation takes an input of `{name}`, which frames.toml is about"));
    }
    let technique = "frames".to_owned();
    made.made.push(MadeInputs { function: framed.function, technique, columns: samples.columns });
    Ok(())
}
