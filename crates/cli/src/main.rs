//! The `dodona` command.
fn main() {}
