//! Methods of Apache Commons Lang 3.

mod abbreviate;
mod capitalize;
mod center;
mod difference;
mod is_sorted;

pub use abbreviate::abbreviate;
pub use capitalize::capitalize;
pub use center::center;
pub use difference::difference;
pub use is_sorted::is_sorted;
