//! Requests that are not sent.

use super::*;

/// Returns a listener that no request may reach.
fn start_canary() -> Server {
    Server::with_answer("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
}

#[test]
fn a_request_without_a_rule_is_refused_with_the_line_that_would_permit_it() {
    let server = start_canary();
    block_on(async {
        let mut guest = Guest::new(&["https://api.example.com/v1"], &[]);
        let (message, report) =
            guest.send_refused(build_request("POST", &server.url("/x?token=canary"), &[], "")).await;
        assert_eq!(message, "HTTP request denied");
        let url = server.url("/x");
        assert_eq!(
            report,
            format!(
                "http POST {url}: no rule of `grant.http` covers it; to permit it, write `grant = {{ http = [\"POST {url}\"] \
                 }}` into the hook's entry"
            )
        );
        assert_eq!(guest.sent(), 0);
    });
    assert_eq!(server.received(), Vec::<String>::new());
}

/// Catalogue N1.
#[test]
fn no_spelling_of_an_address_gets_by_a_rule_for_names() {
    let server = start_canary();
    let port = server.port();
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "127.0.0.1.",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::]",
        "0.0.0.0",
        "0",
        "169.254.169.254",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "localhost",
        "localhost.",
        "LOCALHOST",
        "a.example@127.0.0.1",
        "a.example:80@127.0.0.1",
        "%31%32%37.0.0.1",
    ] {
        block_on(async {
            let rules = [format!("http://*.example.com:{port}"), format!("http://a.example:{port}")];
            let rules: Vec<_> = rules.iter().map(String::as_str).collect();
            let mut guest =
                Guest::with_resolver(&make_grants(&rules, &[]), &[], Answers::new(&[&["127.0.0.1"]]));
            let uri: Result<hyper::Uri, _> = format!("http://{host}:{port}/").parse();
            // `wasi:http` itself refuses an invalid address.
            let Ok(uri) = uri else { return };
            let (message, report) = guest.send_refused(build_get_request(&uri.to_string())).await;
            assert_eq!(message, "HTTP request denied", "{host}");
            assert_eq!((report.lines().count(), guest.sent()), (1, 0), "{host}: {report}");
        });
    }
    assert_eq!(server.received(), Vec::<String>::new());
}

/// These addresses, behind a name that a rule covers.
#[test]
fn a_name_may_not_lead_to_an_address_that_is_not_public() {
    let server = start_canary();
    let rule = format!("http://a.example:{}", server.port());
    for address in [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "0.0.0.0",
        "169.254.169.254",
        "10.0.0.1",
        "64:ff9b::7f00:1",
        "fe80::1",
    ] {
        block_on(async {
            let answers = Answers::new(&[&[address]]);
            let mut guest = Guest::with_resolver(&make_grants(&[&rule], &[]), &[], answers);
            let (message, report) = guest.send_refused(build_get_request(&format!("{rule}/latest"))).await;
            assert_eq!(message, "destination IP address is prohibited");
            let canonical = address.parse::<IpAddr>().unwrap().to_canonical();
            assert_eq!(
                report,
                format!(
                    "http GET {rule}/latest: the address {address} is not public; to permit it, write `grant = {{ addresses = \
                     [\"{canonical}\"] }}` into the hook's entry"
                )
            );
        });
    }
    assert_eq!(server.received(), Vec::<String>::new());
}

