//! Makes the files of a subject: correct ones into which a mistake is put.

use std::fmt;
use std::path::Path;

use crate::choices::Choices;
use crate::modules;
use crate::relations::Grammar;

/// A subject as files.
pub(super) struct Files {
    manifest: Vec<u8>,
    relations: Vec<u8>,
    module: Vec<u8>,
    inputs: Vec<u8>,
}

const INPUTS: [&str; 4] =
    ["a,b,c,d\n1,2,0.5,nan\n-1,0,inf,-0.0\n", "a,b,c,d\n300,1e3,,\n", "xs,n\n\"[1, 2]\",3\n[],0\n", ""];

impl Files {
    pub(super) fn draw(choices: &mut Choices<'_>) -> Files {
        let random = modules::draw(choices);
        let relations = relations(choices, &random.manifest);
        let manifest = format!("relations = [\"r.mr\"]\n{}", random.manifest);
        let inputs = choices.one_of(&INPUTS);
        Files {
            manifest: damaged(choices, manifest.into_bytes()),
            relations: damaged(choices, relations.into_bytes()),
            module: damaged(choices, random.wat.into_bytes()),
            inputs: damaged(choices, inputs.as_bytes().to_vec()),
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
        ];
        for (name, bytes) in files {
            std::fs::write(folder.join(name), bytes).expect("written");
        }
    }
}

impl fmt::Display for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for bytes in [&self.manifest, &self.relations, &self.inputs, &self.module] {
            writeln!(f, "---\n{}", String::from_utf8_lossy(bytes))?;
        }
        Ok(())
    }
}

/// One to three relations over the function of a manifest.
fn relations(choices: &mut Choices<'_>, manifest: &str) -> String {
    let read = dodona_subject::Manifest::parse(Path::new("dodona.toml"), manifest);
    let functions = read.map(|manifest| manifest.functions).unwrap_or_default();
    if functions.is_empty() {
        return String::new();
    }
    let grammar = Grammar::new(&functions, &[0]);
    let one = |number: usize| {
        let condition =
            choices.one_in(3).then(|| format!("when {}: ", grammar.conditions().truth(choices, 1)));
        let expected = grammar.truth(choices, 2);
        grammar.relation(&format!("r{number}"), &condition.unwrap_or_default(), &expected)
    };
    (0..3).map(one).collect()
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
