//! Whatever bytes are read as a kill matrix: an error, or a matrix that is written as the same bytes.
#![no_main]

use dodona_evidence::KillMatrix;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(matrix) = KillMatrix::read(bytes) else { return };
    let mut written = Vec::new();
    matrix.write(&mut written).expect("memory takes everything");
    assert_eq!(written, bytes);
    let killed: u64 = (0..matrix.mutants().len()).map(|row| matrix.count(row)).sum();
    // Without rows, a header may name any number of tests.
    if matrix.tests() <= 1 << 16 {
        let mut table = Vec::new();
        matrix.write_csv(&mut table).expect("memory takes everything");
        let ones = table.split(|b| *b == b'\n').skip(1).flatten().filter(|b| **b == b'1').count();
        assert!(ones as u64 >= killed, "a kill is not in the table");
    }
});
