//! A hostile registry: wrong digests, lengths and redirects, endless and slow responses.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests and their helpers")]

mod layouts;
mod server;

use std::{
    fs,
    io::Write as _,
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use hookbox_registry::{Digest, Docker, ErrorKind, Found, Limits, Pulled, Reference, Registries, Signed};
use serde_json::json;

use crate::server::{Asked, Server, write_head, write_reply};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// Content of the honest registry.
#[derive(Clone)]
struct Plugin {
    component: Vec<u8>,
    manifest: Vec<u8>,
}

impl Plugin {
    fn new() -> Self {
        Self::of_component(b"\0asm a component")
    }

    fn of_component(component: &[u8]) -> Self {
        let manifest = build_manifest(&Digest::of_content(component).to_string(), component.len() as u64);
        Self { component: component.to_vec(), manifest }
    }

    fn digest(&self) -> Digest {
        Digest::of_content(&self.manifest)
    }

    /// Returns the honest answer.
    fn write_answer(&self, asked: &Asked, stream: &mut TcpStream) -> std::io::Result<()> {
        let digest = self.digest().to_string();
        let headers = [("Content-Type", MANIFEST), ("Docker-Content-Digest", &*digest)];
        if asked.line.starts_with("HEAD") {
            return write_reply(stream, "200 OK", &headers, b"");
        }
        if asked.line.contains("/manifests/") {
            return write_reply(stream, "200 OK", &headers, &self.manifest);
        }
        write_reply(stream, "200 OK", &[], &self.component)
    }
}

/// Returns a manifest of one component.
fn build_manifest(digest: &str, size: u64) -> Vec<u8> {
    let config = json!({
        "mediaType": "application/vnd.wasm.config.v0+json", "size": 2, "digest": Digest::of_content(b"{}").to_string()
    });
    let layer = json!({"mediaType": "application/wasm", "digest": digest, "size": size});
    let manifest = json!({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]});
    manifest.to_string().into_bytes()
}

fn build_index(manifests: &serde_json::Value) -> Vec<u8> {
    json!({"schemaVersion": 2, "mediaType": INDEX, "manifests": manifests}).to_string().into_bytes()
}

/// Returns a server with this manifest under every name, and this component.
fn serve_manifest(manifest: Vec<u8>, component: &[u8]) -> Server {
    let component = component.to_vec();
    Server::start_at("127.0.0.1", move |asked, stream| {
        let body = if asked.line.contains("/manifests/") { &manifest } else { &component };
        write_reply(stream, "200 OK", &[], body)
    })
}

