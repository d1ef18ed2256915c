
/// A pointer and a length, as a function returns them by value.
#[allow(dead_code)]
#[repr(C)]
struct DodonaPair([usize; 2]);

/// What functions of C take and give, beside numbers and what has a length.
#[allow(dead_code)]
mod dodona_c {
    use super::dodona_worker::{Malformed, Number, Row};

    extern "C" {
        fn free(memory: *mut u8);
    }

    fn malformed(why: &'static str) -> ! {
        std::panic::panic_any(Malformed(why))
    }

    impl Row<'_> {
        /// Where elements lie, which a zero ends, and how many come before that.
        pub fn take_ended<T: Number>(&mut self) -> (*mut T, usize) {
            let mut items = self.take_all::<T>();
            let count = items.len();
            items.push(T::default());
            (self.keep(items), count)
        }

        /// Elements where a function has them, which may be nowhere.
        pub fn seen<T: Number>(&mut self, [at, count]: [usize; 2]) {
            if count != 0 && at == 0 { malformed("a null pointer with a length") }
            if count > i32::MAX as usize { malformed("a length out of range") }
            let items = if count == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(at as *const T, count) }.to_vec() };
            self.items(0, items);
        }

        /// Elements that were copied for this answer.
        pub fn given<T: Number>(&mut self, slot: [usize; 2]) {
            self.seen::<T>(slot);
            unsafe { free(slot[0] as *mut u8) }
        }

        /// Elements up to a zero.
        pub fn ended<T: Number + PartialEq>(&mut self, at: *const T) {
            if at.is_null() { malformed("a null pointer") }
            let count = (0..).take_while(|place| unsafe { *at.add(*place) } != T::default()).count();
            self.seen::<T>([at as usize, count]);
        }

        /// The elements of a buffer that were filled.
        pub fn filled<T: Number>(&mut self, buffer: Vec<T>, count: i64) {
            if count < 0 || count > buffer.len() as i64 { malformed("a length that is not one of the buffer") }
            self.items(0, buffer[..count as usize].to_vec());
        }
    }
}

/// Goes on with what a function of C++ has thrown.
#[allow(dead_code)]
unsafe fn dodona_rethrown(hook: *mut usize) {
    let thrown = std::slice::from_raw_parts_mut(hook, 2);
    if thrown[0] != 0 {
        let message = std::slice::from_raw_parts(thrown[0] as *const u8, thrown[1]);
        thrown[0] = 0;
        panic!("{}", String::from_utf8_lossy(message));
    }
}
