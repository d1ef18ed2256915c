//! The functions of a crate, or of C, as a program for the host, which calls them for whoever writes rows of arguments to it.

use std::path::PathBuf;

use super::glue::{Glue, GlueKind};
use super::products::Products;
use super::{BuildError, c, rust};
use crate::{Manifest, ModuleSource, Written};
use dodona_target::{Output, OutputName, Signature};

/// The functions of a manifest as they are built for the host: a `usize` has 64 bits in outputs there. The parameters are those of the manifest, so
/// that inputs of one build are inputs of the other.
///
/// # Errors
/// When the manifest is not about C, or a crate that is called as it is.
pub fn native_signatures(manifest: &Manifest) -> Result<Vec<Signature>, BuildError> {
    match &manifest.source {
        ModuleSource::Crate(source) => {
            let functions = manifest.functions.iter().zip(&source.types);
            Ok(functions.map(|(function, types)| signature(&function.signature, types)).collect())
        }
        // The types of C in a signature have the same bits everywhere.
        ModuleSource::C(_) => Ok(crate::signatures(&manifest.functions)),
        _ => Err(unsupported()),
    }
}

/// What a build for the host looks for while its functions run: a report ends the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sanitizer {
    /// Memory that is read or written where it must not be (`-fsanitize=address`).
    Address,
    /// What the language leaves undefined (`-fsanitize=undefined`).
    Undefined,
}

impl Sanitizer {
    /// Its name to compilers.
    pub fn name(self) -> &'static str {
        match self {
            Sanitizer::Address => "address",
            Sanitizer::Undefined => "undefined",
        }
    }

    /// What it calls itself in what is told of its reports.
    pub fn reporter(self) -> &'static str {
        match self {
            Sanitizer::Address => "AddressSanitizer",
            Sanitizer::Undefined => "UndefinedBehaviorSanitizer",
        }
    }

    /// Whether what is told of a call is the report of one.
    ///
    /// ```
    /// use dodona_subject::build::Sanitizer;
    /// assert!(Sanitizer::reports("at f.c:4: AddressSanitizer: heap-buffer-overflow, READ of size 4"));
    /// assert!(!Sanitizer::reports("ended by signal 6 (SIGABRT)"));
    /// ```
    pub fn reports(told: &str) -> bool {
        [Sanitizer::Address, Sanitizer::Undefined]
            .iter()
            .any(|sanitizer| told.contains(&format!("{}: ", sanitizer.reporter())))
    }
}

/// Builds a program for the host that calls the functions of a manifest, with these sanitizers; where it lies.
///
/// # Errors
/// When the manifest is not about C, or a crate that is called as it is; when sanitizers are wanted of a crate; when the compiler refuses, or a file cannot be
/// read or written.
pub fn native_program(manifest: &Manifest, sanitizers: &[Sanitizer]) -> Result<PathBuf, BuildError> {
    match &manifest.source {
        ModuleSource::C(source) => c::program(manifest, source, sanitizers),
        ModuleSource::Crate(_) if !sanitizers.is_empty() => Err(BuildError::Unsupported(
            "sanitizers are for C and C++: a release compiler of Rust has none".to_owned(),
        )),
        ModuleSource::Crate(source) => {
            let glue = Glue { manifest, source, kind: GlueKind::Worker };
            let folder = glue.write()?;
            rust::compile_program(&folder).map_err(|error| glue.explained(error))
        }
        _ => Err(unsupported()),
    }
}

/// Forgets what is known of the programs that [`native_program`] built of a manifest, so that it builds them again, whatever they were made of.
///
/// # Errors
/// When a file cannot be removed.
pub fn forget_native(manifest: &Manifest) -> Result<(), BuildError> {
    Products::forget_host(manifest)
}

/// The outputs of a call in the order in which a worker answers (`book/worker-protocol.md`): what goes by the name of the whole is the first output, and comes behind all
/// that say whether it is there.
pub fn answer_order(outputs: &[Output]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..outputs.len()).collect();
    let tag = |output: usize| Some(outputs.get(output)?.given?.output);
    let tags = std::iter::successors(tag(0), |output| tag(*output)).take(outputs.len()).count();
    if tags > 0 {
        order[..=tags].rotate_left(1);
    }
    order
}

fn unsupported() -> BuildError {
    BuildError::Unsupported(
        "only C, with [build] c = […], and a crate that is called as it is, with [build] crate = \"…\", can be built for this machine too".to_owned(),
    )
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
