//! Work that git throws away.