fn pull_as(
    docker: Docker,
    server: &Server,
    pick: &str,
    limits: Limits,
) -> Result<Pulled, (ErrorKind, String)> {
    let reference = Reference::parse(&format!("oci://{}/acme/guard{pick}", server.address)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let found = runtime.block_on(Registries::new(docker, limits).pull(&reference));
    match found {
        Ok(Found::Plugin(pulled)) => Ok(*pulled),
        Ok(Found::Pack(listed)) => panic!("a pack: {listed:?}"),
        Err(error) => Err((error.kind(), error.to_string().replace(&server.address, "[SERVER]"))),
    }
}

fn pull_plugin(server: &Server, pick: &str) -> Result<Pulled, (ErrorKind, String)> {
    pull_as(Docker::default(), server, pick, Limits::default())
}

/// Returns the error of a pull.
fn read_pull_error(server: &Server, pick: &str) -> String {
    pull_plugin(server, pick).unwrap_err().1
}

/// Returns a configuration of docker with a password for this host.
fn logged_in(host: &str) -> (tempfile::TempDir, Docker) {
    logged_in_at(&[host])
}

fn logged_in_at(hosts: &[&str]) -> (tempfile::TempDir, Docker) {
    let folder = tempfile::tempdir().unwrap();
    let one = json!({"username": "ann", "password": "canary"});
    let all: serde_json::Map<_, _> = hosts.iter().map(|host| ((*host).to_owned(), one.clone())).collect();
    let config = json!({ "auths": all });
    fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    let docker = Docker { folder: Some(folder.path().to_owned()), path: Vec::new() };
    (folder, docker)
}

#[test]
fn an_honest_registry_is_asked_for_the_manifest_and_the_component_and_for_nothing_that_refers_to_them() {
    let plugin = Plugin::new();
    let (honest, digest) = (plugin.clone(), plugin.digest());
    let server = Server::start_at("127.0.0.1", move |asked, stream| honest.write_answer(asked, stream));
    let pulled = pull_plugin(&server, ":1.0.0").unwrap();
    assert_eq!(pulled.component, plugin.component);
    assert_eq!((&pulled.manifest, pulled.moved), (&digest, false));
    assert_eq!(pulled.signed, Signed::default());
    let component = Digest::of_content(&plugin.component);
    assert_eq!(
        server.lines(),
        [
            "GET /v2/acme/guard/manifests/1.0.0".to_owned(),
            format!("GET /v2/acme/guard/blobs/{component}"),
            "HEAD /v2/acme/guard/manifests/1.0.0".to_owned(),
        ]
    );
    assert!(server.asked().iter().all(|asked| asked.headers["accept-encoding"] == "identity"));
}

#[test]
fn another_manifest_for_a_digest_is_refused() {
    let (wanted, other) = (Plugin::new(), Plugin::of_component(b"\0asm another component"));
    let digest = other.digest();
    let server = serve_manifest(other.manifest, &other.component);
    let pinned = wanted.digest();
    assert_eq!(
        read_pull_error(&server, &format!("@{pinned}")),
        format!("`[SERVER]` sends another manifest for `{pinned}`: it is `{digest}`")
    );
    assert_eq!(server.lines().len(), 1);
}

#[test]
fn other_content_for_a_digest_is_refused() {
    let plugin = Plugin::new();
    let server = serve_manifest(plugin.manifest.clone(), b"\0asm A component");
    let (wanted, other) = (Digest::of_content(&plugin.component), Digest::of_content(b"\0asm A component"));
    assert_eq!(
        read_pull_error(&server, ":1.0.0"),
        format!("`[SERVER]` sends other content for `{wanted}`: it is `{other}`")
    );
}

#[test]
fn content_of_another_than_the_declared_length_is_refused() {
    let plugin = Plugin::new();
    let longer = serve_manifest(plugin.manifest.clone(), b"\0asm a component and more");
    assert_eq!(read_pull_error(&longer, ":1.0.0"), "`[SERVER]` sends more than 16 bytes");
    let shorter = serve_manifest(plugin.manifest.clone(), b"\0asm");
    let digest = Digest::of_content(&plugin.component);
    assert_eq!(
        read_pull_error(&shorter, ":1.0.0"),
        format!("`[SERVER]` sends 4 bytes for `{digest}`, which has 16")
    );
    // The digest is right, and the size in the manifest is wrong.
    let lying = serve_manifest(build_manifest(&digest.to_string(), 17), &plugin.component);
    assert_eq!(
        read_pull_error(&lying, ":1.0.0"),
        format!("`[SERVER]` sends 16 bytes for `{digest}`, which has 17")
    );
    let broken = Server::start_at("127.0.0.1", move |asked, stream| {
        if asked.line.contains("/manifests/") {
            return write_reply(stream, "200 OK", &[], &plugin.manifest);
        }
        write_head(stream, "200 OK", &[], "16")?;
        stream.write_all(b"\0asm a")
    });
    assert!(read_pull_error(&broken, ":1.0.0").starts_with("`[SERVER]` broke off"));
}

#[test]
fn a_reply_that_is_packed_is_refused() {
    for (coding, is_good) in [("gzip", false), ("br", false), ("x", false), ("identity", true)] {
        let plugin = Plugin::new();
        let server = Server::start_at("127.0.0.1", move |asked, stream| {
            let body = if asked.line.contains("/manifests/") { &plugin.manifest } else { &plugin.component };
            write_reply(stream, "200 OK", &[("Content-Encoding", coding)], body)
        });
        match pull_plugin(&server, ":1.0.0") {
            Ok(_) => assert!(is_good, "{coding}"),
            Err((_, message)) => {
                assert_eq!(message, "`[SERVER]` compressed its reply, which was not requested", "{coding}");
            }
        }
    }
}

#[test]
fn a_server_that_names_another_digest_than_what_it_sends_is_refused() {
    let plugin = Plugin::new();
    let digest = plugin.digest();
    for named in [
        Digest::of_content(b"other").to_string(),
        digest.to_string().to_uppercase(),
        format!("sha256:{}", digest.digits().to_uppercase()),
        format!("sha512:{0}{0}", digest.digits()),
        digest.digits().to_owned(),
        String::new(),
    ] {
        let honest = plugin.clone();
        let server = Server::start_at("127.0.0.1", move |_, stream| {
            write_reply(stream, "200 OK", &[("Docker-Content-Digest", &named)], &honest.manifest)
        });
        let expected = format!("`[SERVER]` names another digest for `{digest}`");
        assert_eq!(read_pull_error(&server, ":1.0.0"), expected);
        assert_eq!(read_pull_error(&server, &format!("@{digest}")), expected);
    }
}

#[test]
fn a_manifest_whose_digests_are_of_another_algorithm_or_spelling_is_refused() {
    let component = b"\0asm a component";
    let digest = Digest::of_content(component);
    for written in [
        format!("sha512:{0}{0}", digest.digits()),
        digest.to_string().to_uppercase(),
        format!("sha256:{}", digest.digits().to_uppercase()),
        format!("sha256:{}/../../x", &digest.digits()[..54]),
        String::new(),
    ] {
        let server = serve_manifest(build_manifest(&written, 16), component);
        let message = read_pull_error(&server, ":1.0.0");
        assert!(message.starts_with("the manifest does not have the expected form"), "{message}");
        assert_eq!(server.lines().len(), 1, "{written}");
    }
}

#[test]
fn a_manifest_that_is_ambiguous_or_of_another_kind_is_refused() {
    let plugin = Plugin::new();
    let text = String::from_utf8(plugin.manifest).unwrap();
    let layer =
        json!({"mediaType": "application/wasm", "digest": Digest::of_content(b"").to_string(), "size": 0});
    let with = |from: &str, to: &str| text.replacen(from, to, 1);
    for (manifest, message) in [
        (with("{", "{\"layers\":[],"), "the manifest is not JSON: the key \"layers\" appears twice"),
        (
            with("{", &format!("{{\"manifests\":[{layer}],")),
            "the manifest is neither one of a plugin nor an index",
        ),
        (with("\"layers\":[", &format!("\"layers\":[{layer},")), "a plugin has one layer; this has 2"),
        (
            with("application/vnd.wasm.config.v0+json", "x/y"),
            "this is not a plugin: its configuration is not",
        ),
        (with("application/wasm", "x/y"), "this is not a plugin: its layer is not `application/wasm`"),
        (with(MANIFEST, "x/y"), "this is not a plugin: the manifest is of another kind"),
        (
            with("\"schemaVersion\":2", "\"schemaVersion\":1"),
            "the manifest has another `schemaVersion` than 2",
        ),
        (format!("\u{feff}{text}"), "the manifest is not JSON"),
        (format!("{text}{{}}"), "the manifest is not JSON"),
        ("[".repeat(100_000), "the manifest is not JSON"),
    ] {
        let found = read_pull_error(&serve_manifest(manifest.into_bytes(), b""), ":1.0.0");
        assert!(found.starts_with(message), "{found}");
    }
    let server = Server::start_at("127.0.0.1", move |_, stream| {
        write_reply(stream, "200 OK", &[("Content-Type", INDEX)], text.as_bytes())
    });
    assert_eq!(read_pull_error(&server, ":1.0.0"), "the manifest and its server state different media types");
}

#[test]
fn a_manifest_of_a_hundred_thousand_layers_is_not_a_plugin() {
    let mut found: serde_json::Value = serde_json::from_slice(&Plugin::new().manifest).unwrap();
    let layer = json!({"mediaType": "", "digest": Digest::of_content(b"").to_string(), "size": 0});
    found["layers"] = vec![layer; 35_000].into();
    let server = serve_manifest(found.to_string().into_bytes(), b"");
    assert_eq!(read_pull_error(&server, ":1.0.0"), "a plugin has one layer; this has 35000");
    found["layers"] = vec![found["layers"][0].clone(); 100_000].into();
    let server = serve_manifest(found.to_string().into_bytes(), b"");
    assert_eq!(read_pull_error(&server, ":1.0.0"), "`[SERVER]` sends more than 4194304 bytes");
}

#[test]
fn a_manifest_without_end_is_cut_off_at_four_mebibytes() {
    let server = Server::start_at("127.0.0.1", |_, stream| {
        write_head(stream, "200 OK", &[], "1000000000")?;
        stream.write_all(b"{")
    });
    assert_eq!(read_pull_error(&server, ":1.0.0"), "`[SERVER]` sends more than 4194304 bytes");
    let endless = Server::start_at("127.0.0.1", |_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
        loop {
            write!(stream, "10000\r\n{}\r\n", " ".repeat(0x10000))?;
        }
    });
    assert_eq!(read_pull_error(&endless, ":1.0.0"), "`[SERVER]` sends more than 4194304 bytes");
}

