//! Tells the linker what a library of Node.js needs.

fn main() {
    napi_build::setup();
}
