//! Methods of Guava 31.

mod index_of;
mod join;
mod mean_of;
mod min;
mod pad_start;
mod repeat;
mod sort;
mod truncate;

pub use index_of::index_of;
pub use join::join;
pub use mean_of::mean_of;
pub use min::min;
pub use pad_start::pad_start;
pub use repeat::repeat;
pub use sort::sort;
pub use truncate::truncate;
