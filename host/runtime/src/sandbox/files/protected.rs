//! Files that no guest may change.

use std::{path::Path, sync::LazyLock};

use crate::agents;

/// Returns the names of files and folders that configure hooks, agents and programs that start with them. No guest
/// changes these, in any folder. A name with a `/` is a folder within a folder.
pub(in crate::sandbox) fn protected_names() -> &'static [&'static str] {
    static ALL: LazyLock<Vec<&str>> =
        LazyLock::new(|| OTHER_NAMES.iter().copied().chain(agents::protected_names()).collect());
    &ALL
}

/// Protected names that belong to no supported agent.
const OTHER_NAMES: &[&str] = &[
    ".hookbox",
    ".roo",
    ".continue",
    ".augment",
    ".goosehints",
    ".zed",
    ".aider.conf.yml",
    // Agents start the servers that are listed there.
    ".mcp.json",
    // Agents follow the instructions in these files.
    "AGENT.md",
    "AGENTS.md",
    ".agents",
    ".config",
    ".cache/hookbox",
    ".local/state/hookbox",
    "etc/hookbox",
    "share/hookbox",
    // git, editors, CI and shells run commands from the following files, outside of any sandbox.
    ".git",
    ".gitattributes",
    ".gitconfig",
    ".gitmodules",
    ".husky",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".gitlab-ci.yml",
    ".vscode",
    ".idea",
    ".devcontainer",
    ".envrc",
    "mise.toml",
    ".mise.toml",
    ".ssh",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".inputrc",
    ".npmrc",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
];

/// Returns true if one of these names is in the path, in upper or lower case: some file systems ignore case.
pub(in crate::sandbox) fn is_named_in(protected: &[&str], path: &Path) -> bool {
    let names: Vec<_> =
        path.components().map(|part| fold_case(&part.as_os_str().to_string_lossy())).collect();
    protected.iter().any(|own| {
        let own: Vec<_> = own.split('/').map(fold_case).collect();
        names.windows(own.len()).any(|names| names == own)
    })
}

/// Folds the case of a name, beyond ASCII too.
fn fold_case(name: &str) -> String {
    // Neither step is enough alone: `ſ` becomes `S` by the upper case only, and the Kelvin sign becomes `K`
    // by the lower case only.
    name.to_lowercase().to_uppercase()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::agents::settings;

    #[test]
    fn no_guest_writes_the_settings_of_any_agent() {
        for agent in settings::all_settings() {
            for folder in agent.project.iter().chain([&agent.user.path]).map(Path::new) {
                // Below the user's configuration everything is protected.
                let folder = match agent.user.base {
                    settings::Base::Config if folder == Path::new(agent.user.path) => {
                        Path::new(".config").join(folder)
                    }
                    _ => folder.to_owned(),
                };
                let file = Path::new("/home/me").join(folder).join(agent.file);
                assert!(is_named_in(protected_names(), &file), "{}: {}", agent.agent, file.display());
            }
        }
        for folder in [settings::cline::USER.path, settings::cline::PROJECT] {
            let file = Path::new("/home/me").join(folder).join("PreToolUse");
            assert!(is_named_in(protected_names(), &file), "{}", file.display());
        }
    }
}
