//! Other names that a command gives to files and folders: links, mounts, volumes of containers. What is written by such a name
//! is written there.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    wrapper::option_values,
};

/// A second name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alias {
    /// The new one.
    pub(crate) name: String,
    /// Target of the alias.
    pub(crate) target: String,
}

impl Alias {
    fn new(name: &str, target: &str) -> Self {
        Self { name: name.to_owned(), target: target.to_owned() }
    }
}

/// The names that hold for commands behind this one, too.
pub(crate) fn list_aliases(call: &Call) -> Vec<Alias> {
    let name = call.name();
    match name.strip_prefix('g').filter(|short| matches!(*short, "cp" | "ln")).unwrap_or(name) {
        "ln" | "link" => linked(call, true),
        "cp" => linked(call, false),
        "mount" => mounted(call),
        "bindfs" => pair(&Options::parse(call.args(), Grammar { short: "oumgp", ..Grammar::ANYWHERE })),
        "bwrap" => bound(call),
        _ => Vec::new(),
    }
}

/// `ln -s target name`, `cp -l file name`
fn linked(call: &Call, always: bool) -> Vec<Alias> {
    let grammar = Grammar { short: "St", long: &["suffix", "target-directory"], anywhere: true };
    let options = Options::parse(call.args(), grammar);
    let is_symbolic =
        options.has_letter("s") || options.has_long("--symbolic") || options.has_long("--symbolic-link");
    if !always && !is_symbolic && !options.has_letter("l") && !options.has_long("--link") {
        return Vec::new();
    }
    let folder = options.value(&["t", "--target-directory"]);
    let here = Arg::new(".");
    let (into, targets) = match (folder, options.operands.split_last()) {
        (Some(folder), _) => (folder, options.operands.as_slice()),
        (None, Some((only, []))) => (&here, std::slice::from_ref(only)),
        (None, Some((last, targets))) => (last, targets),
        (None, None) => return Vec::new(),
    };
    targets.iter().flat_map(|target| names(into.as_str(), target.as_str(), is_symbolic)).collect()
}

/// The name itself, and the one that it has if the name is a folder's. What a symbolic link says counts from where it is.
fn names(into: &str, target: &str, is_symbolic: bool) -> Vec<Alias> {
    let own = target.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let inside = format!("{}/{own}", into.trim_end_matches('/'));
    let mut aliases = vec![Alias::new(into, target), Alias::new(&inside, target)];
    if is_symbolic && !target.starts_with(|c: char| c == '/' || crate::arg::is_mark(c)) {
        let above = into.trim_end_matches('/').rsplit_once('/').map_or(".", |(above, _)| above);
        aliases.push(Alias::new(into, &format!("{above}/{target}")));
        aliases.push(Alias::new(&inside, &format!("{into}/{target}")));
    }
    aliases
}

/// `mount --bind folder name`, `mount -o bind folder name`
fn mounted(call: &Call) -> Vec<Alias> {
    let options =
        Options::parse(call.args(), Grammar { short: "otLUN", long: &["options", "types"], anywhere: true });
    let mount_options = options.value(&["o", "--options"]).map_or("", Arg::as_str);
    let mount_options: Vec<&str> = mount_options.split(',').collect();
    let binds = ["bind", "rbind"]
        .iter()
        .any(|word| mount_options.contains(word) || options.has_long(&format!("--{word}")))
        || options.has_letter("BR");
    if binds && !mount_options.contains(&"ro") { pair(&options) } else { Vec::new() }
}

fn pair(options: &Options) -> Vec<Alias> {
    match options.operands.as_slice() {
        [target, name] => vec![Alias::new(name.as_str(), target.as_str())],
        _ => Vec::new(),
    }
}

/// `bwrap --bind folder name`
fn bound(call: &Call) -> Vec<Alias> {
    let is_bind =
        |arg: &Arg| matches!(arg.as_str(), "--bind" | "--bind-try" | "--dev-bind" | "--dev-bind-try");
    let bind = |words: &[Arg]| match words {
        [option, target, name] if is_bind(option) => Some(Alias::new(name.as_str(), target.as_str())),
        _ => None,
    };
    call.args().windows(3).filter_map(bind).collect()
}

/// Programs that run containers.
const ENGINES: &[&str] = &["docker", "docker-compose", "finch", "nerdctl", "podman", "podman-compose"];

/// The names that folders of this machine have in the container that a command makes, if they can be written there.
pub(crate) fn volumes(call: &Call) -> Vec<Alias> {
    if !call.is(ENGINES) {
        return Vec::new();
    }
    let values = option_values(call.args(), &["-v", "--volume"]);
    let mounts = option_values(call.args(), &["--mount"]);
    values
        .iter()
        .filter_map(|value| volume(value))
        .chain(mounts.iter().filter_map(|value| mount(value)))
        .collect()
}

/// `folder:name:options`. What has no slash is the name of a volume.
fn volume(value: &str) -> Option<Alias> {
    let mut parts = value.split(':');
    let (target, name) = (parts.next()?, parts.next()?);
    let is_read_only = parts.next().is_some_and(|options| options.split(',').any(|option| option == "ro"));
    let is_path = target.starts_with(|c: char| "/.~".contains(c) || crate::arg::is_mark(c));
    (is_path && !is_read_only).then(|| Alias::new(name, target))
}

/// `type=bind,source=folder,target=name`
fn mount(value: &str) -> Option<Alias> {
    let value_of = |keys: &[&str]| {
        value
            .split(',')
            .find_map(|part| part.split_once('=').filter(|(key, _)| keys.contains(key)))
            .map(|(_, text)| text)
    };
    let is_read_only =
        value.split(',').any(|part| matches!(part, "ro" | "readonly" | "ro=true" | "readonly=true"));
    let target = value_of(&["source", "src"])
        .filter(|_| value_of(&["type"]).is_none_or(|kind| kind == "bind") && !is_read_only)?;
    Some(Alias::new(value_of(&["target", "dst", "destination"])?, target))
}

/// The folder in which a container runs its command.
pub(crate) fn folder_inside(call: &Call) -> Option<String> {
    option_values(call.args(), &["-w", "--workdir"]).pop()
}
