//! Shared cargo features of development builds: see `Cargo.toml`. This crate has no code.
