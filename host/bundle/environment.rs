//! The variables of this process. The only reader of the environment.

use std::{env, ffi::OsString, path::PathBuf};

use hookbox_app::places::Places;

fn read_variable(name: &str) -> Option<OsString> {
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    env::var_os(name)
}

/// Returns the socket of the user's ssh agent, if there is one.
pub(crate) fn find_agent_socket() -> Option<PathBuf> {
    read_variable("SSH_AUTH_SOCK").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Returns the folder of docker's configuration. A relative variable is ignored: a project could otherwise provide the
/// credentials.
pub(crate) fn docker_folder() -> Option<PathBuf> {
    let configured = read_variable("DOCKER_CONFIG").map(PathBuf::from).filter(|folder| folder.is_absolute());
    configured.or_else(|| Places::of_terminal(&read_variable).in_home(".docker"))
}

pub(crate) fn find_user_places() -> Places {
    Places::of_terminal(&read_variable)
}

pub(crate) fn list_path_folders() -> Vec<PathBuf> {
    read_variable("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect())
}

/// Returns the folders whose `allowed_signers`, `revoked.krl` and `policy.toml` count: the administrator's and the user's.
pub(crate) fn trusted_folders() -> Vec<PathBuf> {
    let user = Places::of_terminal(&read_variable).user_config();
    let files = [Some(Places::managed_config()), user].into_iter().flatten();
    files.filter_map(|file| Some(file.parent()?.to_owned())).collect()
}
