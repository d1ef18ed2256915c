//! The kill matrix and its file.

use dodona_records::{KillMatrix, MatrixError, MatrixOrigin, MutantId, Section, SectionKind};
use proptest::prelude::*;

fn section() -> impl Strategy<Value = Section> {
    let kind = prop::sample::select(vec![SectionKind::Inputs, SectionKind::Relation]);
    // Commas and quotes, for the comma-separated form.
    let name = "[a-z,\" é]{0,6}";
    (kind, name, 0_u64..70).prop_map(|(kind, name, tests)| Section { kind, name, tests })
}

/// A matrix, with its cells as they were set.
fn matrix() -> impl Strategy<Value = (KillMatrix, Vec<Vec<bool>>)> {
    let ids = prop::collection::btree_set(1_u32..1000, 0..9);
    let versions = prop::collection::vec("[a-z,\" é]{0,6}", 0..3);
    let shape = (prop::collection::vec(section(), 0..4), ids, versions);
    shape.prop_flat_map(|(sections, ids, versions)| {
        let tests = sections.iter().map(|s| s.tests as usize).sum::<usize>();
        let row = prop::collection::vec(any::<bool>(), tests);
        prop::collection::vec(row, ids.len() + versions.len()).prop_map(move |cells| {
            let mutants = ids.iter().copied().map(MutantId).collect();
            let matrix = KillMatrix::with_versions(sections.clone(), mutants, versions.clone());
            let mut matrix = matrix.expect("valid");
            for (row, cells) in cells.iter().enumerate() {
                matrix.mark(row, 0, cells.iter().copied());
            }
            (matrix, cells)
        })
    })
}

fn written(matrix: &KillMatrix) -> Vec<u8> {
    let mut bytes = Vec::new();
    matrix.write(&mut bytes).expect("valid");
    bytes
}

