//! Names the implementations: `on_linux`, and `on_unix` for what any Unix has. Features leave one or both of them out.

#[expect(clippy::disallowed_methods, reason = "cargo tells build scripts in variables")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(on_linux, on_unix)");
    let is_set = |name: &str| std::env::var_os(name).is_some();
    if is_set("CARGO_FEATURE_PORTABLE") {
        return;
    }
    if is_set("CARGO_CFG_UNIX") {
        println!("cargo::rustc-cfg=on_unix");
    }
    let is_linux = std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "linux");
    if is_linux && !is_set("CARGO_FEATURE_ANY_UNIX") {
        println!("cargo::rustc-cfg=on_linux");
    }
}
