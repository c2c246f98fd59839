//! Matches paths against patterns as in gitignore files, with different anchors.

use wildmatch::WildMatch;

/// Returns true if the pattern matches this file, for an agent that works in `cwd`.
pub(super) fn matches_file(pattern: &str, file: &str, cwd: &str) -> bool {
    // Classes, alternatives and escapes are not judged.
    // The glob engine gives these characters another meaning than gitignore files do.
    if pattern.contains(['[', ']', '{', '}', '\\', '!']) {
        return true;
    }
    let file =
        if file.starts_with('/') { split_segments(file) } else { split_segments(&format!("{cwd}/{file}")) };
    if let Some(absolute) = pattern.strip_prefix("//") {
        return is_at_or_below(&segments_of(absolute), &file);
    }
    // The home folder and the rule's file are not known here, so the pattern matches anywhere.
    if let Some(rest) = pattern.strip_prefix("~/").or_else(|| pattern.strip_prefix('/')) {
        return is_anywhere(rest, &file);
    }
    let relative = pattern.strip_prefix("./").unwrap_or(pattern);
    if !relative.trim_end_matches('/').contains('/') && relative == pattern && !relative.ends_with('/') {
        return is_anywhere(relative, &file);
    }
    let cwd = split_segments(cwd);
    file.strip_prefix(cwd.as_slice()).is_some_and(|below| is_at_or_below(&segments_of(relative), below))
}

fn is_anywhere(pattern: &str, file: &[String]) -> bool {
    let anywhere: Vec<_> = std::iter::once("**").chain(segments_of(pattern)).collect();
    is_at_or_below(&anywhere, file)
}

fn segments_of(pattern: &str) -> Vec<&str> {
    pattern.split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Returns the names in a path, with `.` and `..` resolved.
fn split_segments(path: &str) -> Vec<String> {
    let mut segments: Vec<String> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            name => segments.push(name.to_owned()),
        }
    }
    segments
}

/// Returns true if the pattern matches the file or a folder above it.
fn is_at_or_below(pattern: &[&str], file: &[String]) -> bool {
    // For each number of names, true if the pattern so far matches that prefix of the path.
    let mut reached = vec![false; file.len() + 1];
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    for segment in pattern {
        // One pass per segment: a search that backtracks would take exponential time for many `**`.
        let mut next = vec![false; file.len() + 1];
        if *segment == "**" {
            let mut any = false;
            for (place, was) in next.iter_mut().zip(&reached) {
                any |= was;
                *place = any;
            }
        } else {
            let glob = WildMatch::new(segment);
            for ((place, was), name) in next.iter_mut().skip(1).zip(&reached).zip(file) {
                *place = *was && glob.matches(name);
            }
        }
        reached = next;
    }
    reached.contains(&true)
}
