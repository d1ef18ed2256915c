//! The evidence room.
