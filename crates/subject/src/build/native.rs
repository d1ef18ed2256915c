//! The functions of a crate as a program for the host, which calls them for whoever writes rows of arguments to it.

use std::path::PathBuf;

use super::glue::{Glue, GlueKind};
use super::{BuildError, rust};
use crate::{CrateSource, Manifest, ModuleSource, Written};
use dodona_target::{OutputName, Signature};

/// The functions of a manifest as they are built for the host: a `usize` has 64 bits in outputs there. The parameters are those of the manifest, so
/// that inputs of one build are inputs of the other.
///
/// # Errors
/// When the manifest is not about a crate that is called as it is.
pub fn native_signatures(manifest: &Manifest) -> Result<Vec<Signature>, BuildError> {
    let functions = manifest.functions.iter().zip(&source(manifest)?.types);
    Ok(functions.map(|(function, types)| signature(&function.signature, types)).collect())
}

/// Builds a program for the host that calls the functions of a manifest; where it lies.
///
/// # Errors
/// When the manifest is not about a crate that is called as it is, the compiler refuses, or a file cannot be read or written.
pub fn native_program(manifest: &Manifest) -> Result<PathBuf, BuildError> {
    let glue = Glue { manifest, source: source(manifest)?, kind: GlueKind::Worker };
    let folder = glue.write()?;
    rust::compile_program(&folder).map_err(|error| glue.explained(error))
}

fn source(manifest: &Manifest) -> Result<&CrateSource, BuildError> {
    match &manifest.source {
        ModuleSource::Crate(source) => Ok(source),
        _ => Err(BuildError::Unsupported(
            "only a crate that is called as it is, with [build] crate = \"…\", can be built for this machine too".to_owned(),
        )),
    }
}

fn signature(signature: &Signature, types: &[Written]) -> Signature {
    let mut signature = signature.clone();
    let types: Vec<Written> = types.iter().map(Written::of_host).collect();
    let mut returned =
        types.get(signature.parameters.len()).map(|ty| ty.shape().outputs()).unwrap_or_default().into_iter();
    for output in &mut signature.outputs {
        let ty = match &output.name {
            OutputName::Parameter(name) => {
                let place = signature.parameters.iter().position(|parameter| parameter.name == *name);
                place.and_then(|place| Some(types.get(place)?.value()?.ty))
            }
            // They stand in the same order.
            _ => returned.next().map(|output| output.ty),
        };
        output.ty = ty.unwrap_or(output.ty);
    }
    signature
}
