//! Ways into the machine, and out of it.
