//! Sets the cfgs of the implementations: `on_linux`, and `on_unix` for any Unix. For checks on a developer's Linux the variable
//! `HOOKBOX_PLATFORM` leaves one or both of them out. It is not a feature: a build with all features would turn it on, and drop the
//! confinement of hooks.

#[expect(clippy::disallowed_methods, reason = "cargo tells build scripts in variables")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=HOOKBOX_PLATFORM");
    println!("cargo::rustc-check-cfg=cfg(on_linux, on_unix)");
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let chosen = std::env::var("HOOKBOX_PLATFORM").unwrap_or_default();
    assert!(
        ["", "any-unix", "portable"].contains(&chosen.as_str()),
        "HOOKBOX_PLATFORM is `any-unix` or `portable`"
    );
    if chosen == "portable" {
        return;
    }
    if is_set("CARGO_CFG_UNIX") {
        println!("cargo::rustc-cfg=on_unix");
    }
    let is_linux = std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "linux");
    if is_linux && chosen != "any-unix" {
        println!("cargo::rustc-cfg=on_linux");
    }
}
