//! How requests and answers are written.

/// How requests and answers are written, which the worker chooses in its greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// A line of JSON each: that of a worker that chooses none.
    Lines,
    /// Frames of raw bytes (`crate::wire`).
    Rows,
}

impl Framing {
    /// What a worker may choose.
    pub(super) const OFFERED: [&'static str; 1] = ["rows"];

    /// What a greeting says; `None` if that was not offered.
    pub(super) fn of(chosen: Option<&str>) -> Option<Framing> {
        match chosen {
            None => Some(Framing::Lines),
            Some("rows") => Some(Framing::Rows),
            Some(_) => None,
        }
    }
}
