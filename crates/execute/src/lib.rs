//! The execute room.
