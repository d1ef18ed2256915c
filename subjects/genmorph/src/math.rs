//! Methods of Apache Commons Math 3.

mod acos;
mod gcd;
mod is_prime;
mod log10;
mod next_prime;
mod pow;
mod sin;
mod sinh;
mod stirling;
mod tan;

pub use acos::acos;
pub use gcd::gcd;
pub use is_prime::is_prime;
pub use log10::log10;
pub use next_prime::next_prime;
pub use pow::pow;
pub use sin::sin;
pub use sinh::sinh;
pub use stirling::stirling;
pub use tan::tan;
