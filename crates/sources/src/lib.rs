//! The sources room.
