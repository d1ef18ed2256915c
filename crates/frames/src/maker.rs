//! The technique `frames` of making source inputs: a few inputs for each complete test frame of the file beside the manifest.

use std::sync::Arc;

use dodona_generation::{FrameMaker, GenerateOptions, InputColumns};
use dodona_target::{Column, Target, Until};
use dodona_workbench::{LabError, Workbench};

use crate::framed::Framed;
use crate::inputs::inputs;
use crate::options::FramesOptions;
use crate::record::mistakes;
use crate::samples::Samples;

/// The maker of inputs that `dodona-generation` calls for its technique `frames`. It makes ten inputs for each frame, or as many in all as
/// are asked for.
pub fn frame_maker<T: Target + ?Sized>(workbench: &Workbench<T>) -> FrameMaker {
    let workbench = workbench.any();
    FrameMaker::new(move |function, options, until| made(&workbench, function, options, until))
}

fn made(
    workbench: &Arc<Workbench>,
    function: &str,
    options: &GenerateOptions,
    until: &Until,
) -> Result<InputColumns, LabError> {
    let framed = Framed::open(workbench, None, Some(function))?;
    let mut how =
        FramesOptions { seed: options.seed, search: options.search.clone(), ..FramesOptions::default() };
    if let Some(count) = options.count {
        // Frames are counted up to `count` only: if there are as many frames as wanted inputs or more, one input for each is enough.
        let frames = crate::identification::frames(&framed.specification).take(count).count();
        how.each = count.div_ceil(frames.max(1));
    }
    let samples = inputs(&framed, &how, until)?;
    let (name, file) = (&framed.declared().name, framed.file.display());
    let mistakes = mistakes(&framed, &samples);
    if samples.rows() == 0 {
        return Err(framed.no_input(&mistakes));
    }
    let mut warnings: Vec<String> = mistakes.iter().map(|mistake| format!("{file}: {mistake}")).collect();
    warnings.extend(samples.warnings.iter().map(|warning| format!("{name}, frames: {warning}")));
    let columns = in_turn(&samples, options.count.unwrap_or(usize::MAX));
    if columns.first().map_or(0, Column::len) < options.count.unwrap_or(0) {
        warnings.push(format!(
            "{name}, frames: fewer inputs than were asked for: the frames have no others that were found"
        ));
    }
    Ok(InputColumns { columns, warnings })
}

/// At most `most` inputs: the first of each frame, then the second of each, and so on.
fn in_turn(samples: &Samples, most: usize) -> Vec<Column> {
    let mut counts = vec![0_u32; samples.frames.len()];
    let mut rows: Vec<(u32, u32, u32)> = Vec::new();
    for (row, &frame) in (0..).zip(&samples.frame_of) {
        let turn = &mut counts[frame as usize];
        rows.push((*turn, frame, row));
        *turn += 1;
    }
    rows.sort_unstable();
    let rows: Vec<u32> = rows.into_iter().take(most).map(|(_, _, row)| row).collect();
    samples.columns.iter().map(|column| column.select(&rows)).collect()
}
