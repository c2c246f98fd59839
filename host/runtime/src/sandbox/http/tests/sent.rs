//! Requests that are sent, and how they look on the wire.

use super::*;

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";

#[test]
fn an_allowed_request_arrives_as_it_was_made_under_the_hosts_own_host_header() {
    let server = Server::with_answer(OK);
    block_on(async {
        let mut guest = Guest::new(&[&format!("POST {}", server.url("/v1"))], &[]);
        let request = build_request("POST", &server.url("/v1/x?a=b%20c"), &[("x-mine", "1")], "body");
        let answer = guest.send_request(request).await.unwrap();
        assert_eq!((answer.status, answer.body.unwrap()), (StatusCode::OK, Bytes::from("hi")));
        assert_eq!((guest.sent(), guest.refusals()), (1, vec![]));
    });
    assert_eq!(
        server.received(),
        [format!(
            "POST /v1/x?a=b%20c HTTP/1.1\r\nx-mine: 1\r\nhost: {}\r\nconnection: close\r\ncontent-length: 4\r\n\r\nbody",
            server.address
        )]
    );
}

#[test]
fn the_first_line_never_holds_an_address_and_headers_of_the_connection_are_the_hosts() {
    let server = Server::with_answer(OK);
    block_on(async {
        let mut guest = Guest::new(&[&server.url("")], &[]);
        let forged = [
            ("host", "evil.test"),
            ("connection", "upgrade"),
            ("upgrade", "websocket"),
            ("transfer-encoding", "chunked"),
            ("proxy-authorization", "Basic x"),
            ("te", "trailers"),
            ("trailer", "host"),
            ("expect", "100-continue"),
        ];
        guest.send_request(build_request("GET", &server.url("/a"), &forged, "")).await.unwrap();
        for (name, _) in forged {
            assert!((guest.http.hooks.forbidden_header_filter())(&name.parse().unwrap()), "{name}");
        }
    });
    let expected = format!("GET /a HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.address);
    assert_eq!(server.received(), [expected]);
}

#[test]
fn a_redirect_is_the_guests_to_read_and_is_not_followed() {
    for location in ["http://127.0.0.1:9/", "file:///etc/passwd", "https://other.example/"] {
        let answer = format!("HTTP/1.1 301 Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        let server = Server::with_answer(answer.leak());
        block_on(async {
            let mut guest = Guest::new(&[&server.url("")], &[]);
            let answer = guest.send_request(build_get_request(&server.url("/"))).await.unwrap();
            assert_eq!(
                (answer.status.as_u16(), &answer.headers["location"]),
                (301, &location.parse().unwrap())
            );
        });
        assert_eq!(server.received().len(), 1);
    }
}

#[test]
fn a_connection_uses_the_resolved_address_and_the_request_names_the_host() {
    let server = Server::with_answer(OK);
    let url = format!("http://Api.Example.:{}/", server.port());
    let rule = format!("http://api.example:{}", server.port());
    block_on(async {
        let answers = Answers::new(&[&["127.0.0.1"]]);
        let grants = make_grants(&[&rule], &["127.0.0.1"]);
        let mut guest = Guest::with_resolver(&grants, &[], answers);
        guest.send_request(build_get_request(&url)).await.unwrap();
    });
    let host = format!("host: api.example:{}\r\n", server.port());
    assert!(server.received()[0].contains(&host), "{:?}", server.received());
}

#[test]
fn the_next_address_is_tried_when_one_does_not_answer() {
    let server = Server::with_answer(OK);
    block_on(async {
        let answers = Answers::new(&[&["127.0.0.2", "127.0.0.1"]]);
        let grants = make_grants(&[&format!("http://a.example:{}", server.port())], &["127.0.0.0/8"]);
        let mut guest = Guest::with_resolver(&grants, &[], answers);
        guest.send_request(build_get_request(&format!("http://a.example:{}/", server.port()))).await.unwrap();
    });
    assert_eq!(server.received().len(), 1);
}

/// Returns a listener on the server's port at another address, which accepts no connections: they are established and
/// stay silent.
fn silent_beside(server: &Server) -> (tokio::net::TcpListener, Vec<std::net::TcpStream>) {
    let silent = tokio::net::TcpSocket::new_v4().unwrap();
    silent.bind(format!("127.0.0.2:{}", server.port()).parse().unwrap()).unwrap();
    let silent = silent.listen(0).unwrap();
    let (address, short) = (silent.local_addr().unwrap(), Duration::from_millis(100));
    // Connects until the backlog is full.
    let waiting =
        std::iter::from_fn(|| std::net::TcpStream::connect_timeout(&address, short).ok()).take(1000);
    let waiting: Vec<_> = waiting.collect();
    assert!(waiting.len() < 1000);
    (silent, waiting)
}

#[test]
fn the_next_address_is_tried_while_the_first_one_is_silent() {
    let server = Server::with_answer(OK);
    block_on(async {
        let _silent = silent_beside(&server);
        let answers = Answers::new(&[&["127.0.0.2", "127.0.0.1"]]);
        let url = format!("http://a.example:{}", server.port());
        let mut guest = Guest::with_resolver(&make_grants(&[&url], &["127.0.0.0/8"]), &[], answers);
        guest.send_request(build_get_request(&url)).await.unwrap();
    });
    assert_eq!(server.received().len(), 1);
}
