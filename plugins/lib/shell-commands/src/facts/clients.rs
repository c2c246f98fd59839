//! Programs that contact hosts, and the arguments that name these.

use super::client_options::{CURL, WGET};
use crate::call::Grammar;

/// The arguments of a program that are addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addresses {
    /// Every operand.
    Operands,
    /// The first operand.
    First,
    /// The first operand that is not a method of HTTP.
    Request,
    /// Operands of the form `host:path`, and URLs.
    RemotePaths,
    /// Words that begin with a scheme, also behind the `=` of an option.
    Urls,
    /// The first operand behind a verb of git that contacts a repository.
    Repository,
    /// The registry of the image behind `pull`, `push` or `login`.
    Image,
    /// The first operand, unless the program waits for connections.
    Peer,
    /// Operands of the form `TCP:host:port`.
    Sockets,
    /// Operands of the form `@host`.
    Servers,
}

/// A program that contacts hosts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    names: &'static [&'static str],
    /// Options with a value.
    pub(super) grammar: Grammar<'static>,
    pub(super) addresses: Addresses,
    /// Options whose value is an address.
    pub(super) options: &'static [&'static str],
    /// Options whose value is a file with addresses.
    pub(super) lists: &'static [&'static str],
}

/// Returns what is known of a program that contacts hosts.
pub(super) fn find_client(name: &str) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.names.contains(&name))
}

const fn describe_client(
    names: &'static [&'static str],
    short: &'static str,
    addresses: Addresses,
) -> Client {
    let grammar = Grammar { short, long: &[], anywhere: true };
    Client { names, grammar, addresses, options: &[], lists: &[] }
}

impl Client {
    const fn with_long(mut self, long: &'static [&'static str]) -> Self {
        self.grammar.long = long;
        self
    }

    const fn with_options(mut self, options: &'static [&'static str]) -> Self {
        self.options = options;
        self
    }

    const fn with_lists(mut self, lists: &'static [&'static str]) -> Self {
        self.lists = lists;
        self
    }
}

