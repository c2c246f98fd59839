//! The case again, its hook file imported into hookbox's own configuration: what was denied is denied and
//! nothing else, and what was rewritten is rewritten so.

use std::fs;

use serde_json::Value;

use crate::{
    case::{Case, Import},
    home::Home,
    long_ago::settle_file,
};

/// Returns true if there is a file to import.
pub(crate) fn is_importable(case: &Case) -> bool {
    case.file.source.is_some() && case.read_text("response.http").is_none()
}

/// Returns the difference between the import and the result that the case expects.
pub(crate) fn find_problem(case: &Case) -> Option<String> {
    if !is_importable(case) {
        let says = case.file.import != Import::Same;
        return says.then(|| "there is nothing to import: leave `import` out of case.toml".to_owned());
    }
    let home = case.home();
    let file = case.own_file(&home)?;
    let file = file.to_str().unwrap();
    let import = case.run_hookbox(&to_words(&["import", &case.dialect, file]), &home);
    match (import.status.success(), &case.file.import) {
        (false, Import::LosesSomething) => None,
        (false, _) => {
            let told = String::from_utf8_lossy(&import.stderr).into_owned();
            Some(format!("the import loses something; is `import = \"loses-something\"` right?\n{told}"))
        }
        (true, Import::LosesSomething) => Some("the import loses nothing".to_owned()),
        (true, import_of) => {
            let before = read_decision(case, &["--source", file], &home);
            write_hooks(&import.stdout, &home);
            compare_decisions(import_of, before.as_ref(), read_decision(case, &[], &home).as_ref())
        }
    }
}

fn compare_decisions(import: &Import, before: Option<&String>, after: Option<&String>) -> Option<String> {
    match (before == after, import) {
        (true, Import::Otherwise(why)) => {
            Some(format!("imported, it is the same without the exception: {why}"))
        }
        (false, Import::Same) => Some(format!("the imported hooks decide {after:?}; it was {before:?}")),
        _ => None,
    }
}

fn write_hooks(hooks: &[u8], home: &Home) {
    // In another session: a change of the configuration within one stops its calls.
    drop(fs::remove_dir_all(home.path().join(".local/state/hookbox/sessions")));
    let folder = home.path().join(".config/hookbox");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("hooks.toml");
    fs::write(&file, hooks).unwrap();
    settle_file(&file);
}

/// The verdict and the rewrite, as the report has them; none if the event was not acceptable.
fn read_decision(case: &Case, more: &[&str], home: &Home) -> Option<String> {
    let report = home.path().join("report");
    let named = ["run", "--agent", &case.dialect, "--report", report.to_str().unwrap()];
    case.run_hookbox(&to_words(&[&named, more].concat()), home);
    let line = fs::read_to_string(&report).ok()?;
    fs::remove_file(&report).unwrap();
    let report: Value = serde_json::from_str(&line).unwrap();
    let part = |key: &str| report.get(key).unwrap().to_string();
    Some([part("verdict"), part("rewrite")].join(" "))
}

fn to_words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
