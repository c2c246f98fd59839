//! Programs and libraries that the machine has.
