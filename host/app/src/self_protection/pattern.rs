//! Patterns of tools, converted to those of commands.

use super::relation::ANY_FOLDERS;

/// Maximum number of paths that the braces of one path expand to.
const MOST: usize = 4096;

/// Returns true if a tool may treat a path as a pattern.
pub(super) fn is_one(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// Returns the paths that a pattern stands for: `**` is any folders, and each of `{a,b}` a path of its own. If everything below
/// is affected, the folder is returned. `None` if there are too many paths.
pub(super) fn of_tool(path: &str, is_whole: bool) -> Option<Vec<String>> {
    let name = |name: &str| if name == "**" { ANY_FOLDERS.to_owned() } else { shell_commands::pattern(name) };
    let written = |path: &String| {
        let mut names: Vec<&str> = path.split('/').collect();
        while is_whole && names.len() > 1 && names.ends_with(&["**"]) {
            names.pop();
        }
        names.into_iter().map(name).collect::<Vec<_>>().join("/")
    };
    Some(expand_braces(path)?.iter().map(written).collect())
}

fn expand_braces(path: &str) -> Option<Vec<String>> {
    if path.matches('}').count() > MOST {
        return None;
    }
    let mut open = vec![path.to_owned()];
    let mut done = Vec::new();
    while let Some(path) = open.pop() {
        match split_innermost(&path) {
            None => done.push(path),
            Some((before, choices, after)) => {
                let count = choices.matches(',').count() + 1;
                if open.len() + done.len() + count > MOST {
                    return None;
                }
                open.extend(choices.split(',').map(|choice| format!("{before}{choice}{after}")));
            }
        }
    }
    done.sort();
    done.dedup();
    Some(done)
}

/// Splits a path at its first innermost braces: the text before, in and behind them.
fn split_innermost(path: &str) -> Option<(&str, &str, &str)> {
    let (head, after) = path.split_once('}')?;
    let (before, choices) = head.rsplit_once('{')?;
    Some((before, choices, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand_sorted(path: &str, is_whole: bool) -> String {
        let mut all = of_tool(path, is_whole).unwrap();
        all.sort();
        all.join(" ").replace(ANY_FOLDERS, "%")
    }

    #[test]
    fn braces_are_a_path_for_each_choice() {
        assert_eq!(expand_sorted("~/{a,b{c,d}}/x", false), "~/a/x ~/bc/x ~/bd/x");
        assert_eq!(expand_sorted("~/a}b{c", false), "~/a}b{c");
        for too_many in
            ["{a,b}".repeat(40), format!("{{{}}}", ",".repeat(5000)), "{".repeat(5000) + &"}".repeat(5000)]
        {
            assert_eq!(of_tool(&too_many, false), None);
        }
    }

    #[test]
    fn any_folders_at_the_end_of_what_goes_are_the_folder() {
        assert_eq!(expand_sorted("~/a/**/b", true), "~/a/%/b");
        assert_eq!(expand_sorted("~/a/**", true), "~/a");
        assert_eq!(expand_sorted("~/a/**", false), "~/a/%");
    }
}