const CLIENTS: &[Client] = &[
    describe_client(&["curl"], "AbcCdDeEFHKmoPQrtTuUwxXyYz", Addresses::Operands)
        .with_long(CURL)
        .with_options(&[
            "x",
            "--proxy",
            "--preproxy",
            "--socks4",
            "--socks4a",
            "--socks5",
            "--socks5-hostname",
            "--url",
            "--doh-url",
        ])
        .with_lists(&["K", "--config"]),
    describe_client(&["wget", "wget2"], "aABDeiIloOPQRTtUwX", Addresses::Operands)
        .with_long(WGET)
        .with_lists(&["i", "--input-file"]),
    describe_client(&["aria2c"], "dosxjkmiT", Addresses::Operands)
        .with_long(&["dir", "out", "input-file", "header", "all-proxy", "http-proxy", "https-proxy", "split"])
        .with_options(&["--all-proxy", "--http-proxy", "--https-proxy"])
        .with_lists(&["i", "--input-file"]),
    describe_client(&["http", "https", "xh", "xhs", "curlie", "httpie"], "aAopsXHdm", Addresses::Request)
        .with_long(&[
            "auth",
            "auth-type",
            "output",
            "print",
            "pretty",
            "style",
            "session",
            "proxy",
            "verify",
            "cert",
            "cert-key",
            "timeout",
            "max-redirects",
            "header",
            "data",
            "request",
        ]),
    describe_client(&["lynx", "links", "elinks", "w3m", "fetch"], "oT", Addresses::Operands),
    describe_client(
        &["ssh", "autossh", "slogin", "dbclient", "plink"],
        "BbcDEeFIiJLlMmOoPpQRSWw",
        Addresses::First,
    )
    .with_options(&["J", "W"]),
    describe_client(&["mosh"], "p", Addresses::First)
        .with_long(&["port", "ssh", "server", "client", "predict"]),
    describe_client(&["ssh-copy-id"], "iFopt", Addresses::First),
    describe_client(&["ssh-keyscan"], "fOptTD", Addresses::Operands).with_lists(&["f"]),
    describe_client(&["scp", "pscp"], "cDFiJloPSX", Addresses::RemotePaths).with_options(&["J"]),
    describe_client(&["sftp", "psftp"], "BbcDFiJloPRSsX", Addresses::First).with_options(&["J"]),
    describe_client(&["rsync"], "eBfMT@", Addresses::RemotePaths).with_long(&[
        "rsh",
        "rsync-path",
        "exclude",
        "include",
        "exclude-from",
        "include-from",
        "files-from",
        "filter",
        "chmod",
        "chown",
        "log-file",
        "port",
        "timeout",
        "bwlimit",
        "backup-dir",
        "suffix",
        "partial-dir",
        "temp-dir",
        "password-file",
        "max-size",
        "min-size",
        "compare-dest",
        "copy-dest",
        "link-dest",
    ]),
    describe_client(&["rclone", "unison"], "", Addresses::Urls),
    describe_client(&["git"], "Cc", Addresses::Repository).with_long(&[
        "git-dir",
        "work-tree",
        "branch",
        "depth",
        "origin",
        "reference",
        "template",
        "upload-pack",
        "receive-pack",
        "config",
        "jobs",
        "filter",
        "shallow-since",
        "shallow-exclude",
        "push-option",
        "server-option",
        "name",
    ]),
    describe_client(&["hg", "svn", "bzr"], "", Addresses::Urls),
    describe_client(
        &["docker", "podman", "nerdctl", "finch", "buildah", "skopeo", "crane", "oras"],
        "Hcupl",
        Addresses::Image,
    )
    .with_long(&["host", "context", "config", "log-level", "username", "password", "platform", "creds"])
    .with_options(&["H", "--host"]),
    describe_client(
        &["nc", "ncat", "netcat", "nc.openbsd", "nc.traditional"],
        "wpsigIOPqTVXxMmGoec",
        Addresses::Peer,
    )
    .with_long(&["wait", "source", "source-port", "exec", "sh-exec", "lua-exec", "proxy", "idle-timeout"])
    .with_options(&["x", "--proxy"]),
    describe_client(&["socat"], "TtblLd", Addresses::Sockets),
    describe_client(
        &["telnet", "ftp", "lftp", "ncftp", "tftp", "rlogin", "rsh"],
        "lnbePpuo",
        Addresses::First,
    ),
    describe_client(
        &["ping", "ping6", "traceroute", "traceroute6", "tracepath", "mtr", "fping", "arping"],
        PING,
        Addresses::Operands,
    ),
    describe_client(&["nmap", "zenmap"], "pTiDSegmo", Addresses::Operands)
        .with_long(&["script", "script-args", "top-ports", "exclude", "min-rate", "max-rate", "host-timeout"])
        .with_lists(&["i"]),
    describe_client(&["dig", "kdig", "drill", "dog"], "tcbfkpqxy", Addresses::Servers),
    describe_client(&["openssl"], "", Addresses::Urls).with_options(&["-connect"]),
    describe_client(
        &["psql", "pg_dump", "pg_dumpall", "pg_restore", "createdb", "dropdb", "pg_isready"],
        "hpUdcfvotLPRFTnjN",
        Addresses::Urls,
    )
    .with_long(&["host", "port", "username", "dbname", "command", "file"])
    .with_options(&["h", "--host"]),
    describe_client(
        &["mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump"],
        "hPuDeS",
        Addresses::Urls,
    )
    .with_long(&["host", "port", "user", "database", "execute", "socket"])
    .with_options(&["h", "--host"]),
    describe_client(&["redis-cli", "valkey-cli"], "hpasurndiD", Addresses::Urls).with_options(&["h", "u"]),
    describe_client(
        &["mongosh", "mongo", "mongodump", "mongorestore", "ldapsearch", "ldapmodify"],
        "hHDbwupd",
        Addresses::Urls,
    )
    .with_long(&["host", "port", "uri", "db", "eval"])
    .with_options(&["h", "H", "--host", "--uri"]),
    describe_client(URL_READERS, "", Addresses::Urls),
];

/// Programs that contact a host if an argument is a URL.
const URL_READERS: &[&str] = &[
    "ab",
    "apt-add-repository",
    "aws",
    "az",
    "brew",
    "bun",
    "bundle",
    "bunx",
    "cargo",
    "chromium",
    "composer",
    "conda",
    "deno",
    "dnf",
    "ffuf",
    "firefox",
    "gcloud",
    "gem",
    "go",
    "gobuster",
    "google-chrome",
    "helm",
    "hey",
    "k6",
    "k",
    "kubectl",
    "mamba",
    "nikto",
    "npm",
    "npx",
    "nuclei",
    "oc",
    "open",
    "pip",
    "pip3",
    "pipx",
    "pnpm",
    "poetry",
    "rpm",
    "sqlmap",
    "uv",
    "uvx",
    "wrk",
    "xdg-open",
    "yarn",
    "youtube-dl",
    "yt-dlp",
    "yum",
    "zypper",
];

const PING: &str = "cIiLlMmnOpQsSTtWwfqzN";
