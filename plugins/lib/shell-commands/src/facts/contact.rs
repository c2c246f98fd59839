//! Hosts that one command contacts.

use super::{
    address::{FoundHost, find_host, is_remote_path, is_url},
    clients::{Addresses, Client, find_client},
    code::without_extension,
};
use crate::{
    arg::{Arg, UNKNOWN},
    call::{Call, Options},
};

/// The verbs of git that contact a repository.
const REPOSITORY_VERBS: &[&str] = &["clone", "fetch", "ls-remote", "pull", "push"];
/// The verbs of container tools that contact a registry.
const IMAGE_VERBS: &[&str] = &["copy", "login", "pull", "push"];
/// Folders of sockets that bash opens itself.
const SOCKETS: &[&str] = &["/dev/tcp/", "/dev/udp/"];

/// Returns the hosts that the program contacts.
pub(super) fn contacted_hosts(call: &Call) -> Vec<FoundHost> {
    let Some(client) = find_client(without_extension(call.name())) else { return Vec::new() };
    let options = Options::parse(call.args(), client.grammar);
    let mut hosts: Vec<FoundHost> = Vec::new();
    for (name, value) in &options.given {
        if client.options.contains(&name.as_str()) {
            let listed =
                value.iter().flat_map(|value| value.text.split(',').map(|text| (text, value.guessed)));
            hosts.extend(listed.filter_map(|(text, guessed)| host_in(text, guessed)));
        }
        if client.lists.contains(&name.as_str()) {
            hosts.push((UNKNOWN.to_string(), false));
        }
    }
    let addresses = address_words(client, call, &options);
    hosts.extend(addresses.iter().filter_map(|word| host_in(&word.plain(), word.guessed)));
    hosts
}

/// Returns the hosts of sockets that the shell opens for redirections.
pub(super) fn redirected_hosts(call: &Call) -> Vec<FoundHost> {
    let files = call.writes.iter().chain(&call.reads);
    let sockets = files
        .filter_map(|file| Some((SOCKETS.iter().find_map(|folder| file.text.strip_prefix(folder))?, file)));
    let hosts = sockets.filter_map(|(rest, file)| host_in(rest.split('/').next()?, file.guessed));
    hosts.collect()
}

fn host_in(address: &str, guessed: bool) -> Option<FoundHost> {
    find_host(address).map(|(host, certain)| (host, certain && !guessed))
}

/// Returns the words that are addresses.
fn address_words(client: &Client, call: &Call, options: &Options) -> Vec<Arg> {
    let operands = &options.operands;
    let every = || operands.iter().cloned();
    match client.addresses {
        Addresses::Operands => every().collect(),
        Addresses::Request => {
            every().find(|word| !is_method(word)).map(local_by_default).into_iter().collect()
        }
        Addresses::RemotePaths => every().filter(|word| is_remote_path(word.as_str())).collect(),
        Addresses::Urls => urls_in(client, call),
        Addresses::Repository => repository_words(operands),
        Addresses::Image => image_words(operands),
        Addresses::Peer if options.has_letter("lU") || options.has_long("--listen") => Vec::new(),
        Addresses::First | Addresses::Peer => every().take(1).collect(),
        Addresses::Sockets => every().filter_map(|word| socket_host(&word)).collect(),
        Addresses::Servers => {
            every().filter_map(|word| Some(with_text(&word, word.text.strip_prefix('@')?))).collect()
        }
    }
}

fn with_text(word: &Arg, text: &str) -> Arg {
    Arg { text: text.to_owned(), ..word.clone() }
}

fn is_method(word: &Arg) -> bool {
    !word.text.is_empty() && word.text.chars().all(|c| c.is_ascii_uppercase())
}

/// `:8080/path` is an address of this machine.
fn local_by_default(word: Arg) -> Arg {
    if word.text.starts_with([':', '/']) {
        Arg { text: format!("localhost{}", word.text), ..word }
    } else {
        word
    }
}

/// Returns the words that begin with a scheme, also behind the sign of an option, and the values of options with a single dash.
fn urls_in(client: &Client, call: &Call) -> Vec<Arg> {
    let args = call.args();
    let url = |word: &Arg| {
        let text = match word.text.split_once('=') {
            Some((option, value)) if option.starts_with('-') => value,
            _ => &word.text,
        };
        is_url(text).then(|| with_text(word, text))
    };
    let named = args.iter().zip(args.iter().skip(1));
    let named =
        named.filter(|(option, _)| option.text.len() > 2 && client.options.contains(&option.as_str()));
    args.iter().filter_map(url).chain(named.map(|(_, value)| value.clone())).collect()
}

/// `git push address`, `git submodule add address`. The name of a remote is not an address.
fn repository_words(operands: &[Arg]) -> Vec<Arg> {
    let repository = match operands {
        [verb, address, ..] if REPOSITORY_VERBS.contains(&verb.as_str()) => address,
        [first, second, address, ..] if first.as_str() == "submodule" && second.as_str() == "add" => address,
        _ => return Vec::new(),
    };
    let text = repository.as_str();
    let is_address = is_url(text) || is_remote_path(text) || text.starts_with(UNKNOWN);
    is_address.then(|| repository.clone()).into_iter().collect()
}

/// `docker pull registry.example/image`. The default registry is a setting.
fn image_words(operands: &[Arg]) -> Vec<Arg> {
    let Some(verb) =
        operands.iter().position(|word| IMAGE_VERBS.contains(&word.as_str())).filter(|at| *at < 2)
    else {
        return Vec::new();
    };
    let is_login = operands.get(verb).is_some_and(|word| word.as_str() == "login");
    let is_registry = |word: &&Arg| {
        let (first, rest) =
            word.text.split_once('/').map_or((word.as_str(), ""), |(first, rest)| (first, rest));
        let is_host = first.contains(['.', ':', UNKNOWN]) || first == "localhost";
        is_host && (is_login || !rest.is_empty())
    };
    operands.iter().skip(verb + 1).filter(is_registry).cloned().collect()
}

/// `TCP:host:port`, `OPENSSL-CONNECT:host:port`. An address that waits for connections has no host.
fn socket_host(word: &Arg) -> Option<Arg> {
    let (kind, rest) = word.text.split_once(':')?;
    let kind = kind.to_lowercase();
    let is_network = ["tcp", "udp", "sctp", "dccp", "openssl", "ssl", "proxy", "socks"];
    let waits = kind.contains("listen") || kind.contains("recv");
    (is_network.iter().any(|network| kind.starts_with(network)) && !waits).then(|| with_text(word, rest))
}
