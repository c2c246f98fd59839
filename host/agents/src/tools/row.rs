//! One tool of an agent: its class, and the names of its arguments.

use hookbox_model::ToolClass;

#[derive(Clone, Copy)]
pub(crate) struct Fields {
    /// The directory that it works in; the first that is there. Other paths are relative to it.
    pub(crate) base: &'static [&'static str],
    /// Files: a string, an object that names files, or an array of those.
    pub(crate) files: &'static [&'static str],
    /// True if the arguments hold a patch, which names its files itself.
    pub(crate) patch: bool,
}

impl Fields {
    pub(crate) const NONE: Self = Self { base: &[], files: &[], patch: false };
}

pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) class: ToolClass,
    pub(crate) fields: Fields,
}

/// Names of directories, and of files.
type Paths = (&'static [&'static str], &'static [&'static str]);

pub(crate) const fn tool(name: &'static str, class: ToolClass, paths: Paths) -> Tool {
    Tool { name, class, fields: Fields { base: paths.0, files: paths.1, patch: false } }
}

/// Creates a tool that writes files by applying a patch.
pub(crate) const fn patch_tool(name: &'static str) -> Tool {
    Tool { name, class: ToolClass::FileWrite, fields: Fields { patch: true, ..Fields::NONE } }
}

impl Tool {
    pub(crate) const fn or_patch(mut self) -> Self {
        self.fields.patch = true;
        self
    }
}

pub(crate) const NO_PATHS: Paths = (&[], &[]);
pub(crate) const LINES: Paths = (&[], &["absolute_path", "file_path", "path"]);
pub(crate) const ONE_FILE: Paths = (&[], &["path", "file_path", "target_file"]);
/// Fields for agents that accept one spelling for another. A text in place of all arguments is called `input` here.
pub(crate) const ANY_FILES: Paths =
    (&[], &["path", "paths", "files", "file_path", "file_paths", "filePath", "absolute_path", "input"]);
pub(crate) const IN_FOLDER: Paths = (&["path"], &[]);
pub(crate) const GLOB: Paths = (&["path"], &["pattern"]);
