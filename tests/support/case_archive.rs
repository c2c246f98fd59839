//! Conformance cases as text: one file holds all files of a case.
//!
//! The file begins with `case.toml`; a line `-- NAME --` begins each other file, and one empty line before it belongs to no file. `-- NAME
//! = PATH --` names a file of `tests/conformance/shared` that several cases have. `(executable)` and `(no newline at the end)` after the
//! name state properties that the text cannot show. A case without an `answer` expects an empty one.

use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// Extension of a case's file.
const ENDING: &str = "txt";
const EXECUTABLE: &str = " (executable)";
const NO_NEWLINE: &str = " (no newline at the end)";

/// One file of a case.
pub struct CaseFile {
    /// Path in the case's folder.
    pub name: String,
    /// Content of the file.
    pub text: String,
    /// True if the file is executable.
    pub executable: bool,
}

/// Returns the archives of all cases below the folder `cases`, sorted by dialect and name.
pub fn list_archives(cases: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for dialect in fs::read_dir(cases)? {
        found.extend(of_dialect(&dialect?.path())?);
    }
    found.sort_by_cached_key(|case| case.with_extension(""));
    Ok(found)
}

/// Returns the archives of one dialect's cases, sorted by name.
pub fn of_dialect(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for case in fs::read_dir(folder)? {
        let case = case?.path();
        if case.extension().is_some_and(|ending| ending == ENDING) {
            found.push(case);
        }
    }
    found.sort_by_cached_key(|case| case.with_extension(""));
    Ok(found)
}

/// Reads the files of a case, `case.toml` first.
///
/// # Errors
///
/// An archive or a shared file that cannot be read.
pub fn read_files(archive: &Path) -> io::Result<Vec<CaseFile>> {
    let text = fs::read_to_string(archive)?;
    let mut files = vec![CaseFile { name: "case.toml".to_owned(), text: String::new(), executable: false }];
    let mut unended = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(marker) = parse_marker(line) {
            if let Some(file) =
                files.last_mut().filter(|file| file.text.ends_with("\n\n") || file.text == "\n")
            {
                file.text.pop();
            }
            let (file, is_ended) = begin_file(archive, marker)?;
            if !is_ended {
                unended.push(files.len());
            }
            files.push(file);
        } else if let Some(file) = files.last_mut() {
            file.text.push_str(line);
        }
    }
    for at in unended {
        if let Some(file) = files.get_mut(at) {
            file.text.pop();
        }
    }
    Ok(files)
}

/// Reads one file of a case; `None` if the case does not have it.
///
/// # Errors
///
/// As [`read_files`].
pub fn read_file(archive: &Path, name: &str) -> io::Result<Option<String>> {
    Ok(read_files(archive)?.into_iter().find(|file| file.name == name).map(|file| file.text))
}

/// Writes the files of a case into a folder, as if an hour ago: hookbox waits for a file that has just changed to be complete.
///
/// # Errors
///
/// As [`read_files`], and a folder that cannot be written.
pub fn unpack_case(archive: &Path, folder: &Path) -> io::Result<()> {
    for file in read_files(archive)? {
        let path = folder.join(&file.name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&path, file.text)?;
        if file.executable {
            make_executable(&path)?;
        }
        let an_hour_ago = SystemTime::now() - Duration::new(3_600, 0);
        for path in [Some(path.as_path()), path.parent()].into_iter().flatten() {
            File::open(path)?.set_modified(an_hour_ago)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns the text between `-- ` and ` --`, if the line is a marker.
fn parse_marker(line: &str) -> Option<&str> {
    line.strip_suffix('\n').unwrap_or(line).strip_prefix("-- ")?.strip_suffix(" --")
}

/// Begins the file of a marker; also returns whether its last line ends with a newline.
fn begin_file(archive: &Path, marker: &str) -> io::Result<(CaseFile, bool)> {
    if let Some((name, shared)) = marker.split_once(" = ") {
        let conformance = archive.ancestors().nth(3).ok_or(ErrorKind::NotFound)?;
        let text = fs::read_to_string(conformance.join("shared").join(shared))?;
        return Ok((CaseFile { name: name.to_owned(), text, executable: false }, true));
    }
    let executable = marker.contains(EXECUTABLE);
    let name = marker.replace(EXECUTABLE, "").replace(NO_NEWLINE, "");
    Ok((CaseFile { name, text: String::new(), executable }, !marker.contains(NO_NEWLINE)))
}
