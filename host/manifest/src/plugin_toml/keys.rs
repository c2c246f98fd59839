//! Every key of `plugin.toml`, with an example.

/// Path of a key, and an example.
type Key = (&'static str, &'static str);

const KEYS: [Key; 20] = [
    ("name", "name = \"acme/guard\""),
    ("version", "version = \"1.2.0\""),
    ("seq", "seq = 12"),
    ("description", "description = \"Keeps deployments within office hours.\""),
    ("world", "world = \"hookbox:hook/hook@0.1.0\""),
    ("min-host", "min-host = \"0.1.0\""),
    ("events", "events = [\"tool.before\"]"),
    ("effects", "effects = [\"ask\", \"deny-code\"]"),
    ("capabilities.clock", "clock = true"),
    ("capabilities.random", "random = true"),
    ("capabilities.env", "env = [\"LANG\"]"),
    ("capabilities.fs.read", "read = [\"project\"]"),
    ("capabilities.fs.write", "write = [\"project\"]"),
    ("capabilities.http", "http = [\"https://api.example.com/\"]"),
    ("capabilities.secret", "secret = [\"token\"]"),
    ("capabilities.kv", "kv = [\"session\"]"),
    ("build.language", "language = \"rust\""),
    ("build.source", "source = \"src/hook.zig\""),
    ("build.command", "command = [\"make\", \"hook.wasm\"]"),
    ("build.output", "output = \"hook.wasm\""),
];

#[cfg(test)]
pub(super) fn list_all_keys() -> impl Iterator<Item = Key> {
    KEYS.into_iter()
}

/// Returns the allowed names in the table at this path: `""` is the file, `"capabilities."` the table of that name.
pub(super) fn list_names_within(path: &str) -> Vec<&'static str> {
    let below = KEYS.iter().filter_map(|(key, _)| key.strip_prefix(path));
    let mut names: Vec<_> = below.filter_map(|rest| rest.split('.').next()).collect();
    // Keys of one table are next to one another.
    names.dedup();
    names
}

pub(super) fn find_example(member: &str) -> Option<&'static str> {
    match member {
        "capabilities" => Some("[capabilities], and below it clock = true"),
        "capabilities.fs" => Some("fs = { read = [\"project\"] }"),
        member => KEYS.iter().find(|(key, _)| *key == member).map(|(_, example)| *example),
    }
}
