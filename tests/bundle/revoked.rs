//! Keys that are revoked, of plugins of which no row of a lock file says who signed them, or a project's does.

use std::fs;

use crate::{
    USER, create_bed, create_signed_bed, read_text, run_keygen, run_shell, sign_plugin,
    testbed::{LS, TestBed},
    write_plugin,
};

const STORE: &str = "[HOME]/.local/share/hookbox/store/sha256";

/// From now on these keys are the revoked ones.
fn revoke_keys(bed: &TestBed, keys: &[&str]) {
    let words = ["-q", "-k", "-f", "revoked.krl"].into_iter().map(str::to_owned);
    let words: Vec<_> = words.chain(keys.iter().map(|key| format!("{key}.pub"))).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    assert_eq!(run_keygen(bed, &words, b"").code, 0);
    let list = fs::read(bed.resolve_path("[PROJECT]/revoked.krl")).unwrap();
    bed.write_bytes(&format!("{USER}/revoked.krl"), &list);
}

/// What the agent is told of a call, and a person.
fn answer_call(bed: &TestBed) -> String {
    bed.answer_event(LS).to_string()
}

#[test]
fn a_plugin_without_its_lock_row_is_judged_by_the_signature_next_to_it() {
    let bed = create_signed_bed();
    assert_eq!(bed.run_hookbox(&["plugin", "add", "guard.wasm", "--yes"]).code, 0);
    assert!(answer_call(&bed).contains("guest: no"));
    let is_refused = || {
        let said = answer_call(&bed);
        assert!(said.contains("deny") && said.contains("is revoked"), "{said}");
        assert!(!said.contains("guest: no"), "{said}");
    };
    revoke_keys(&bed, &["a"]);
    is_refused();
    // The row alone, and then the whole file.
    bed.write_file(&format!("{USER}/hookbox.lock"), "version = 2\n");
    is_refused();
    fs::remove_file(bed.resolve_path(&format!("{USER}/hookbox.lock"))).unwrap();
    is_refused();
    let check = bed.run_hookbox(&["check"]);
    assert!(check.code == 1 && check.stdout.contains("which is revoked"), "{check}");
    // Another key's being revoked is nothing to it.
    revoke_keys(&bed, &["b"]);
    assert!(answer_call(&bed).contains("guest: no"));
}

#[test]
fn of_two_keys_the_row_says_that_the_other_is_enough_and_without_it_none_is() {
    let bed = create_bed();
    crate::write_allowed_signers(&bed, &[(crate::WHO, "a"), (crate::WHO, "b")]);
    for key in ["a", "b"] {
        assert_eq!(sign_plugin(&bed, "guard.wasm", key).code, 0);
    }
    assert_eq!(bed.run_hookbox(&["plugin", "add", "guard.wasm", "--yes"]).code, 0);
    revoke_keys(&bed, &["a"]);
    assert!(answer_call(&bed).contains("guest: no"));
    let lock = bed.resolve_path(&format!("{USER}/hookbox.lock"));
    fs::remove_file(lock).unwrap();
    let said = answer_call(&bed);
    assert!(said.contains("is revoked") && !said.contains("guest: no"), "{said}");
}

/// Whoever writes a project's lock file writes what it likes.
#[test]
fn a_projects_plugin_is_judged_by_the_signature_next_to_it_and_not_by_the_projects_lock_file() {
    let bed = create_signed_bed();
    let name = "guard.wasm";
    for end in ["", ".statement.json", ".statement.json.sig"] {
        let bytes = fs::read(bed.resolve_path(&format!("[PROJECT]/{name}{end}"))).unwrap();
        bed.write_bytes(&format!("[PROJECT]/.hookbox/plugins/{name}{end}"), &bytes);
    }
    let digest = run_shell(&bed, "sha256sum guard.wasm").stdout[..64].to_owned();
    let size = fs::metadata(bed.resolve_path("[PROJECT]/guard.wasm")).unwrap().len();
    let row = |signer: &str| {
        format!(
            "version = 2\n\n[[plugin]]\nname = \"guard\"\nsource = \"file:guard.wasm\"\n{signer}file = \"plugins/guard.wasm\"\n\
             size = {size}\nsha256 = \"{digest}\"\ngranted = []\n"
        )
    };
    let other = row("signer = { key = \"SHA256:other\" }\n");
    let pinned = format!(", sha256 = \"{digest}\"");
    for (pin, lock) in
        [("", None), ("", Some(row(""))), (pinned.as_str(), Some(other)), (pinned.as_str(), None)]
    {
        bed.write_file(
            "[PROJECT]/.hookbox/hooks.toml",
            &format!(
                "[[hook]]\nname = \"guard\"\non = \"tool.before\"\nwasm = {{ path = \"plugins/guard.wasm\"{pin} }}\n"
            ),
        );
        drop(fs::remove_file(bed.resolve_path("[PROJECT]/.hookbox/hookbox.lock")));
        if let Some(lock) = &lock {
            bed.write_file("[PROJECT]/.hookbox/hookbox.lock", lock);
        }
        drop(fs::remove_file(bed.resolve_path(&format!("{USER}/revoked.krl"))));
        let check = bed.run_hookbox(&["check"]);
        assert!(!check.stdout.contains("revoked"), "{check}");
        assert!(answer_call(&bed).contains("\"deny\""));
        revoke_keys(&bed, &["a"]);
        let check = bed.run_hookbox(&["check"]);
        assert!(check.code == 1 && check.stdout.contains("which is revoked"), "{check}");
        assert!(!answer_call(&bed).contains("\"deny\""));
        if lock.is_some() {
            let list = bed.run_hookbox(&["plugin", "list"]);
            assert!(list.to_string().contains("it is never called: it is signed with the key"), "{list}");
        }
    }
}

#[test]
fn files_next_to_a_projects_hook_file_do_not_keep_the_users_plugins_from_being_called() {
    let bed = create_signed_bed();
    assert_eq!(bed.run_hookbox(&["plugin", "add", "guard.wasm", "--yes"]).code, 0);
    write_plugin(&bed, "other", r#""seq":1"#);
    assert_eq!(sign_plugin(&bed, "other.wasm", "b").code, 0);
    let digest = run_shell(&bed, "sha256sum guard.wasm").stdout[..64].to_owned();
    for end in ["", ".sig"] {
        let said = read_text(&bed, &format!("other.wasm.statement.json{end}"));
        bed.write_file(&format!("[PROJECT]/.hookbox/guard.wasm.statement.json{end}"), &said);
    }
    bed.write_file(
        "[PROJECT]/.hookbox/hooks.toml",
        &format!(
            "[[hook]]\nname = \"guard\"\non = \"tool.before\"\nwasm = {{ path = \"guard.wasm\", sha256 = \"{digest}\" }}\n"
        ),
    );
    revoke_keys(&bed, &["b"]);
    assert!(answer_call(&bed).contains("guest: no"));
    // Nor without a row, as long as its own signature is good.
    fs::remove_file(bed.resolve_path(&format!("{USER}/hookbox.lock"))).unwrap();
    assert!(answer_call(&bed).contains("guest: no"));
    assert!(bed.resolve_path(&format!("{STORE}/{digest}.wasm.statement.json.sig")).exists());
}
