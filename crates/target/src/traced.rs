//! Which statements and branches of its own source a call runs, where a target can tell.

/// The source that calls of one function can run, as far as its target knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TracedCode {
    /// Source files: paths from the folder of the manifest where they lie in it.
    pub files: Vec<String>,
    /// Statements, in the order of files and lines.
    pub statements: Vec<TracedStatement>,
    /// Branches with two directions each: direction `d` of branch `b` is the edge `2 * b + d`.
    pub branches: Vec<TracedBranch>,
}

/// A line that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedStatement {
    /// Its file, by its place in [`TracedCode::files`].
    pub file: usize,
    /// From 1.
    pub line: u32,
}

/// A decision with two directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedBranch {
    /// The statement that it stands in, by its place in [`TracedCode::statements`].
    pub statement: usize,
    /// The function of the source that it stands in.
    pub function: String,
}

/// What one call runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Its statements one after the other, by their places in [`TracedCode::statements`]; of a very long call those at its beginning.
    pub statements: Vec<u32>,
    /// The edges that it takes, one after the other.
    pub edges: Vec<u32>,
    /// Whether there were more than are told.
    pub is_cut: bool,
}
