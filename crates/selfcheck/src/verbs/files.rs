//! Makes the files of a subject: correct ones into which a mistake is put.

use std::fmt;
use std::path::Path;

use crate::relations::{Grammar, ValueKind};
use crate::{Choices, modules};
use dodona_target::{Signature, Type};

/// A subject as files.
pub(super) struct Files {
    manifest: Vec<u8>,
    relations: Vec<u8>,
    module: Vec<u8>,
    inputs: Vec<u8>,
    frames: Vec<u8>,
}

const INPUTS: [&str; 4] =
    ["a,b,c,d\n1,2,0.5,nan\n-1,0,inf,-0.0\n", "a,b,c,d\n300,1e3,,\n", "xs,n\n\"[1, 2]\",3\n[],0\n", ""];

impl Files {
    pub(super) fn draw(choices: &mut Choices<'_>) -> Files {
        let random = modules::draw_with_helpers(choices);
        let relations = relations(choices, &random.manifest);
        let manifest = format!("relations = [\"r.mr\"]\n{}", random.manifest);
        let inputs = choices.one_of(&INPUTS);
        Files {
            manifest: damaged(choices, manifest.into_bytes()),
            relations: damaged(choices, relations.into_bytes()),
            module: damaged(choices, random.wat.into_bytes()),
            inputs: damaged(choices, inputs.as_bytes().to_vec()),
            frames: {
                let frames = frames(choices, &random.manifest);
                damaged(choices, frames.into_bytes())
            },
        }
    }

    /// Whether running it is no danger and comes to an end: nothing is built, no file beyond the folder is named, and what code
    /// may use is as little as it was.
    pub(super) fn are_safe(&self) -> bool {
        let manifest = String::from_utf8_lossy(&self.manifest).to_lowercase();
        let is_bounded = manifest.contains("fuel = 100_000\n") && manifest.contains("memory = \"1 mib\"\n");
        is_bounded && !["build", "..", "\"/", "'/"].iter().any(|word| manifest.contains(word))
    }

    pub(super) fn write(&self, folder: &Path) {
        std::fs::create_dir(folder).expect("a folder");
        let files = [
            ("dodona.toml", &self.manifest),
            ("r.mr", &self.relations),
            ("m.wat", &self.module),
            ("in.csv", &self.inputs),
            ("frames.toml", &self.frames),
        ];
        for (name, bytes) in files {
            std::fs::write(folder.join(name), bytes).expect("written");
        }
    }
}

impl fmt::Display for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for bytes in [&self.manifest, &self.relations, &self.inputs, &self.frames, &self.module] {
            writeln!(f, "---\n{}", String::from_utf8_lossy(bytes))?;
        }
        Ok(())
    }
}

fn functions(manifest: &str) -> Vec<Signature> {
    let read = dodona_subject::Manifest::parse(Path::new("dodona.toml"), manifest);
    read.map(|manifest| manifest.signatures()).unwrap_or_default()
}

/// Up to two relations over the functions of a manifest, of which often only the first is called.
fn relations(choices: &mut Choices<'_>, manifest: &str) -> String {
    let functions = functions(manifest);
    if functions.is_empty() {
        return String::new();
    }
    let called = if choices.one_in(3) { functions.len() } else { 1 };
    let grammar = Grammar::new(&functions, &(0..called).collect::<Vec<_>>());
    let one = |number: usize| {
        let condition =
            choices.one_in(3).then(|| format!("when {}: ", grammar.conditions().truth(choices, 1)));
        let expected = grammar.truth(choices, 2);
        grammar.relation(&format!("r{number}"), &condition.unwrap_or_default(), &expected)
    };
    (0..3).map(one).collect()
}

/// Categories with two choices each, for the first function of a manifest.
fn frames(choices: &mut Choices<'_>, manifest: &str) -> String {
    let functions = functions(manifest);
    let Some(function) = functions.first() else { return String::new() };
    let mut text = String::new();
    let mut category = |section: &str, name: &str, ty: Type| {
        let at = choices.one_of(&["0", "1", "-1", "7"]);
        let (one, other) = match ValueKind::of(ty) {
            ValueKind::Truth => (name.to_owned(), format!("not {name}")),
            ValueKind::Int | ValueKind::Float => (format!("{name} < {at}"), format!("{name} >= {at}")),
            ValueKind::Ints | ValueKind::Floats | ValueKind::Text => {
                (format!("len({name}) == 0"), format!("len({name}) > 0"))
            }
        };
        text += &format!("[{section}.of_{name}]\none = \"{one}\"\nother = \"{other}\"\n");
    };
    for parameter in &function.parameters {
        category("input", &parameter.name, parameter.ty);
    }
    for output in &function.outputs {
        category("output", output.name.selector().unwrap_or("result"), output.ty);
    }
    text
}

/// The same bytes three times in four, else with some of them gone, or others among them.
fn damaged(choices: &mut Choices<'_>, mut bytes: Vec<u8>) -> Vec<u8> {
    if choices.below(4) < 3 {
        return bytes;
    }
    for _ in 0..1 + choices.below(3) {
        let from = choices.below(bytes.len() + 1);
        let to = (from + choices.below(12)).min(bytes.len());
        let length = choices.below(8);
        let new = choices.bytes(length).to_vec();
        bytes.splice(from..to, new);
    }
    bytes
}
