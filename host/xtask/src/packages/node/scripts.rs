//! The npm package for writing hooks' scripts: its types, and the module that the engine puts into components. Its tests run the module in
//! a context that has only the language.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::{FETCH, TESTS, build_plain, copy_tree, create_stage_folder, test_files};
use crate::process::Process;
use crate::project::Project;

const FOLDER: &str = "sdk/javascript";
/// Folder of the installed package.
const INSTALLED: &str = "node_modules/@hookbox/hook";
/// Files that a project of `plugin new` has in `hookbox/`.
const TYPES: [&str; 3] = ["hookbox.d.ts", "events.d.ts", "globals.d.ts"];
/// A language with a template, and the configuration of its project's type checker.
const LANGUAGES: [(&str, &str); 2] = [("javascript", "jsconfig.json"), ("typescript", "tsconfig.json")];

/// Runs the tests of the installed package, and the type checker on templates and examples.
pub(super) fn test_package(project: &Project, checker: &Path) -> Result<()> {
    let package = build_plain(project, FOLDER)?;
    let place = create_stage_folder(project, "javascript-environment")?;
    // Without this file npm would install into a parent folder.
    fs::write(place.join("package.json"), "{\"private\": true}\n")?;
    Process::new("npm").args(FETCH).args(["--offline"]).args([&package]).directory(&place).run()?;
    let installed = place.join(INSTALLED);
    copy_tree(&project.root.join(FOLDER).join("test"), &installed.join("test"))?;
    // Only with this flag does Node.js run modules in a context of their own.
    let modules = ["--experimental-vm-modules", "--no-warnings"];
    let tests = Process::new("node").args(modules).args(TESTS).args(test_files(&installed)?);
    tests.directory(&installed).run()?;
    check_types(checker, &installed.join("test/tsconfig.json"))?;
    for (language, settings) in LANGUAGES {
        let template = project.root.join("sdk").join(language).join("template");
        let example = project.root.join("examples/check").join(language);
        for (name, sources) in [("template", vec![&template]), ("check", vec![&template, &example])] {
            let folder = place.join(format!("{name}-{language}"));
            for source in sources {
                copy_tree(source, &folder)?;
            }
            for file in TYPES {
                copy_tree(&installed.join(file), &folder.join("hookbox").join(file))?;
            }
            check_types(checker, &folder.join(settings))?;
        }
    }
    Ok(())
}

fn check_types(checker: &Path, settings: &Path) -> Result<()> {
    Process::new(checker).args(["-p"]).args([settings]).run()
}
