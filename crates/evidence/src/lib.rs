//! What a run of metamorphic testing found, in records that later rooms read.
