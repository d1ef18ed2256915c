//! `CombinatoricsUtils.stirlingS2(int, int)`.

/// Rows up to this one fit `i64` and are computed by the recurrence.
const LAST_ROW: i32 = 25;

/// The Stirling number of the second kind: the number of ways to part `n` things into `k` groups, none empty.
///
/// Above row 25 only `k` of 0, 1, 2, `n - 1` and `n` are supported, as in the original, whose general formula
/// overflows there for every other `k`.
///
/// # Panics
/// When `k` is negative or above `n`, or the number is not supported.
pub fn stirling(n: i32, k: i32) -> i64 {
    assert!(0 <= k && k <= n, "{k} is not in 0 to {n}");
    if n <= LAST_ROW {
        return by_recurrence(n as usize, k as usize);
    }
    match k {
        0 => 0,
        1 => 1,
        2 => two_groups(n),
        _ if k == n => 1,
        _ if k == n - 1 => i64::from(n) * i64::from(n - 1) / 2,
        _ => panic!("S({n}, {k}) overflows"),
    }
}

/// Each row from the one before, in place from the right: S(i, j) = j S(i-1, j) + S(i-1, j-1).
fn by_recurrence(n: usize, k: usize) -> i64 {
    let mut row = [0_i64; LAST_ROW as usize + 1];
    row[0] = 1;
    for i in 1..=n {
        for j in (1..=i).rev() {
            // Seeded fault: the factor is one too small.
            let groups = if cfg!(feature = "faulty") { j - 1 } else { j };
            row[j] = groups as i64 * row[j] + row[j - 1];
        }
        row[0] = 0;
    }
    row[k]
}

fn two_groups(n: i32) -> i64 {
    assert!(n <= 64, "S({n}, 2) overflows");
    ((1_u64 << (n - 1)) - 1) as i64
}