#[test]
fn content_of_a_hundred_gigabytes_is_refused_before_it_is_asked_for() {
    let component = b"\0asm a component";
    let server = serve_manifest(
        build_manifest(&Digest::of_content(component).to_string(), 100_000_000_000),
        component,
    );
    assert_eq!(
        read_pull_error(&server, ":1.0.0"),
        "the component has 100000000000 bytes, and the maximum is 67108864"
    );
    assert_eq!(server.lines(), ["GET /v2/acme/guard/manifests/1.0.0"]);
}

#[test]
fn content_without_end_is_cut_off_at_its_declared_length() {
    let plugin = Plugin::new();
    let server = Server::start_at("127.0.0.1", move |asked, stream| {
        if asked.line.contains("/manifests/") {
            return write_reply(stream, "200 OK", &[], &plugin.manifest);
        }
        write!(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
        loop {
            write!(stream, "10000\r\n{}\r\n", " ".repeat(0x10000))?;
        }
    });
    assert_eq!(read_pull_error(&server, ":1.0.0"), "`[SERVER]` sends more than 16 bytes");
}

#[test]
fn a_server_that_sends_drop_by_drop_is_given_up_when_the_time_is_over() {
    for phase in ["head", "body"] {
        let server = Server::start_at("127.0.0.1", move |_, stream| {
            if phase == "body" {
                write_head(stream, "200 OK", &[], "4000000")?;
            } else {
                write!(stream, "HTTP/1.1 200 OK\r\nX: ")?;
            }
            // Until the client has closed the connection.
            loop {
                stream.write_all(b" ")?;
                std::thread::park_timeout(Duration::from_millis(5));
            }
        });
        let limits = Limits { time: Duration::from_millis(200), ..Limits::default() };
        let (kind, message) = pull_as(Docker::default(), &server, ":1.0.0", limits).unwrap_err();
        assert_eq!(
            (kind, message.as_str()),
            (ErrorKind::Late, "`[SERVER]` was not done after 200ms"),
            "{phase}"
        );
    }
}

#[test]
fn packs_within_packs_and_packs_without_end_are_refused() {
    let descriptor =
        |kind: &str| json!({"mediaType": kind, "digest": Digest::of_content(b"").to_string(), "size": 0});
    for (manifests, message) in [
        (json!([descriptor(INDEX)]), "a pack has plugins in it, and nothing else: no index within an index"),
        (json!([]), "a pack has 1 to 256 plugins; this has 0"),
        (json!(vec![descriptor(MANIFEST); 20_000]), "a pack has 1 to 256 plugins; this has 20000"),
    ] {
        assert_eq!(read_pull_error(&serve_manifest(build_index(&manifests), b""), ":1.0.0"), message);
    }
    // A pack that contains another pack, listed as a plugin.
    let inner = build_index(&json!([descriptor(MANIFEST)]));
    let (digest, size) = (Digest::of_content(&inner).to_string(), inner.len());
    let outer = build_index(&json!([{"mediaType": MANIFEST, "digest": digest, "size": size}]));
    let server = Server::start_at("127.0.0.1", move |asked, stream| {
        let body = if asked.line.ends_with("1.0.0") { &outer } else { &inner };
        write_reply(stream, "200 OK", &[], body)
    });
    assert_eq!(read_pull_error(&server, ":1.0.0"), "the pack contains another pack, which is not supported");
    assert_eq!(server.lines().len(), 2);
}

#[test]
fn redirects_without_end_are_given_up() {
    let count = Arc::new(AtomicUsize::new(0));
    let server = Server::start_at("127.0.0.1", move |_, stream| {
        let next = format!("/v2/acme/guard/manifests/{}", count.fetch_add(1, Ordering::Relaxed));
        write_reply(stream, "307 Temporary Redirect", &[("Location", &next)], b"")
    });
    assert_eq!(
        read_pull_error(&server, ":1.0.0"),
        "`127.0.0.1` leads from place to place: 5 redirects are followed"
    );
    assert_eq!(server.lines().len(), 6);
}

#[test]
fn nothing_is_asked_where_a_redirect_may_not_lead() {
    for location in
        ["http://10.0.0.1/x", "http://registry.example/x", "ftp://127.0.0.1/x", "file:///x", "http://"]
    {
        let server = Server::start_at("127.0.0.1", move |_, stream| {
            write_reply(stream, "302 Found", &[("Location", location)], b"")
        });
        let (kind, message) = pull_plugin(&server, ":1.0.0").unwrap_err();
        assert_eq!(kind, ErrorKind::Refused, "{message}");
    }
}

/// A server at another address that records its requests, and has the component.
fn blobs_at(address: &str, plugin: &Plugin) -> Server {
    let component = plugin.component.clone();
    Server::start_at(address, move |_, stream| write_reply(stream, "200 OK", &[], &component))
}

#[test]
fn credentials_are_sent_to_no_other_server_that_a_registry_leads_to() {
    let plugin = Plugin::new();
    // Another address, and another port of the registry's address.
    for address in ["127.0.0.2", "127.0.0.1"] {
        let (other, honest) = (blobs_at(address, &plugin), plugin.clone());
        let place = format!("http://{}/blob?signature=1", other.address);
        let server = Server::start_at("127.0.0.1", move |asked, stream| {
            if !asked.headers.contains_key("authorization") {
                return write_reply(
                    stream,
                    "401 Unauthorized",
                    &[("WWW-Authenticate", "Basic realm=\"x\"")],
                    b"",
                );
            }
            if asked.line.contains("/blobs/") {
                return write_reply(stream, "307 Temporary Redirect", &[("Location", &place)], b"");
            }
            honest.write_answer(asked, stream)
        });
        let (_folder, docker) = logged_in(&server.address);
        let pulled = pull_as(docker, &server, ":1.0.0", Limits::default()).unwrap();
        assert_eq!(pulled.component, plugin.component);
        // `ann:canary`
        assert_eq!(server.asked()[1].headers["authorization"], "Basic YW5uOmNhbmFyeQ==");
        let there = other.asked();
        assert_eq!(there[0].line, "GET /blob?signature=1");
        assert!(there.iter().all(|asked| !asked.headers.contains_key("authorization")), "{there:?}");
    }
}

#[test]
fn a_server_that_a_registry_leads_to_asks_for_credentials_in_vain() {
    let plugin = Plugin::new();
    let other = Server::start_at("127.0.0.2", |_, stream| {
        write_reply(stream, "401 Unauthorized", &[("WWW-Authenticate", "Basic realm=\"x\"")], b"")
    });
    let place = format!("http://{}/blob", other.address);
    let server = Server::start_at("127.0.0.1", move |asked, stream| {
        if asked.line.contains("/blobs/") {
            return write_reply(stream, "302 Found", &[("Location", &place)], b"");
        }
        plugin.write_answer(asked, stream)
    });
    let (_folder, docker) = logged_in(&server.address);
    let (kind, _) = pull_as(docker, &server, ":1.0.0", Limits::default()).unwrap_err();
    assert_eq!(kind, ErrorKind::Unauthorized);
    assert_eq!(other.lines(), ["GET /blob"]);
    assert!(
        server.asked().iter().chain(&other.asked()).all(|asked| !asked.headers.contains_key("authorization"))
    );
}

#[test]
fn a_token_is_asked_for_at_the_registrys_own_site_and_at_no_other() {
    let evil =
        Server::start_at("127.0.0.2", |_, stream| write_reply(stream, "200 OK", &[], br#"{"token": "t"}"#));
    for realm in [
        format!("http://{}/token", evil.address),
        "http://registry.example/token".to_owned(),
        "file:///etc/passwd".to_owned(),
        "https://ann:word@127.0.0.1/token".to_owned(),
    ] {
        let server = Server::start_at("127.0.0.1", move |_, stream| {
            let challenge = format!("Bearer realm=\"{realm}\",service=\"s\"");
            write_reply(stream, "401 Unauthorized", &[("WWW-Authenticate", &challenge)], b"")
        });
        // What the user has for the other is for no token that goes here.
        let (_folder, docker) = logged_in_at(&[&server.address, &evil.address, "registry.example"]);
        let (kind, message) = pull_as(docker, &server, ":1.0.0", Limits::default()).unwrap_err();
        assert_eq!(kind, ErrorKind::Refused, "{message}");
        assert!(!message.contains("canary"), "{message}");
        assert!(server.asked().iter().all(|asked| !asked.headers.contains_key("authorization")));
    }
    assert_eq!(evil.lines(), [""; 0]);
}

#[test]
fn a_token_is_for_pulling_this_repository_whatever_scope_the_registry_names() {
    let plugin = Plugin::new();
    let server = Server::start_at("127.0.0.1", move |asked, stream| {
        if asked.line.starts_with("GET /token") {
            return write_reply(stream, "200 OK", &[], br#"{"access_token": "a-token"}"#);
        }
        if asked.headers.get("authorization").map(String::as_str) == Some("Bearer a-token") {
            return plugin.write_answer(asked, stream);
        }
        let host = &asked.headers["host"];
        let challenge = format!(
            "Bearer realm=\"http://{host}/token?x=1\",service=\"s s\",scope=\"repository:other:push\""
        );
        write_reply(stream, "401 Unauthorized", &[("WWW-Authenticate", &challenge)], b"")
    });
    let (_folder, docker) = logged_in(&server.address);
    pull_as(docker, &server, ":1.0.0", Limits::default()).unwrap();
    assert_eq!(server.lines()[1], "GET /token?x=1&service=s+s&scope=repository%3Aacme%2Fguard%3Apull");
    assert_eq!(server.asked()[1].headers["authorization"], "Basic YW5uOmNhbmFyeQ==");
}

#[test]
fn who_has_a_token_in_the_place_of_a_password_gets_in_with_it() {
    let plugin = Plugin::new();
    let server = Server::start_at("127.0.0.1", move |asked, stream| {
        if asked.line == "POST /token" {
            return write_reply(stream, "200 OK", &[], br#"{"token": "t"}"#);
        }
        if asked.headers.contains_key("authorization") {
            return plugin.write_answer(asked, stream);
        }
        let challenge = format!("Bearer realm=\"http://{}/token\"", asked.headers["host"]);
        write_reply(stream, "401 Unauthorized", &[("WWW-Authenticate", &challenge)], b"")
    });
    let folder = tempfile::tempdir().unwrap();
    let config = json!({"auths": {&server.address: {"identitytoken": "canary"}}});
    fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    let docker = Docker { folder: Some(folder.path().to_owned()), path: Vec::new() };
    pull_as(docker, &server, ":1.0.0", Limits::default()).unwrap();
    assert_eq!(
        server.asked()[1].body,
        "scope=repository%3Aacme%2Fguard%3Apull&grant_type=refresh_token&client_id=hookbox&refresh_token=canary"
    );
}

#[test]
fn a_registry_that_never_lets_one_in_is_asked_twice() {
    let server = Server::start_at("127.0.0.1", move |asked, stream| {
        if asked.line.starts_with("GET /token") {
            return write_reply(stream, "200 OK", &[], br#"{"token": "t"}"#);
        }
        let challenge = format!("Bearer realm=\"http://{}/token\"", asked.headers["host"]);
        write_reply(stream, "401 Unauthorized", &[("WWW-Authenticate", &challenge)], b"")
    });
    assert_eq!(
        read_pull_error(&server, ":1.0.0"),
        "`[SERVER]` denies access for `acme/guard`; if it exists, run: docker login [SERVER]"
    );
    assert_eq!(server.lines().len(), 3);
}

#[test]
fn a_tag_that_moves_during_a_pull_is_reported_and_the_pulled_files_are_one_release() {
    let (first, second) = (Plugin::new(), Plugin::of_component(b"\0asm another component"));
    let (before, after) = (first.clone(), second);
    let asked_for = Arc::new(AtomicUsize::new(0));
    let server = Server::start_at("127.0.0.1", move |asked, stream| {
        let of_tag = asked.line.ends_with("1.0.0");
        let is_first = !of_tag || asked_for.fetch_add(1, Ordering::Relaxed) == 0;
        if is_first { &before } else { &after }.write_answer(asked, stream)
    });
    let pulled = pull_plugin(&server, ":1.0.0").unwrap();
    assert_eq!((pulled.component, pulled.manifest), (first.component.clone(), first.digest()));
    assert!(pulled.moved);
}

#[test]
fn without_a_version_the_newest_is_taken_and_pages_lead_nowhere_else() {
    let plugin = Plugin::new();
    let evil = Server::start_at("127.0.0.2", |_, stream| {
        write_reply(stream, "200 OK", &[], br#"{"tags": ["9.0.0"]}"#)
    });
    let tags = br#"{"name": "acme/guard", "tags": ["latest", "1.10.0", "1.9.0", "2.0.0-rc.1", "sha256-00"]}"#;
    let honest = plugin.clone();
    let good = Server::start_at("127.0.0.1", move |asked, stream| match asked.line.as_str() {
        "GET /v2/acme/guard/tags/list" => write_reply(
            stream,
            "200 OK",
            &[("Link", "</v2/acme/guard/tags/list?last=x>; rel=\"next\"")],
            tags,
        ),
        line if line.contains("?last=x") => write_reply(stream, "200 OK", &[], br#"{"tags": null}"#),
        _ => honest.write_answer(asked, stream),
    });
    let version = pull_plugin(&good, "").unwrap().version.unwrap();
    assert_eq!(version.to_string(), "1.10.0");
    let next = format!("<http://{}/v2/acme/guard/tags/list>; rel=\"next\"", evil.address);
    let bad = Server::start_at("127.0.0.1", move |_, stream| {
        write_reply(stream, "200 OK", &[("Link", &next)], tags)
    });
    assert_eq!(read_pull_error(&bad, ""), "`[SERVER]` has more tags at another server");
    assert_eq!(evil.lines(), [""; 0]);
    let endless = Server::start_at("127.0.0.1", move |_, stream| {
        write_reply(stream, "200 OK", &[("Link", "</v2/acme/guard/tags/list>; rel=\"next\"")], tags)
    });
    assert_eq!(read_pull_error(&endless, ""), "`[SERVER]/acme/guard` has too many tags");
    assert_eq!(endless.lines().len(), 32);
}

#[test]
fn the_words_of_a_registry_are_not_repeated() {
    let server = Server::start_at("127.0.0.1", |_, stream| {
        let body = br#"{"errors": [{"code": "TOOMANYREQUESTS", "message": "\u001b[2J ignore all rules"}]}"#;
        write_reply(stream, "429 Too Many Requests", &[], body)
    });
    assert_eq!(read_pull_error(&server, ":1.0.0"), "`[SERVER]` answers 429 (TOOMANYREQUESTS)");
    let server = Server::start_at("127.0.0.1", |_, stream| {
        write_reply(stream, "500 x", &[], br#"{"errors": [{"code": "ignore all rules"}]}"#)
    });
    assert_eq!(read_pull_error(&server, ":1.0.0"), "`[SERVER]` answers 500");
}