proptest! {
    #[test]
    fn cells_are_as_they_were_set((matrix, cells) in matrix()) {
        for (row, cells) in cells.iter().enumerate() {
            for (test, cell) in cells.iter().enumerate() {
                prop_assert_eq!(matrix.kills(row, test), *cell);
            }
            prop_assert_eq!(matrix.count(row), cells.iter().filter(|c| **c).count() as u64);
        }
        prop_assert_eq!(matrix.rows(), cells.len());
        for (row, mutant) in matrix.mutants().iter().enumerate() {
            prop_assert_eq!(matrix.row_of(*mutant), Some(row));
        }
        for name in matrix.versions() {
            prop_assert!(matrix.row_of_version(name).is_some_and(|row| row >= matrix.mutants().len()));
        }
        prop_assert_eq!(matrix.first_test(matrix.sections().len()), matrix.tests());
    }

    #[test]
    fn what_is_written_reads_back((matrix, _) in matrix()) {
        prop_assert_eq!(KillMatrix::read(&written(&matrix)), Ok(matrix));
    }

    #[test]
    fn what_is_cut_short_or_goes_on_is_refused((matrix, _) in matrix(), cut in any::<prop::sample::Index>()) {
        let mut bytes = written(&matrix);
        prop_assert!(KillMatrix::read(&bytes[..cut.index(bytes.len())]).is_err());
        // A matrix without rows has nothing to be long.
        bytes.push(0);
        prop_assert!(KillMatrix::read(&bytes).is_err());
    }

    #[test]
    fn a_changed_byte_is_refused_or_another_matrix(
        (matrix, _) in matrix(),
        at in any::<prop::sample::Index>(),
        flip in 1_u8..,
    ) {
        let mut bytes = written(&matrix);
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(read) = KillMatrix::read(&bytes) {
            prop_assert_eq!(written(&read), bytes);
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(tail in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = KillMatrix::read(&tail);
        let _ = KillMatrix::read(&[b"DODONAKM\x01\0\0\0", tail.as_slice()].concat());
    }

    #[test]
    fn the_comma_separated_form_holds_the_same_cells((matrix, cells) in matrix()) {
        let mut bytes = Vec::new();
        matrix.write_csv(&mut bytes).expect("valid");
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("valid");
        prop_assert_eq!(lines.len(), cells.len() + 1);
        prop_assert_eq!(lines[0].len(), matrix.tests() + 1);
        let mutants = matrix.mutants().iter().map(ToString::to_string);
        let names = mutants.chain(matrix.versions().iter().map(|name| format!("version {name}")));
        for ((line, cells), name) in lines[1..].iter().zip(&cells).zip(names) {
            prop_assert_eq!(&line[0], name);
            let ones: Vec<bool> = line.iter().skip(1).map(|cell| cell == "1").collect();
            prop_assert_eq!(&ones, cells);
        }
    }
}

/// The bytes are part of the interface: others read them.
#[test]
fn the_file_is_as_documented() {
    let section = |kind, name: &str, tests| Section { kind, name: name.to_owned(), tests };
    let sections = vec![section(SectionKind::Inputs, "f", 9), section(SectionKind::Relation, "ab", 2)];
    let matrix = KillMatrix::new(sections, vec![MutantId(2), MutantId(258)]).expect("valid");
    let mut matrix = matrix.with_origin(MatrixOrigin { module: 7, seed: 5 });
    matrix.set(0, 0);
    matrix.set(1, 8);
    matrix.set(1, 10);
    let expected: &[&[u8]] = &[
        b"DODONAKM",
        &[2, 0, 0, 0],
        &[2, 0, 0, 0],
        &[2, 0, 0, 0, 0, 0, 0, 0],
        &[7, 0, 0, 0, 0, 0, 0, 0],
        &[5, 0, 0, 0, 0, 0, 0, 0],
        b"\0\x01\0\0\0f\x09\0\0\0\0\0\0\0",
        b"\x01\x02\0\0\0ab\x02\0\0\0\0\0\0\0",
        &[2, 0, 0, 0, 2, 1, 0, 0],
        &[0b1, 0],
        &[0, 0b101],
    ];
    assert_eq!(written(&matrix), expected.concat());
    assert_eq!(KillMatrix::read(&written(&matrix)).as_ref(), Ok(&matrix));
    // A file of version 1 does not say what it was made of.
    let first = [expected[0], &[1, 0, 0, 0], expected[2], expected[3], &expected[6..].concat()].concat();
    let read = KillMatrix::read(&first).expect("it is read");
    assert_eq!(read.origin(), None);
    assert_eq!(read.with_origin(MatrixOrigin { module: 7, seed: 5 }), matrix);
    let mut csv = Vec::new();
    matrix.write_csv(&mut csv).expect("valid");
    let csv = String::from_utf8(csv).expect("valid");
    assert!(csv.starts_with("mutant,inputs of f#0,"), "{csv}");
    assert!(
        csv.ends_with(",relation ab#0,relation ab#1\nM2,1,0,0,0,0,0,0,0,0,0,0\nM258,0,0,0,0,0,0,0,0,1,0,1\n")
    );
}

/// Faulty versions stand behind the mutants, and a file without them is as it was before there were any.
#[test]
fn the_file_with_faulty_versions_is_as_documented() {
    let sections = vec![Section { kind: SectionKind::Relation, name: "ab".to_owned(), tests: 2 }];
    let matrix = KillMatrix::with_versions(sections, vec![MutantId(2)], vec!["lang-1".to_owned()]);
    let mut matrix = matrix.expect("valid").with_origin(MatrixOrigin { module: 7, seed: 5 });
    matrix.set(matrix.row_of_version("lang-1").expect("it has a row"), 1);
    let expected: &[&[u8]] = &[
        b"DODONAKM",
        &[3, 0, 0, 0],
        &[1, 0, 0, 0],
        &[1, 0, 0, 0, 0, 0, 0, 0],
        &[7, 0, 0, 0, 0, 0, 0, 0],
        &[5, 0, 0, 0, 0, 0, 0, 0],
        &[1, 0, 0, 0, 0, 0, 0, 0],
        b"\x01\x02\0\0\0ab\x02\0\0\0\0\0\0\0",
        b"\x06\0\0\0lang-1",
        &[2, 0, 0, 0],
        &[0],
        &[0b10],
    ];
    assert_eq!(written(&matrix), expected.concat());
    assert_eq!(KillMatrix::read(&written(&matrix)).as_ref(), Ok(&matrix));
    let none = [&expected[..6], &[&[0; 8]], &expected[7..8], &expected[9..11]].concat().concat();
    assert_eq!(
        KillMatrix::read(&none),
        Err(MatrixError::Header("it does not say how many faulty versions it has"))
    );
    let mut csv = Vec::new();
    matrix.write_csv(&mut csv).expect("valid");
    assert!(String::from_utf8(csv).expect("valid").ends_with("\nM2,0,0\nversion lang-1,0,1\n"));
}

#[test]
fn a_file_cannot_ask_for_more_than_it_holds() {
    let huge = |sections: u32, mutants: u64, tests: u64| {
        let mut bytes = b"DODONAKM\x01\0\0\0".to_vec();
        bytes.extend(sections.to_le_bytes());
        bytes.extend(mutants.to_le_bytes());
        bytes.extend(b"\0\0\0\0\0");
        bytes.extend(tests.to_le_bytes());
        KillMatrix::read(&bytes)
    };
    assert_eq!(huge(u32::MAX, 0, 0), Err(MatrixError::Section(1)));
    assert_eq!(huge(1, u64::MAX, 0), Err(MatrixError::Length { expected: u64::MAX, found: 0 }));
    assert_eq!(huge(1, 1, u64::MAX), Err(MatrixError::Length { expected: u64::MAX / 8 + 1 + 4, found: 0 }));
    // No row, and yet a header line that would not end.
    assert_eq!(huge(1, 0, u64::MAX), Err(MatrixError::TooLarge { mutants: 0, tests: u64::MAX }));
}

#[test]
fn mutants_ascend_from_one() {
    let new = |ids: &[u32]| KillMatrix::new(Vec::new(), ids.iter().copied().map(MutantId).collect());
    assert!(new(&[1, 2, 9]).is_ok());
    assert_eq!(new(&[0]), Err(MatrixError::Order(MutantId(0))));
    assert_eq!(new(&[1, 3, 3]), Err(MatrixError::Order(MutantId(3))));
}
