//! Makes cargo read the build dependencies of this package; does nothing.

fn main() {}
