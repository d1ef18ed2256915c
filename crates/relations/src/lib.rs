//! The relations room.
