//! The lab room.
