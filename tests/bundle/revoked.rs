//! Keys that are revoked, of plugins of which no row of a lock file says who signed them, or a project's does.

use std::fs;

use crate::{
    USER, bed, keygen, plugin, shell, sign, signed,
    testbed::{LS, TestBed},
    text,
};

const STORE: &str = "[HOME]/.local/share/hookbox/store/sha256";

/// From now on these keys are the revoked ones.
fn revoke(bed: &TestBed, keys: &[&str]) {
    let words = ["-q", "-k", "-f", "revoked.krl"].into_iter().map(str::to_owned);
    let words: Vec<_> = words.chain(keys.iter().map(|key| format!("{key}.pub"))).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    assert_eq!(keygen(bed, &words, b"").code, 0);
    let list = fs::read(bed.path("[PROJECT]/revoked.krl")).unwrap();
    bed.write_bytes(&format!("{USER}/revoked.krl"), &list);
}

/// What the agent is told of a call, and a person.
fn answer(bed: &TestBed) -> String {
    bed.answer(LS).to_string()
}

#[test]
fn without_its_row_a_plugin_is_judged_by_the_signature_beside_it() {
    let bed = signed();
    assert_eq!(bed.hookbox(&["plugin", "add", "guard.wasm", "--yes"]).code, 0);
    assert!(answer(&bed).contains("guest: no"));
    let is_refused = || {
        let said = answer(&bed);
        assert!(said.contains("deny") && said.contains("is revoked"), "{said}");
        assert!(!said.contains("guest: no"), "{said}");
    };
    revoke(&bed, &["a"]);
    is_refused();
    // The row alone, and then the whole file.
    bed.write(&format!("{USER}/hookbox.lock"), "version = 2\n");
    is_refused();
    fs::remove_file(bed.path(&format!("{USER}/hookbox.lock"))).unwrap();
    is_refused();
    let check = bed.hookbox(&["check"]);
    assert!(check.code == 1 && check.stdout.contains("which is revoked"), "{check}");
    // Another key's being revoked is nothing to it.
    revoke(&bed, &["b"]);
    assert!(answer(&bed).contains("guest: no"));
}

#[test]
fn of_two_keys_the_row_says_that_the_other_is_enough_and_without_it_none_is() {
    let bed = bed();
    crate::knows(&bed, &[(crate::WHO, "a"), (crate::WHO, "b")]);
    for key in ["a", "b"] {
        assert_eq!(sign(&bed, "guard.wasm", key).code, 0);
    }
    assert_eq!(bed.hookbox(&["plugin", "add", "guard.wasm", "--yes"]).code, 0);
    revoke(&bed, &["a"]);
    assert!(answer(&bed).contains("guest: no"));
    let lock = bed.path(&format!("{USER}/hookbox.lock"));
    fs::remove_file(lock).unwrap();
    let said = answer(&bed);
    assert!(said.contains("is revoked") && !said.contains("guest: no"), "{said}");
}

/// Whoever writes a project's lock file writes what it likes.
#[test]
fn a_projects_plugin_is_judged_by_the_signature_beside_it_whatever_the_projects_lock_file_says() {
    let bed = signed();
    let name = "guard.wasm";
    for end in ["", ".statement.json", ".statement.json.sig"] {
        let bytes = fs::read(bed.path(&format!("[PROJECT]/{name}{end}"))).unwrap();
        bed.write_bytes(&format!("[PROJECT]/.hookbox/plugins/{name}{end}"), &bytes);
    }
    let digest = shell(&bed, "sha256sum guard.wasm").stdout[..64].to_owned();
    let size = fs::metadata(bed.path("[PROJECT]/guard.wasm")).unwrap().len();
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
        bed.write(
            "[PROJECT]/.hookbox/hooks.toml",
            &format!(
                "[[hook]]\nname = \"guard\"\non = \"tool.before\"\nwasm = {{ path = \"plugins/guard.wasm\"{pin} }}\n"
            ),
        );
        drop(fs::remove_file(bed.path("[PROJECT]/.hookbox/hookbox.lock")));
        if let Some(lock) = &lock {
            bed.write("[PROJECT]/.hookbox/hookbox.lock", lock);
        }
        drop(fs::remove_file(bed.path(&format!("{USER}/revoked.krl"))));
        let check = bed.hookbox(&["check"]);
        assert!(!check.stdout.contains("revoked"), "{check}");
        assert!(answer(&bed).contains("\"deny\""));
        revoke(&bed, &["a"]);
        let check = bed.hookbox(&["check"]);
        assert!(check.code == 1 && check.stdout.contains("which is revoked"), "{check}");
        assert!(!answer(&bed).contains("\"deny\""));
        if lock.is_some() {
            let list = bed.hookbox(&["plugin", "list"]);
            assert!(list.to_string().contains("it is never called: it is signed with the key"), "{list}");
        }
    }
}

#[test]
fn what_stands_beside_a_projects_file_keeps_nothing_of_the_users_from_being_called() {
    let bed = signed();
    assert_eq!(bed.hookbox(&["plugin", "add", "guard.wasm", "--yes"]).code, 0);
    plugin(&bed, "other", r#""seq":1"#);
    assert_eq!(sign(&bed, "other.wasm", "b").code, 0);
    let digest = shell(&bed, "sha256sum guard.wasm").stdout[..64].to_owned();
    for end in ["", ".sig"] {
        let said = text(&bed, &format!("other.wasm.statement.json{end}"));
        bed.write(&format!("[PROJECT]/.hookbox/guard.wasm.statement.json{end}"), &said);
    }
    bed.write(
        "[PROJECT]/.hookbox/hooks.toml",
        &format!(
            "[[hook]]\nname = \"guard\"\non = \"tool.before\"\nwasm = {{ path = \"guard.wasm\", sha256 = \"{digest}\" }}\n"
        ),
    );
    revoke(&bed, &["b"]);
    assert!(answer(&bed).contains("guest: no"));
    // Nor without a row, as long as its own signature is good.
    fs::remove_file(bed.path(&format!("{USER}/hookbox.lock"))).unwrap();
    assert!(answer(&bed).contains("guest: no"));
    assert!(bed.path(&format!("{STORE}/{digest}.wasm.statement.json.sig")).exists());
}
