//! Whatever reads bytes that a user or a solver wrote: it gives a value or an error that names a place, never a panic, and what it
//! read is consistent with the bytes.

use std::path::Path;
use std::sync::LazyLock;

use crate::{Case, Defect};
use dodona_frames::identification::{Specification, frames as complete_frames};
use dodona_records::{KillMatrix, read_pairs, write_pairs};
use dodona_relations::{check, parse};
use dodona_session::{KeyBuilder, ShardError, ShardHead, ShardNumber, ShardPiece, ShardReader, ShardWriter};
use dodona_smt::solver::reply;
use dodona_subject::{CodePoint, Manifest, Module, draft};
use dodona_target::{Diagnostic, Scalar, Signature, Type};

/// How many functions of a module are looked at, and how many instructions of each: a case is to take milliseconds.
const FUNCTIONS: u32 = 64;
const INSTRUCTIONS: usize = 256;

/// The most tests of a matrix that is written as a table. A header of a few bytes may name any number of tests.
const TESTS: usize = 1 << 16;

const NOT_TEXT: Case = Case::Dropped("not UTF-8");
const REFUSED: Case = Case::Checked("refused, with a place inside the text");

/// Reads bytes as a WebAssembly module, with its debug information.
///
/// # Errors
/// When an instruction that stands at an offset is not found there again.
pub fn module(bytes: &[u8]) -> Result<Case, Defect> {
    let Ok(module) = Module::parse(bytes.to_vec()) else { return Ok(Case::Checked("not a module")) };
    let debug = module.debug_info();
    for function in 0..module.function_count().min(FUNCTIONS) {
        let _ = module.function_name(function);
        for (instruction, (_, offset)) in module.operators(function).iter().enumerate().take(INSTRUCTIONS) {
            let point = CodePoint { function, instruction: instruction as u32 };
            if module.code_point_at(*offset) != Some(point) {
                return Err(Defect::new(format!("{point:?} is not at its offset {offset}")));
            }
        }
        if let Some(debug) = &debug {
            let _ = debug.subprogram(&module, function);
            let _ = debug.location(&module, CodePoint { function, instruction: 0 });
        }
    }
    let _ = module.stack_pointer();
    let _ = draft(&module, "m", "m.wasm");
    Ok(Case::Checked("a module"))
}

/// The functions that relations of a file may call: numbers, sequences and texts.
static DECLARED: LazyLock<Vec<Signature>> = LazyLock::new(|| {
    let text = r#"module = "m.wasm"
        [[function]]
        signature = "sin(x: f64) -> f64"
        [[function]]
        signature = "gcd(p: i32, q: i32) -> i32"
        [[function]]
        signature = "sort(xs: [i32])"
        lower.xs = "in-out"
        [[function]]
        signature = "mean(xs: [i32]) -> f64"
        [[function]]
        signature = "tokens(text: text) -> command""#;
    Manifest::parse(Path::new("m.toml"), text).expect("valid").signatures()
});

/// Reads bytes as a file of relations, prints them and reads them again, and checks them against functions.
///
/// # Errors
/// When what was printed reads as other relations, or a refusal names no place inside the text.
pub fn relations(bytes: &[u8]) -> Result<Case, Defect> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(NOT_TEXT) };
    match parse(text) {
        Ok(file) => {
            let printed = file.to_string();
            if parse(&printed).as_ref() != Ok(&file) {
                return Err(Defect::new(format!("what is printed reads as something else:\n{printed}")));
            }
            let _ = check(&file, &DECLARED);
            Ok(Case::Checked("relations that print and read again"))
        }
        Err(problems) => refused(&problems, text),
    }
}

/// Reads bytes as a manifest.
///
/// # Errors
/// When a refusal names no place inside the text.
pub fn manifest(bytes: &[u8]) -> Result<Case, Defect> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(NOT_TEXT) };
    match Manifest::parse(Path::new("s/dodona.toml"), text) {
        Ok(_) => Ok(Case::Checked("a manifest")),
        Err(problems) => refused(&problems, text),
    }
}

