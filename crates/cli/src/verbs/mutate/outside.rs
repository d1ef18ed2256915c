//! Mutation analysis of functions outside of WebAssembly, by other versions of their code.

use dodona_mutation::{MutateOptions, MutateOutcome, mutate_outside};
use dodona_records::MutationRecord;
use dodona_subject::Manifest;
use dodona_target::{Interruption, Until};

use super::{MutateArgs, violated};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{interrupt, open};

/// Runs the versions that are named.
pub(super) fn analyse(
    manifest: Manifest,
    args: &MutateArgs,
    options: &MutateOptions,
    interrupted: &Interruption,
) -> Result<MutationRecord, Failure> {
    let of_modules = [
        ("--matrix", args.matrix.is_some()),
        ("--hierarchy", args.hierarchy),
        ("--stop-at-kill", args.stop_at_kill),
        ("--prove", args.prove),
    ];
    if let Some((option, _)) = of_modules.iter().find(|(_, is_there)| *is_there) {
        return Err(Failure::usage(format!(
            "{option} is of WebAssembly modules, and {} is called in processes",
            manifest.name
        )));
    }
    let subject = open::outside(manifest, &args.relations.files, &open::Calling::default())?;
    if !args.versions.are_named() {
        return Err(Failure::usage(format!(
            "{} is no WebAssembly module, so that no mutants are made of it: name other versions of it with --versions FOLDER; of Python code, --versions cosmic-ray (or mutmut) has that tool \
             make mutants",
            subject.manifest.name
        )));
    }
    let versions = args.versions.outside(&subject)?;
    let until = Until::interrupted(interrupted);
    let mut bar = Progress::new("versions");
    let name = subject.manifest.name.clone();
    let outcome = mutate_outside(&subject.workbench, &versions, options, &until, &mut |p| {
        bar.update(&format!("{name}, {} alive", p.alive), p.done, p.planned);
    });
    bar.finish();
    match outcome.map_err(open::lab_failure)? {
        MutateOutcome::BaselineViolated(check) => Err(violated(*check, args, interrupted)?),
        MutateOutcome::Analysed(analysed) => {
            let mut record = analysed.record;
            if interrupt::is_out_of_time() {
                record.warnings.push("the time was up; --time gives more".to_owned());
            }
            Ok(record)
        }
    }
}
