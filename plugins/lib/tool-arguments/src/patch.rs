//! The files that a patch changes.

/// Text in front of a file name in the patches that agents write.
const HEADERS: &[&str] =
    &["*** Add File:", "*** Delete File:", "*** Move File:", "*** Move to:", "*** Update File:"];
/// Text in front of a file name where a tool compared two files.
const COMPARED: &[&str] = &["+++ ", "--- ", "copy to ", "rename from ", "rename to "];
/// Marks that a patch also has: other lines may begin with the header signs.
const MARKS: &[&str] = &["@@", "diff --git ", "rename to "];
/// At most this many paths, and one more if there are more, as they are written, and those of a comparison without their first folder: `a/src/main.rs`.
pub(crate) fn files(text: &str, most: usize) -> Vec<String> {
    let path_after = |headers: &'static [&'static str], line: &str| {
        let path = headers.iter().find_map(|header| line.strip_prefix(header))?;
        Some(path.split('\t').next().unwrap_or_default().trim().to_owned())
    };
    let is_comparison = MARKS.iter().any(|mark| text.lines().any(|line| line.starts_with(mark)));
    let mut found: Vec<String> = text.lines().filter_map(|line| path_after(HEADERS, line.trim())).collect();
    for path in text.lines().filter(|_| is_comparison).filter_map(|line| path_after(COMPARED, line)) {
        found.extend(path.split_once('/').map(|(_, below)| below.to_owned()));
        found.push(path);
    }
    found.retain(|path| !path.is_empty() && path != "/dev/null");
    found.truncate(most.saturating_add(1));
    found
}
