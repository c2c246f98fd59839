//! Environment of a child process: only the variables that are named here or in its configuration.

use super::super::shell_spec::{DANGEROUS, ShellSpecError, check_names, is_in};
use crate::interfaces::Environment;

/// Variables about the user and the system that every process may have. A name that ends in `_` is a prefix.
const HARMLESS: [&str; 10] =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_", "TZ", "TMPDIR", "XDG_"];

/// Returns the child's part of `environment`: the harmless variables and the `named` ones that are set.
pub(in super::super) fn inherit_variables(
    named: &[String],
    environment: &Environment,
) -> Result<Vec<(String, String)>, ShellSpecError> {
    check_names(named)?;
    let wanted = |name: &str| is_in(&HARMLESS, name) || named.iter().any(|n| n == name);
    // A program that embeds the library may pass a NUL, with which no process can be started.
    let variables = environment.iter().filter(|(name, value)| wanted(name) && !value.contains('\0'));
    Ok(variables.filter_map(|(name, value)| Some((name.to_owned(), clean_path(name, value)?))).collect())
}

/// Removes relative folders from `PATH`: the working directory is the project, which may be untrusted.
fn clean_path(name: &str, value: &str) -> Option<String> {
    if name != "PATH" {
        return Some(value.to_owned());
    }
    let folders: Vec<_> = value.split(':').filter(|folder| folder.starts_with('/')).collect();
    (!folders.is_empty()).then(|| folders.join(":"))
}

/// Returns all of `environment` except the variables that make a loader or a shell run other code.
pub(in super::super) fn inherit_all(environment: &Environment) -> Vec<(String, String)> {
    let wanted = |name: &str, value: &str| !is_in(&DANGEROUS, name) && !value.contains('\0');
    let variables = environment.iter().filter(|(name, value)| wanted(name, value));
    variables.filter_map(|(name, value)| Some((name.to_owned(), clean_path(name, value)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format_inherited(named: &[&str], variables: &[(&str, &str)]) -> Result<String, ShellSpecError> {
        let named: Vec<_> = named.iter().map(|name| (*name).to_owned()).collect();
        let variables = inherit_variables(&named, &variables.iter().copied().collect())?;
        let shown: Vec<_> = variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(shown.join(" "))
    }

    #[test]
    fn a_child_gets_the_harmless_and_the_named_variables_and_no_other() {
        let all = [
            ("HOME", "/h"),
            ("LC_ALL", "C"),
            ("LC", "no"),
            ("XDG_RUNTIME_DIR", "/run"),
            ("LD_PRELOAD", "no"),
            ("BASH_ENV", "no"),
            ("API_KEY", "no"),
            ("TOKEN", "yes"),
        ];
        let expected = "HOME=/h LC_ALL=C TOKEN=yes XDG_RUNTIME_DIR=/run";
        assert_eq!(format_inherited(&["TOKEN", "UNSET"], &all).unwrap(), expected);
    }

    #[test]
    fn a_path_keeps_its_absolute_folders_only() {
        assert_eq!(
            format_inherited(&[], &[("PATH", ".:/bin::bin:/usr/bin:")]).unwrap(),
            "PATH=/bin:/usr/bin"
        );
        assert_eq!(format_inherited(&[], &[("PATH", ".:")]).unwrap(), "");
    }

    #[test]
    fn variables_that_run_other_code_are_refused_even_when_named() {
        for name in ["LD_PRELOAD", "LD_AUDIT", "BASH_ENV", "ENV", "IFS", "DYLD_INSERT_LIBRARIES", "PS4"] {
            assert_eq!(
                format_inherited(&[name], &[]),
                Err(ShellSpecError::DangerousVariable(name.to_owned()))
            );
        }
    }

    #[test]
    fn an_invalid_variable_name_is_refused() {
        for name in ["", "A=B", "A B", "1A", "A\0", "Ä"] {
            assert_eq!(format_inherited(&[name], &[]), Err(ShellSpecError::BadVariable(name.to_owned())));
        }
    }
}