/// Reads bytes as an OpenAPI document, in JSON or YAML, and drafts the service.
///
/// # Errors
/// When a draft is no manifest, or its relations are not valid.
pub fn openapi(bytes: &[u8]) -> Result<Case, Defect> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(NOT_TEXT) };
    let Ok(api) = dodona_openapi::read(text) else { return Ok(Case::Checked("no document")) };
    let draft = dodona_openapi::draft(
        &api,
        "s",
        dodona_openapi::Called { address: Some("http://127.0.0.1:8000"), reset: Some("POST /") },
    );
    if draft.functions == 0 {
        return Ok(Case::Checked("a document without functions"));
    }
    let manifest = Manifest::parse(Path::new("s/dodona.toml"), &draft.manifest).map_err(|problems| {
        Defect::new(format!("a draft is no manifest: {problems:?}\n{}", draft.manifest))
    })?;
    let relations = dodona_relations::parse(&draft.relations)
        .and_then(|file| dodona_relations::check(&file, &manifest.signatures()));
    match relations {
        Ok(_) => Ok(Case::Checked("a document with its draft")),
        Err(problems) => {
            Err(Defect::new(format!("drafted relations are not valid: {problems:?}\n{}", draft.relations)))
        }
    }
}

/// The most combinations of choices whose frames are enumerated: a few lines of a file name any number of them.
const COMBINATIONS: usize = 1 << 12;

/// Reads bytes as categories and choices, and enumerates their frames, where these are few.
///
/// # Errors
/// When a frame violates a constraint or comes twice, one that satisfies all constraints is missing, or a refusal names no place inside the text.
pub fn frames(bytes: &[u8]) -> Result<Case, Defect> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(NOT_TEXT) };
    let parameters = [
        ("a".to_owned(), Type::Scalar(Scalar::I32)),
        ("b".to_owned(), Type::Scalar(Scalar::F64)),
        ("text".to_owned(), Type::Text),
    ];
    let function = &DECLARED[1];
    let specification = match Specification::read(text, &parameters, &function.outputs) {
        Ok(specification) => specification,
        Err(problems) => return refused(&problems, text),
    };
    let sizes: Vec<usize> = specification.inputs.iter().map(|category| category.choices.len()).collect();
    let combinations = sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
    let Some(combinations) = combinations.filter(|count| *count <= COMBINATIONS) else {
        return Ok(Case::Checked("categories with many combinations"));
    };
    let allowed =
        |choices: &[u16]| specification.constraints.iter().all(|(formula, _)| formula.holds(choices));
    let expected =
        (0..combinations).map(|number| combination(number, &sizes)).filter(|choices| allowed(choices));
    let found: Vec<Vec<u16>> = complete_frames(&specification).map(|frame| frame.0).collect();
    match expected.eq(found.iter().cloned()) {
        true => Ok(Case::Checked("frames that are those which the constraints allow")),
        false => Err(Defect::new(format!("{} frames are not those that the constraints allow", found.len()))),
    }
}

/// The combination of choices with this number: the last category changes fastest.
fn combination(mut number: usize, sizes: &[usize]) -> Vec<u16> {
    let mut choices = vec![0; sizes.len()];
    for (choice, size) in choices.iter_mut().zip(sizes).rev() {
        *choice = (number % size) as u16;
        number /= size;
    }
    choices
}

fn refused(problems: &[Diagnostic], text: &str) -> Result<Case, Defect> {
    if problems.is_empty() {
        return Err(Defect::new("a refusal without a problem"));
    }
    for problem in problems {
        if problem.span.start > text.len() {
            return Err(Defect::new(format!("a problem behind the end of the text: {problem:?}")));
        }
        let _ = problem.line_column(text);
    }
    Ok(REFUSED)
}

/// Reads bytes as a kill matrix, and writes it again, also as a table.
///
/// # Errors
/// When it is written as other bytes, or a kill is missing from the table.
pub fn matrix(bytes: &[u8]) -> Result<Case, Defect> {
    let Ok(matrix) = KillMatrix::read(bytes) else { return Ok(Case::Checked("not a matrix")) };
    let mut written = Vec::new();
    matrix.write(&mut written).expect("memory takes everything");
    // Version 1 does not say what the matrix was made of, and is written as the present one.
    let same = if bytes.get(8) == Some(&1) {
        KillMatrix::read(&written).as_ref() == Ok(&matrix)
    } else {
        written == bytes
    };
    if !same {
        return Err(Defect::new("a matrix is written as other bytes than it was read from"));
    }
    if matrix.tests() <= TESTS {
        let killed: u64 = (0..matrix.rows()).map(|row| matrix.count(row)).sum();
        let mut table = Vec::new();
        matrix.write_csv(&mut table).expect("memory takes everything");
        let ones = table.split(|b| *b == b'\n').skip(1).flatten().filter(|b| **b == b'1').count();
        if (ones as u64) < killed {
            return Err(Defect::new(format!("{killed} kills, and {ones} of them in the table")));
        }
    }
    Ok(Case::Checked("a matrix that is written as the same bytes"))
}

