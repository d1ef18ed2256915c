//! Fingerprints, by which mutants are recognised after the program was edited.
//!
//! A number changes with every edit before the mutant, and so does the number of its line. So a mutant is recognised by what it is: its
//! operator, the text of its source line, and the shape of the code.

use std::collections::HashMap;

use dodona_subject::wasmparser::{BinaryReader, Operator, OperatorsReader};
use dodona_target::fnv1a;
use wasm_encoder::Encode;

use crate::describe::mnemonic;
use crate::{Candidate, Fingerprint, Mutant, Mutants, Scanned, Step};

/// The number of instructions before and after a change that belong to its surroundings.
const AROUND: u32 = 4;

/// The fingerprints of mutants, in their order.
pub fn fingerprints(all: &Mutants<'_>) -> Vec<Fingerprint> {
    let mut seen: HashMap<(String, Option<String>, u64), u32> = HashMap::new();
    let mut surroundings = Surroundings::default();
    let one = |mutant: &Mutant| {
        let mut fingerprint = fingerprint(all, mutant, &mut surroundings);
        let alike = (fingerprint.operator.clone(), fingerprint.source_line.clone(), fingerprint.shape);
        let next = seen.entry(alike).or_default();
        fingerprint.occurrence = *next;
        *next += 1;
        fingerprint
    };
    all.mutants.iter().map(one).collect()
}

impl Fingerprint {
    /// The 16 hexadecimal digits of the hash.
    pub fn key(&self) -> String {
        format!("{:016x}", fnv1a(format!("{self:?}").as_bytes()))
    }
}

/// The fingerprint of a mutant without its occurrence number.
fn fingerprint(all: &Mutants<'_>, mutant: &Mutant, surroundings: &mut Surroundings) -> Fingerprint {
    let change = &mutant.changes[0];
    let scanned = all.function(change);
    let fingerprint = Fingerprint {
        operator: mutant.operator.code().to_owned(),
        function: scanned.module.function_name(scanned.function),
        change: (change.description.before.clone(), change.description.after.clone()),
        source_line: change.description.source_line.clone(),
        shape: surroundings.shape(scanned, &change.candidate),
        occurrence: 0,
    };
    fingerprint.normalised()
}

/// The words of the instructions around the last change. Mutants of one instruction follow each other, about ten of them.
#[derive(Default)]
struct Surroundings {
    /// The function and the instruction.
    of: Option<(u32, u32)>,
    words: Words,
}

impl Surroundings {
    /// A hash of a change and the instructions around it. Locals are numbered in the order in which they appear, and functions,
    /// globals and labels are ignored, because edits elsewhere change their numbers.
    fn shape(&mut self, scanned: &Scanned<'_>, candidate: &Candidate) -> u64 {
        let mut words = Words::default();
        for (number, edit) in candidate.edits.iter().enumerate() {
            match number {
                0 => words.clone_from(self.words_around(scanned, edit.at)),
                _ => words.around(scanned, edit.at),
            }
            words.add(&format!("{:?}", edit.slot));
            edit.code.iter().for_each(|step| words.step(step));
        }
        fnv1a(words.text.as_bytes())
    }

    /// The words of an instruction and those around it.
    fn words_around(&mut self, scanned: &Scanned<'_>, at: u32) -> &Words {
        let of = Some((scanned.function, at));
        if self.of != of {
            self.of = of;
            self.words = Words::default();
            self.words.around(scanned, at);
        }
        &self.words
    }
}

#[derive(Clone, Default)]
struct Words {
    text: String,
    locals: Vec<u32>,
}

impl Words {
    /// Adds the instructions around one of them.
    fn around(&mut self, scanned: &Scanned<'_>, center: u32) {
        let last = scanned.instructions.len() as u32 - 1;
        for at in center.saturating_sub(AROUND)..=(center + AROUND).min(last) {
            self.add(if at == center { ">" } else { "" });
            self.operator(&scanned.at(at).operator);
        }
    }

    fn add(&mut self, word: &str) {
        self.text += word;
        self.text.push('\n');
    }

    fn step(&mut self, step: &Step) {
        let Step::Do(instruction) = step else { return self.add(&format!("{step:?}")) };
        let mut bytes = Vec::new();
        instruction.encode(&mut bytes);
        match OperatorsReader::new(BinaryReader::new(&bytes, 0)).read() {
            Ok(operator) => self.operator(&operator),
            Err(_) => self.add("?"),
        }
    }

    fn operator(&mut self, operator: &Operator<'_>) {
        let immediate = match operator {
            Operator::LocalGet { local_index }
            | Operator::LocalSet { local_index }
            | Operator::LocalTee { local_index } => self.renamed(*local_index).to_string(),
            Operator::I32Const { value } => value.to_string(),
            Operator::I64Const { value } => value.to_string(),
            Operator::F32Const { value } => value.bits().to_string(),
            Operator::F64Const { value } => value.bits().to_string(),
            operator => crate::describe::memarg(operator).map_or_else(String::new, |m| m.offset.to_string()),
        };
        self.add(&format!("{} {immediate}", mnemonic(operator)));
    }

    fn renamed(&mut self, local: u32) -> usize {
        let known = self.locals.iter().position(|l| *l == local);
        known.unwrap_or_else(|| {
            self.locals.push(local);
            self.locals.len() - 1
        })
    }
}
