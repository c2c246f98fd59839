//! Users of Unix.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{BufRead, BufReader, Read},
    os::unix::{ffi::OsStringExt as _, fs::MetadataExt as _},
    path::PathBuf,
};

use super::Account;

/// The list of users.
const FILE: &str = "/etc/passwd";
/// Most bytes read of the list: some hundred thousand users.
const MAX_BYTES: u64 = 16 << 20;

impl Account {
    /// Returns the account of the process's effective user.
    pub(super) fn find_effective() -> Option<Self> {
        Self::find_user(File::open(FILE).ok()?, effective_user())
    }

    /// Returns the first line with this number and an absolute home.
    fn find_user(list: impl Read, user: u32) -> Option<Self> {
        let lines = BufReader::new(list.take(MAX_BYTES)).split(b'\n');
        lines.map_while(Result::ok).find_map(|line| Self::parse_line(&line, user))
    }

    fn parse_line(line: &[u8], user: u32) -> Option<Self> {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == b':').collect();
        let [name, _, number, _, _, home, shell] = fields.as_slice() else { return None };
        if str::from_utf8(number).ok()?.parse() != Ok(user) {
            return None;
        }
        let path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
        let account =
            Self { name: str::from_utf8(name).ok()?.to_owned(), home: path(home), shell: path(shell) };
        // A relative home would be resolved in the agent's working folder, where a project could put a configuration.
        account.home.is_absolute().then_some(account)
    }
}

/// Returns the number of the process's effective user.
pub(crate) fn effective_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Returns the folder with the sockets of the user's session.
pub(super) fn session_folder() -> Option<PathBuf> {
    // pam_systemd(8) creates this folder and sets `XDG_RUNTIME_DIR` to it. The variable is not read: a project can
    // set the variables of what its agent starts.
    let folder = PathBuf::from(format!("/run/user/{}", effective_user()));
    let is_ours = fs::symlink_metadata(&folder).is_ok_and(|it| it.is_dir() && it.uid() == effective_user());
    is_ours.then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_home(list: &[u8], user: u32) -> Option<String> {
        Some(Account::find_user(list, user)?.home.display().to_string())
    }

    #[test]
    fn a_user_is_found_by_the_number() {
        let list = b"root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000:Ada, L:/home/ada:/bin/zsh";
        let ada = Account::find_user(&list[..], 1000).unwrap();
        let expected = Account { name: "ada".to_owned(), home: "/home/ada".into(), shell: "/bin/zsh".into() };
        assert_eq!(ada, expected);
        assert_eq!(find_home(list, 1).as_deref(), None);
    }

    #[test]
    fn a_line_without_an_absolute_home_is_skipped() {
        let list = b"+::::::\n\xff\n#ada:x:7:7::/no\nada:x:7:7:::\nada:x:7:7::home:/bin/sh\nada:x:7:7::/h:/bin/sh:more\nada:x:07:7::/yes:\n";
        assert_eq!(find_home(list, 7).as_deref(), Some("/yes"));
    }

    #[test]
    fn an_endless_user_list_is_read_up_to_a_limit() {
        let endless = std::io::repeat(b'x');
        assert_eq!(Account::find_user(endless, 0), None);
    }
}
