//! One tool of an agent: what it does, and what its arguments are called.

use hookbox_model::ToolClass;

/// Where a tool's arguments say what.
#[derive(Clone, Copy)]
pub(in crate::dialect) struct Fields {
    /// The directory that it works in; the first that is there. Other paths are relative to it.
    pub(in crate::dialect) base: &'static [&'static str],
    /// Files: a string, an object that names files, or an array of those.
    pub(in crate::dialect) files: &'static [&'static str],
    /// Do the arguments hold a patch, which names its files itself?
    pub(in crate::dialect) patch: bool,
}

impl Fields {
    /// Nothing is said.
    pub(in crate::dialect) const NONE: Self = Self { base: &[], files: &[], patch: false };
}

/// One tool.
pub(in crate::dialect) struct Tool {
    pub(in crate::dialect) name: &'static str,
    pub(in crate::dialect) class: ToolClass,
    pub(in crate::dialect) fields: Fields,
}

/// Names of directories, and of files.
type Paths = (&'static [&'static str], &'static [&'static str]);

/// A tool whose arguments name these.
pub(in crate::dialect) const fn tool(name: &'static str, class: ToolClass, paths: Paths) -> Tool {
    Tool { name, class, fields: Fields { base: paths.0, files: paths.1, patch: false } }
}

/// A tool that writes files as a patch says.
pub(in crate::dialect) const fn patching(name: &'static str) -> Tool {
    Tool { name, class: ToolClass::FileWrite, fields: Fields { patch: true, ..Fields::NONE } }
}

impl Tool {
    pub(in crate::dialect) const fn or_patch(mut self) -> Self {
        self.fields.patch = true;
        self
    }
}

pub(in crate::dialect) const NO_PATHS: Paths = (&[], &[]);
pub(in crate::dialect) const LINES: Paths = (&[], &["absolute_path", "file_path", "path"]);
pub(in crate::dialect) const ONE_FILE: Paths = (&[], &["path", "file_path", "target_file"]);
/// Of agents that take one spelling for another. A text in place of all arguments is called `input` here.
pub(in crate::dialect) const ANY_FILES: Paths =
    (&[], &["path", "paths", "files", "file_path", "file_paths", "filePath", "absolute_path", "input"]);
pub(in crate::dialect) const IN_FOLDER: Paths = (&["path"], &[]);
pub(in crate::dialect) const GLOB: Paths = (&["path"], &["pattern"]);
