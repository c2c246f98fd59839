//! The Python class for LiteLLM's proxy, `sdk/litellm`, has tests in its own language.

use std::process::Command;

use crate::guests;

#[test]
fn the_class_for_litellms_proxy_does_what_the_answers_say() {
    let tests = guests::folder("sdk/litellm/test_hookbox_litellm.py");
    let mut python = Command::new("python3");
    let ran = python.arg(tests).env("HOOKBOX", env!("CARGO_BIN_EXE_hookbox")).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    // With a test left out it would be `OK (skipped=1)`.
    assert!(ran.status.success() && said.ends_with("\nOK\n"), "{said}");
}
