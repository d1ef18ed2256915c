#[allow(dead_code)]
mod dodona_shown {
    pub struct Shown<'a, T>(pub &'a T);
    pub trait ByDisplay { fn shown(&self) -> String; }
    pub trait ByDebug { fn shown(&self) -> String; }
    pub trait ByNothing { fn shown(&self) -> String; }
    impl<T: core::fmt::Display> ByDisplay for &&Shown<'_, T> { fn shown(&self) -> String { format!("{}", self.0) } }
    impl<T: core::fmt::Debug> ByDebug for &Shown<'_, T> { fn shown(&self) -> String { format!("{:?}", self.0) } }
    impl<T> ByNothing for Shown<'_, T> { fn shown(&self) -> String { core::any::type_name::<T>().into() } }
}
