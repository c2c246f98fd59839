//! Paths as text. No file is accessed, so symbolic links are not followed.

/// Makes `path` absolute against `base` and removes `.`, `..` and double slashes. A path in the home folder keeps its `~`, because the user
/// is not known here. Without an absolute base a relative path stays relative.
pub(super) fn make_absolute(path: &str, base: &str) -> String {
    let home = path == "~" || path.starts_with("~/");
    let own = home || path.starts_with('/');
    let whole = if own { path.to_owned() } else { format!("{base}/{path}") };
    let rooted = if own { !home } else { base.starts_with('/') };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            // `~/..` stays as it is: the parent of an unknown home folder is unknown.
            ".." if parts.len() > usize::from(home) && parts.last() != Some(&"..") => {
                parts.pop();
            }
            // The parent of the root is the root, as for the kernel.
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if rooted { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_absolute_and_lexically_normal() {
        for (path, base, expected) in [
            ("notes.txt", "/home/dev/project", "/home/dev/project/notes.txt"),
            ("./a//b/../c/", "/x", "/x/a/c"),
            ("../../../../etc/passwd", "/home/dev", "/etc/passwd"),
            ("/etc/../root/./.ssh", "/x", "/root/.ssh"),
            ("", "/x/y", "/x/y"),
            (".", "/", "/"),
            ("/", "", "/"),
            ("~/.ssh/../.env", "/x", "~/.env"),
            ("~/../x", "/x", "~/../x"),
            ("~dev/x", "/x", "/x/~dev/x"),
            ("a/b", "", "a/b"),
            ("../a", "", "../a"),
            ("src/**/*.rs", "/x", "/x/src/**/*.rs"),
        ] {
            assert_eq!(make_absolute(path, base), expected, "{path} in {base}");
        }
    }
}
