/// The functions of every.c, as a crate of Rust would have them.
mod adapters {
    pub fn negated(b: bool) -> bool {
        !b
    }

    pub fn next(small: i8) -> i8 {
        small.saturating_add(1)
    }

    pub fn swapped(wide: u64) -> u64 {
        wide.rotate_left(32)
    }

    pub fn mirrored(bits: u32) -> u32 {
        bits.reverse_bits()
    }

    pub fn third(single: f32) -> f32 {
        single / 3.0
    }

    pub fn vowels(word: &str) -> u32 {
        word.chars().filter(|c| "aeiou".contains(*c)).count() as u32
    }

    pub fn first_word(line: &mut String) {
        line.truncate(line.find(' ').unwrap_or(line.len()));
    }

    pub fn doubled(shorts: &[i16]) -> Vec<i16> {
        shorts.repeat(2)
    }

    pub fn running(reals: &[f64]) -> Vec<f64> {
        let add = |sum: &mut f64, x: &f64| {
            *sum += x;
            Some(*sum)
        };
        reals.iter().scan(0.0, add).collect()
    }

    pub fn weekday(day: u8) -> &'static str {
        ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Sàbado"][usize::from(day % 7)]
    }

    pub fn ratio(over: i32, under: i32) -> i32 {
        over.wrapping_div(under)
    }

    pub fn place(ranks: &[u16], rank: u16) -> i32 {
        ranks.iter().position(|r| *r == rank).map_or(-1, |place| place as i32)
    }

    pub fn suit(name: &str) -> i32 {
        i32::from(name == "hearts")
    }

    /// How many NaNs other than the canonical one came.
    pub fn odd_nans(number: f64, single: f32, numbers: &[f64], singles: &[f32]) -> u32 {
        let odd = |x: &f64| x.is_nan() && x.to_bits() != 0x7ff8_0000_0000_0000;
        let odd_single = |x: &f32| x.is_nan() && x.to_bits() != 0x7fc0_0000;
        let one = u32::from(odd(&number)) + u32::from(odd_single(&single));
        let several = numbers.iter().filter(|x| odd(x)).count() + singles.iter().filter(|x| odd_single(x)).count();
        one + several as u32
    }

    pub fn flipped(number: f64) -> f64 {
        -number
    }

    pub fn flipped_single(single: f32) -> f32 {
        -single
    }

    pub fn refuse(number: i32) {
        assert!(number >= 0);
    }
}