/// A service that listens on all addresses of this machine is reached by its public ones, too.
#[test]
fn a_name_may_not_lead_to_a_public_address_of_this_machine() {
    let server = start_canary();
    let rule = format!("http://a.example:{}", server.port());
    block_on(async {
        let answers = Answers::new(&[&["1.1.1.1", "127.0.0.1"]]);
        let mut guest = Guest::with_resolver(&make_grants(&[&rule], &[]), &[], answers);
        guest.http.hooks.servers.is_near = |address| address == IpAddr::from([1, 1, 1, 1]);
        let (message, report) = guest.send_refused(build_get_request(&format!("{rule}/latest"))).await;
        assert_eq!(message, "destination IP address is prohibited");
        assert_eq!(
            report,
            format!(
                "http GET {rule}/latest: the address 1.1.1.1 is one of this machine or its networks; to permit it, write `grant = {{ \
                 addresses = [\"1.1.1.1\"] }}` into the hook's entry"
            )
        );
        assert_eq!(guest.sent(), 0);
    });
    // A connection without a request would be an empty text.
    assert_eq!(server.received(), Vec::<String>::new());
}

#[test]
fn an_address_of_this_machine_is_found_by_the_machine_itself() {
    let is_near = Servers::default().is_near;
    for (address, near) in [("127.0.0.1", true), ("192.0.2.1", false)] {
        assert_eq!(is_near(address.parse().unwrap()), near, "{address}");
    }
}

/// Catalogue N2: the address that was checked is the one that is connected to, and the next request is checked again.
#[test]
fn a_name_that_changes_its_address_between_requests_is_checked_each_time() {
    let server = start_canary();
    block_on(async {
        let answers = Answers::new(&[&["127.0.0.1"], &["127.0.0.2"], &["127.0.0.1"]]);
        let rule = format!("http://a.example:{}", server.port());
        let mut guest = Guest::with_resolver(&make_grants(&[&rule], &["127.0.0.1"]), &[], answers);
        let url = format!("{rule}/");
        guest.send_request(build_get_request(&url)).await.unwrap();
        assert_eq!(
            guest.send_refused(build_get_request(&url)).await.0,
            "destination IP address is prohibited"
        );
        guest.send_request(build_get_request(&url)).await.unwrap();
    });
    assert_eq!(server.received().len(), 2);
}

#[test]
fn of_several_addresses_only_those_that_were_checked_are_connected_to() {
    let server = start_canary();
    block_on(async {
        // The first is not granted: a connection to it would succeed.
        let answers = Answers::new(&[&["127.0.0.1", "::1", "127.0.0.3"]]);
        let rule = format!("http://a.example:{}", server.port());
        let mut guest = Guest::with_resolver(&make_grants(&[&rule], &["127.0.0.3"]), &[], answers);
        let error = guest.send_request(build_get_request(&format!("{rule}/"))).await.unwrap_err();
        assert!(matches!(error, Error::Connect(_)), "{error:?}");
    });
    assert_eq!(server.received(), Vec::<String>::new());
}

#[test]
fn a_name_without_an_address_and_an_unresolvable_name_have_different_errors() {
    block_on(async {
        let mut guest = Guest::new(&["https://a.example"], &[]);
        assert_eq!(
            guest.send_refused(build_get_request("https://a.example/")).await.0,
            "destination not found"
        );
        let unknown = Answers::new(&[]);
        let mut guest = Guest::with_resolver(&make_grants(&["https://a.example"], &[]), &[], unknown);
        assert_eq!(guest.send_refused(build_get_request("https://a.example/")).await.0, "DNS error");
    });
}

#[test]
fn a_password_in_an_address_is_refused_and_not_repeated() {
    block_on(async {
        let mut guest = Guest::new(&["https://a.example"], &[]);
        let (_, report) = guest.send_refused(build_get_request("https://u:canary@a.example/x?canary")).await;
        assert_eq!(report, "http GET https://a.example/x: it holds a user name or a password");
    });
}

#[test]
fn connect_is_never_sent_whatever_the_rule() {
    let server = start_canary();
    block_on(async {
        let mut guest = Guest::new(&[&format!("* {}", server.url("/"))], &[]);
        for method in ["CONNECT", "TRACE", "connect", "Trace"] {
            assert_eq!(
                guest.send_refused(build_request(method, &server.url("/"), &[], "")).await.0,
                "HTTP request denied"
            );
        }
    });
    assert_eq!(server.received(), Vec::<String>::new());
}