/// Reads bytes as a table of candidate pairs, which a spreadsheet may have written, and writes it again.
///
/// # Errors
/// When it reads back as other pairs.
pub fn pairs(bytes: &[u8]) -> Result<Case, Defect> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(NOT_TEXT) };
    let Ok(pairs) = read_pairs(text) else { return Ok(Case::Checked("not a table of pairs")) };
    let mut written = Vec::new();
    write_pairs(&pairs, &mut written).expect("memory takes everything");
    let written = String::from_utf8(written).expect("text of texts");
    if read_pairs(&written).as_ref() != Ok(&pairs) && !pairs.is_empty() {
        return Err(Defect::new("a table of pairs reads back as other pairs"));
    }
    Ok(Case::Checked("a table that reads back"))
}

/// Reads bytes as what a solver answers.
///
/// # Errors
/// When one answer is read as two things, or values that are printed read as others.
pub fn replies(bytes: &[u8]) -> Result<Case, Defect> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(NOT_TEXT) };
    let values = reply::values(text);
    let kinds = [reply::verdict(text).is_ok(), values.is_ok(), reply::nothing(text).is_ok()];
    let read = kinds.into_iter().filter(|read| *read).count();
    if read > 1 {
        return Err(Defect::new(format!("read as {read} kinds of answers: {text:?}")));
    }
    if let Ok(values) = values {
        let printed: Vec<String> =
            values.iter().map(|(name, value)| format!("(|{name}| (_ bv{value} 128))")).collect();
        if reply::values(&format!("({})", printed.join(" "))) != Ok(values) {
            return Err(Defect::new(format!("values that are printed read as others: {text:?}")));
        }
        return Ok(Case::Checked("values that print and read again"));
    }
    Ok(Case::Checked(if read == 1 { "another answer" } else { "not an answer" }))
}

/// Reads bytes as the file of a shard, as they are and as the text in one; and writes a shard of pieces out of the bytes, of which one byte is then changed.
///
/// # Errors
/// When a file reads back as something else, or a changed one as other pieces.
pub fn shards(bytes: &[u8]) -> Result<Case, Defect> {
    let text = zstd::encode_all(bytes, 0).expect("memory takes everything");
    for file in [bytes, &text] {
        let Ok((head, pieces)) = read_shard(file) else { continue };
        let again = read_shard(&write_shard(&head, &pieces));
        if !matches!(again, Ok((h, p)) if h == head && p == pieces) {
            return Err(Defect::new("a shard reads back as another one"));
        }
    }
    let Some((&place, rest)) = bytes.split_first() else { return Ok(Case::Checked("no bytes")) };
    let pieces: Vec<ShardPiece> = rest.split(|byte| *byte == b'\n').map(piece).collect();
    let head = ShardHead {
        shard: ShardNumber::new(1, 2).expect("the first of two"),
        version: String::new(),
        command: Vec::new(),
        seed: 0,
        subjects: Vec::new(),
        costs: None,
        plan: String::new(),
    };
    let mut file = write_shard(&head, &pieces);
    if !matches!(read_shard(&file), Ok((_, read)) if read == pieces) {
        return Err(Defect::new("pieces read back as others"));
    }
    let place = usize::from(place) * file.len() / 256;
    file[place] = !file[place];
    match read_shard(&file) {
        Ok((_, read)) if read != pieces => {
            Err(Defect::new(format!("byte {place} is another one, and nobody noticed")))
        }
        _ => Ok(Case::Checked("a shard that reads back")),
    }
}

fn piece(record: &[u8]) -> ShardPiece {
    ShardPiece {
        key: KeyBuilder::new("piece").with(record).key(),
        kind: "check".to_owned(),
        subject: String::new(),
        subject_name: String::new(),
        about: String::new(),
        seconds: 0.0,
        record: String::from_utf8_lossy(record).into_owned(),
    }
}

fn read_shard(bytes: &[u8]) -> Result<(ShardHead, Vec<ShardPiece>), ShardError> {
    let mut reader = ShardReader::begin(bytes)?;
    let mut pieces = Vec::new();
    while let Some(piece) = reader.piece()? {
        pieces.push(piece);
    }
    Ok((reader.head().clone(), pieces))
}

fn write_shard(head: &ShardHead, pieces: &[ShardPiece]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ShardWriter::begin(&mut bytes, head).expect("memory takes everything");
    pieces.iter().for_each(|piece| writer.piece(piece.clone()).expect("memory takes everything"));
    writer.end().expect("memory takes everything");
    bytes
}
