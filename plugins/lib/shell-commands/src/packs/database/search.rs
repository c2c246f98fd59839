//! Search engines and stores that are spoken to by HTTP.

use crate::{
    address::{host, is_here},
    arg::Arg,
    call::Call,
};

/// Ports that such servers listen to.
const PORTS: &[&str] = &["9200", "9201", "9243", "7700", "8108", "6333", "8983", "5984", "8086", "19530"];
/// Text in the names of such hosts.
const HOSTS: &[&str] = &[
    "elastic",
    "opensearch",
    "es.amazonaws.com",
    "algolia",
    "meilisearch",
    "typesense",
    "qdrant",
    "couchdb",
    "solr",
];
/// Parts of a path with which only a document, or nothing permanent, is deleted.
const SMALL: &[&str] =
    &["_doc", "_search", "_pit", "_tasks", "_async_search", "scroll", "_cache", "tasks", "keys"];

pub(super) fn deletes_index(call: &Call) -> bool {
    if !call.is(&["curl", "wget", "http", "https", "xh"]) {
        return false;
    }
    let (is_delete, is_query) = (method(call.args(), "DELETE"), has_query(call.args()));
    (is_delete || is_query) && call.args().iter().any(|arg| is_whole(&arg.plain(), is_delete))
}

/// Returns true if a request deletes data of a server on another machine. A server on this machine is taken for a
/// test.
pub(super) fn deletes_elsewhere(call: &Call) -> bool {
    if !call.is(&["curl", "wget", "http", "https", "xh"]) {
        return false;
    }
    let is_delete = method(call.args(), "DELETE");
    let deletes =
        |url: &str| is_delete || url.ends_with("/doDelete") || url.contains("/admin/tsdb/delete_series");
    let mut urls = call.args().iter().map(Arg::plain);
    urls.any(|url| is_elsewhere(&url) && deletes(&url)) && !deletes_index(call)
}

fn is_elsewhere(url: &str) -> bool {
    let Some((scheme, behind)) = url.split_once("://") else { return false };
    // Who one is there stands in front of the host.
    let place =
        behind.split(['/', '?', '#']).next().unwrap_or_default().rsplit('@').next().unwrap_or_default();
    let is_test = matches!(host(place).rsplit('.').next(), Some("test" | "local"));
    // The machine of which a container is a part runs other tests.
    let is_here = is_here(place) || host(place) == "host.docker.internal";
    matches!(scheme, "http" | "https") && !is_here && !is_test
}

/// Returns true if the request has this method, in the spellings of curl, wget and httpie.
fn method(args: &[Arg], wanted: &str) -> bool {
    let mut before = "";
    args.iter().any(|arg| {
        let text = arg.as_str();
        let is_value = matches!(before, "-X" | "--request" | "--method") || before.is_empty();
        before = text;
        let glued =
            ["-X", "--request=", "--method=", "-sX", "-XX"].iter().find_map(|name| text.strip_prefix(name));
        let is_cluster = before.starts_with('-') && !before.starts_with("--") && before.ends_with('X');
        if is_cluster {
            before = "-X";
        }
        (is_value && text.eq_ignore_ascii_case(wanted))
            || glued.is_some_and(|glued| glued.eq_ignore_ascii_case(wanted))
    })
}

fn has_query(args: &[Arg]) -> bool {
    args.iter().any(|arg| arg.as_str().contains("/_delete_by_query"))
}

/// Returns true if a URL names an index, or more, on such a server.
fn is_whole(url: &str, is_delete: bool) -> bool {
    let url = url.split_once("://").map_or(url, |(_, behind)| behind);
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = url.split_once('/').unwrap_or((url, ""));
    let host = host.rsplit('@').next().unwrap_or_default().to_lowercase();
    let is_port = host.rsplit_once(':').is_some_and(|(_, port)| PORTS.contains(&port));
    if !is_port && !HOSTS.iter().any(|name| host.contains(name)) {
        return false;
    }
    if !is_delete || path.contains("_delete_by_query") {
        return true;
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let is_document = parts.iter().position(|part| matches!(*part, "documents" | "points" | "objects"));
    let is_small = parts.is_empty() || parts.iter().any(|part| SMALL.contains(part));
    let is_one = is_document.is_some_and(|at| at + 1 < parts.len());
    let is_object = host.contains("algolia") && parts.len() > 3;
    !(is_small || is_one || is_object)
}
