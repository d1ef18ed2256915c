/// Where the outputs of a call go that has several: 8 bytes each.
#[allow(dead_code)]
mod dodona_slots {
    pub struct Slots(*mut u64);
    pub trait Number { fn bits(self) -> u64; }
    macro_rules! integers { ($($ty:ty)*) => { $(impl Number for $ty { fn bits(self) -> u64 { self as u64 } })* } }
    integers!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    impl Number for f32 { fn bits(self) -> u64 { self.to_bits() as u64 } }
    impl Number for f64 { fn bits(self) -> u64 { self.to_bits() } }
    impl Slots {
        pub fn new(at: *mut u64, count: usize) -> Slots {
            unsafe { core::ptr::write_bytes(at, 0, count) };
            Slots(at)
        }
        pub fn number(&self, slot: usize, number: impl Number) { unsafe { *self.0.add(slot) = number.bits() } }
        pub fn items<T>(&self, slot: usize, items: Vec<T>) {
            let items = core::mem::ManuallyDrop::new(items);
            unsafe { *self.0.add(slot) = (items.as_ptr() as usize as u64) | (items.len() as u64) << 32 }
        }
    }
}
