//! Only `host/platform` depends on the operating system: macOS and Windows come next, and nothing else shall change for them.

use std::{fs, path::Path, str::FromStr as _};

use proc_macro2::{TokenStream, TokenTree};

/// Crates that only support some operating systems.
const CRATES: [&str; 6] = ["landlock", "libc", "nix", "rustix", "seccompiler", "signal_hook"];
/// Names that std, tokio and conditions use to distinguish platforms.
const NAMES: [&str; 8] =
    ["linux", "macos", "target_env", "target_family", "target_os", "target_vendor", "unix", "windows"];

/// Exceptions, with their reasons.
const ALLOWED: [(&str, &str); 3] = [
    ("host/platform/", "the room for it"),
    (
        "host/cli/start.rs",
        "the first instructions of a program for one processor, one system and one way to link it",
    ),
    ("host/xtask/", "builds and tries hookbox where it is developed, and is no part of it"),
];

/// Returns the platform names in a source, each form once.
fn find_names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect_names(TokenStream::from_str(text).unwrap(), &mut found);
    found.sort();
    found.dedup();
    found
}

fn collect_names(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if let [hash, TokenTree::Group(attribute), after @ ..] = rest
            && is_punct(hash, '#')
            && attribute.stream().to_string().replace(' ', "") == "cfg(test)"
        {
            at += 2 + item_length(after);
            continue;
        }
        match &rest[0] {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                // `slice.windows(2)` does not name a platform.
                let is_method = at > 0 && is_punct(&tokens[at - 1], '.');
                let in_path =
                    rest.get(1..3).is_some_and(|next| next.iter().all(|token| is_punct(token, ':')));
                if (NAMES.contains(&word.as_str()) && !is_method)
                    || (in_path && (word == "os" || CRATES.contains(&word.as_str())))
                {
                    found.push(word);
                }
            }
            TokenTree::Group(group) => collect_names(group.stream(), found),
            _ => {}
        }
        at += 1;
    }
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// Returns the number of tokens in the next item: to its body or its semicolon.
fn item_length(tokens: &[TokenTree]) -> usize {
    let end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
        other => is_punct(other, ';'),
    };
    tokens.iter().position(end).map_or(tokens.len(), |at| at + 1)
}

fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the sources of the host except for its tests, from the root.
fn list_sources() -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![manifest_folder().join("host")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_test = path.file_stem().is_some_and(|name| name == "tests");
            if path.is_dir() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
                files.push(path.strip_prefix(manifest_folder()).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    files
}

#[test]
fn only_the_platform_crate_names_a_platform() {
    let mut trespassers = Vec::new();
    let mut used = [false; ALLOWED.len()];
    for file in list_sources() {
        let names = find_names(&fs::read_to_string(manifest_folder().join(&file)).unwrap());
        match ALLOWED.iter().position(|(allowed, _)| file.starts_with(allowed)) {
            Some(place) => used[place] |= !names.is_empty(),
            None if names.is_empty() => {}
            None => trespassers.push(format!("{file}: {}", names.join(", "))),
        }
    }
    assert_eq!(trespassers, [""; 0], "ask hookbox-platform for it");
    assert_eq!(used, [true; ALLOWED.len()], "who need not be allowed any more?");
}

/// Checks the crates that are part of hookbox; dependencies of tests do not matter.
#[test]
fn only_the_platform_crate_depends_on_a_platform_specific_crate() {
    let crates = fs::read_dir(manifest_folder().join("host")).unwrap().map(|entry| entry.unwrap().path());
    let crates = crates.filter(|path| !(path.ends_with("platform") || path.ends_with("xtask")));
    let manifests = crates.map(|path| path.join("Cargo.toml")).filter(|path| path.exists());
    for manifest in manifests.chain([manifest_folder().join("Cargo.toml")]) {
        let text = fs::read_to_string(&manifest).unwrap();
        let manifest = manifest.display();
        let package = text.split_once("[package]").unwrap().1;
        let tables = toml::from_str::<toml::Table>(&format!("[package]{package}")).unwrap();
        assert!(!tables.contains_key("target"), "{manifest} has dependencies of some platforms");
        for section in ["dependencies", "build-dependencies"] {
            let Some(dependencies) = tables.get(section) else { continue };
            for name in dependencies.as_table().unwrap().keys() {
                assert!(!CRATES.contains(&name.replace('-', "_").as_str()), "{manifest}: {name}");
            }
        }
    }
}

#[test]
fn every_way_to_name_a_platform_is_found() {
    for (text, found) in [
        ("use std::{fs, os::fd::OwnedFd};", vec!["os"]),
        ("use std::os::unix::fs::MetadataExt as _;", vec!["os", "unix"]),
        ("use tokio::net::unix::pipe;", vec!["unix"]),
        ("#[cfg(not(target_os = \"linux\"))] fn f() {}", vec!["target_os"]),
        ("fn f() -> bool { cfg!(windows) }", vec!["windows"]),
        ("fn f() { rustix::fs::stat(p); }", vec!["rustix"]),
        ("use libc::{c_int}; use nix::sys::time;", vec!["libc", "nix"]),
        ("#[cfg(test)] mod tests { use std::os::unix::fs::symlink; } fn f() {}", vec![]),
        ("fn f() { slice.windows(2); }", vec![]),
        ("// rustix::fs\nconst A: &str = \"std::os::unix\"; struct B { landlock: u32 }", vec![]),
    ] {
        assert_eq!(find_names(text), found, "{text}");
    }
}
