//! Secrets in headers.

use super::*;

/// Returns a guest with the secret `api`, whose grants permit the server's address.
fn make_guest(to: &str, value: Option<&str>, server: &Server) -> Guest {
    let grants = Grants { secrets: vec![make_secret(to)], ..make_grants(&[&server.url("")], &[]) };
    let variables: Vec<_> = value.map(|value| ("API_TOKEN", value)).into_iter().collect();
    Guest::with_resolver(&grants, &variables, Answers::new(&[&[]]))
}

fn with_header(server: &Server, value: &str) -> Request<WasiBody> {
    build_request("GET", &server.url("/"), &[("authorization", value)], "")
}

#[test]
fn a_secret_arrives_at_its_server_and_is_taken_out_of_what_comes_back() {
    let server =
        Server::with_answer("HTTP/1.1 200 OK\r\nx-echo: Bearer canary-1!\r\ncontent-length: 0\r\n\r\n");
    block_on(async {
        let mut guest = make_guest(&server.url("/"), Some("canary-1"), &server);
        let answer = guest.send_request(with_header(&server, "Bearer ${secret:api}")).await.unwrap();
        assert_eq!(answer.headers["x-echo"], "Bearer [redacted]!");
        assert_eq!(guest.http.redact_text("it said canary-1"), "it said [redacted]");
    });
    assert!(server.received()[0].contains("authorization: Bearer canary-1\r\n"), "{:?}", server.received());
}

#[test]
fn a_secret_that_may_not_be_sent_keeps_the_request_from_being_sent() {
    let server = Server::with_answer("");
    let url = server.url("/");
    for (to, value, header, expected) in [
        (
            "https://other.example/",
            Some("canary-1"),
            "${secret:api}",
            format!(
                "the secret `api` may not go there; to permit it, write `grant = {{ secret = {{ api = {{ env = \"API_TOKEN\", \
                 to = [\"{url}\"] }} }} }}` into the hook's entry"
            ),
        ),
        (
            &url,
            Some("canary-1"),
            "a ${secret:other}",
            format!(
                "there is no secret `other`; to permit it, write `grant = {{ secret = {{ other = {{ env = \"…\", to = \
                 [\"{url}\"] }} }} }}` into the hook's entry"
            ),
        ),
        (
            &url,
            None,
            "${secret:api}",
            "the secret `api` needs the variable `API_TOKEN`, which is not set".to_owned(),
        ),
        (
            &url,
            Some(""),
            "${secret:api}",
            "the secret `api` needs the variable `API_TOKEN`, which is not set".to_owned(),
        ),
        (
            &url,
            Some("canary-1\r\nx: y"),
            "${secret:api}",
            "a value holds a line break or another control character".to_owned(),
        ),
        (
            &url,
            Some("canary-1"),
            "${secret:api",
            "`${secret:` must be followed by a secret's name and `}`".to_owned(),
        ),
    ] {
        block_on(async {
            let mut guest = make_guest(to, value, &server);
            let (message, report) = guest.send_refused(with_header(&server, header)).await;
            assert_eq!(message, "HTTP request denied");
            assert_eq!(report, format!("secret GET {url}: {expected}"));
        });
    }
    assert_eq!(server.received(), Vec::<String>::new());
}

#[test]
fn a_secret_is_not_looked_into_and_stands_in_headers_only() {
    let server = Server::with_answer("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    block_on(async {
        let mut guest = make_guest(&server.url("/"), Some("${secret:api}"), &server);
        guest.send_request(with_header(&server, "${secret:api}")).await.unwrap();
    });
    assert!(server.received()[0].contains("authorization: ${secret:api}\r\n"));
}

#[test]
fn a_secret_leaves_this_machine_by_https_only() {
    block_on(async {
        let grants = Grants {
            secrets: vec![make_secret("http://a.example/")],
            ..make_grants(&["http://a.example"], &[])
        };
        let answers = Answers::new(&[&["1.1.1.1"]]);
        let mut guest = Guest::with_resolver(&grants, &[("API_TOKEN", "canary-1")], answers);
        let request = build_request("GET", "http://a.example/", &[("x", "${secret:api}")], "");
        let (message, report) = guest.send_refused(request).await;
        assert_eq!(message, "HTTP request denied");
        assert_eq!(report, "secret GET http://a.example/: a secret leaves this machine by https only");
    });
}
