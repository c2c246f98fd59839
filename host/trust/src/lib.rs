//! Who signed a plugin, and whether that counts.
//!
//! Bytes in, a verdict out: no file is opened here, nobody is asked, and the time of day is told by the caller. Whatever cannot be
//! understood is refused.
