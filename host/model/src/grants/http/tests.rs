use super::*;

fn parse_rule(text: &str) -> HttpRule {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `METHOD scheme://host:port/path`, canonical.
fn parse_target(text: &str) -> HttpTarget {
    let (method, rest) = text.split_once(' ').unwrap();
    let (scheme, rest) = rest.split_once("://").unwrap();
    let (server, path) = rest.split_at(rest.find('/').unwrap());
    let scheme = HttpScheme::named(scheme).unwrap();
    let (host, port) = host::split_port(server).unwrap();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse();
    HttpTarget {
        method: method.to_owned(),
        scheme,
        host: address.map_or_else(|_| HttpHost::Name(host.to_owned()), HttpHost::Address),
        port: port.map_or(scheme.port(), |port| port.parse().unwrap()),
        path: path.to_owned(),
    }
}

#[test]
fn a_rule_covers_its_own_requests_and_no_others() {
    for (text, covered, others) in [
        (
            "https://api.example.com/v1",
            &[
                "GET https://api.example.com/v1",
                "GET https://api.example.com/v1/",
                "GET https://api.example.com/v1/x",
            ][..],
            &[
                "POST https://api.example.com/v1",
                "GET http://api.example.com/v1",
                "GET https://api.example.com:8443/v1",
                "GET https://example.com/v1",
                "GET https://x.api.example.com/v1",
                "GET https://api.example.com/",
                "GET https://api.example.com/v10",
                "GET https://api.example.com/V1",
                "GET https://api.example.com/v1/../x",
                "GET https://api.example.com/v1/%2e%2e/x",
                "GET https://api.example.com/v1/%2E./x",
                "GET https://api.example.com/v1/..;a/x",
                "GET https://api.example.com/v1/a%2F..%2f..%2Fx",
                "GET https://api.example.com/v1/..%5cx",
                "GET https://api.example.com/v1/..\\x",
                "GET https://api.example.com/v1//x",
                "GET https://api.example.com/v1/%252e%252e/x",
            ][..],
        ),
        (
            "https://a.example/v1/",
            &["GET https://a.example/v1/", "GET https://a.example/v1/x"],
            &["GET https://a.example/v1", "GET https://a.example/v1//"],
        ),
        (
            "GET,POST https://*.example.com:8443",
            &["POST https://a.example.com:8443/", "GET https://a.b.example.com:8443/x//y/%2F"],
            &[
                "PUT https://a.example.com:8443/",
                "GET https://example.com:8443/",
                "GET https://.example.com:8443/",
                "GET https://aexample.com:8443/",
                "GET https://a.example.com/",
                "GET https://a.example.com.evil.test:8443/",
                "GET https://127.0.0.1:8443/",
            ],
        ),
        (
            "* http://127.0.0.1:80/",
            &["DELETE http://127.0.0.1/", "X-ANY http://127.0.0.1/"],
            &[
                "CONNECT http://127.0.0.1/",
                "TRACE http://127.0.0.1/",
                "connect http://127.0.0.1/",
                "Trace http://127.0.0.1/",
                "GET http://127.0.0.2/",
                "GET http://localhost/",
            ],
        ),
        ("http://[fd00::1]", &["GET http://[fd00::1]/"], &["GET http://[fd00::2]/", "GET http://fd00/"]),
        ("https://A.Example", &["GET https://a.example/"], &["get https://a.example/"]),
    ] {
        let rule = parse_rule(text);
        for request in covered {
            assert!(rule.covers(&parse_target(request)), "{text} is for {request}");
        }
        for request in others {
            assert!(!rule.covers(&parse_target(request)), "{text} is not for {request}");
        }
    }
}

#[test]
fn a_rule_is_shown_as_it_is_read() {
    for (text, shown) in [
        ("https://a.example", "https://a.example/"),
        ("GET https://a.example:443/", "https://a.example/"),
        ("http://a.example:443/x", "http://a.example:443/x"),
        ("* https://*.Example.com/v1/", "* https://*.example.com/v1/"),
        ("POST,PUT http://[::1]:8080/a", "POST,PUT http://[::1]:8080/a"),
    ] {
        assert_eq!(parse_rule(text).to_string(), shown);
        assert_eq!(parse_rule(shown), parse_rule(text));
    }
    assert_eq!(HttpRule::of_any_method("https://a.example").unwrap().to_string(), "* https://a.example/");
}

#[test]
fn the_rule_of_a_request_covers_it() {
    for request in ["GET https://a.example/v1", "POST http://127.0.0.1:8080/a/../b", "PUT https://[2606::1]/"]
    {
        let target = parse_target(request);
        let text = HttpRule::from_target(&target).to_string();
        assert!(parse_rule(&text).covers(&target), "{text}");
    }
}

#[test]
fn an_invalid_rule_is_refused_with_the_cause() {
    const SPACE: &str =
        "it holds a space that does not belong there: one stands behind the methods, and no other";
    for (text, expected) in [
        ("", "it has no scheme: write https://HOST/PATH"),
        ("a.example", "it has no scheme: write https://HOST/PATH"),
        ("ftp://a.example", "its scheme is neither `https` nor `http`"),
        ("//a.example", "it has no scheme: write https://HOST/PATH"),
        ("a.example:443", "it has no scheme: write https://HOST/PATH"),
        ("GET a.example", "it has no scheme: write https://HOST/PATH"),
        ("wss://a.example", "its scheme is neither `https` nor `http`"),
        ("HTTPS://a.example", "its scheme is in capitals: write it in small letters"),
        ("GET Http://a.example", "its scheme is in capitals: write it in small letters"),
        ("https://", "it has no host: write https://HOST/PATH"),
        ("https:///x", "it has no host: write https://HOST/PATH"),
        ("https://:443/x", "it has no host: write https://HOST/PATH"),
        (" https://a.example", SPACE),
        ("https://a.example ", SPACE),
        ("https://a.example /x", SPACE),
        ("https://a.example/x y", SPACE),
        ("GET  https://a.example", SPACE),
        ("GET https://a.example ", SPACE),
        ("GET\thttps://a.example", SPACE),
        ("https://a.example\n", SPACE),
        (
            "get https://a.example",
            "its methods must be capitals with commas between, as `GET,POST`, and then one space",
        ),
        (
            "GET, POST https://a.example",
            "its methods must be capitals with commas between, as `GET,POST`, and then one space",
        ),
        ("CONNECT https://a.example", "CONNECT and TRACE are never sent"),
        ("https://a.example/a?b", "it holds a query or a fragment: a rule ends with its path"),
        ("https://a.example?b", "it holds a query or a fragment: a rule ends with its path"),
        ("https://a.example:443?b=/", "it holds a query or a fragment: a rule ends with its path"),
        ("https://a.example#b", "it holds a query or a fragment: a rule ends with its path"),
        ("https://a.example/a#b", "it holds a query or a fragment: a rule ends with its path"),
        ("https://a.example/a/*", "its path holds a `*`: a path stands for all below it"),
        (
            "https://a.example/%61",
            "its path holds a `%`: a rule ends before the first segment with an escape",
        ),
        (
            "https://a.example\\b",
            "its path holds a character that it cannot: letters, digits and -._~!$&'()+,=:@ it can",
        ),
        (
            "https://a.example/ä",
            "its path holds a character that it cannot: letters, digits and -._~!$&'()+,=:@ it can",
        ),
        ("https://a.example/..", "its path holds an empty segment, `.` or `..`"),
        ("https://a.example/a/../b", "its path holds an empty segment, `.` or `..`"),
        ("https://a.example//b", "its path holds an empty segment, `.` or `..`"),
    ] {
        assert_eq!(text.parse::<HttpRule>(), Err(GrantError(expected)), "{text}");
    }
}

#[test]
fn an_invalid_host_or_port_is_refused_with_the_cause() {
    const USER: &str = "it holds a user name: name the server alone, and send credentials by `grant.secret`";
    for (text, expected) in [
        ("https://*", "a `*` stands for whole labels at the beginning of the host only, as `*.example.com`"),
        ("https://*.com", "behind `*.` there must be a name of two or more labels, as `*.example.com`"),
        (
            "https://a*.example.com",
            "a `*` stands for whole labels at the beginning of the host only, as `*.example.com`",
        ),
        (
            "https://*.*.example.com",
            "a `*` stands for whole labels at the beginning of the host only, as `*.example.com`",
        ),
        ("https://u@a.example", USER),
        ("https://u:p@a.example/", USER),
        ("https://u:80@127.0.0.1:8080/", USER),
        ("https://u:p@[::1]/", USER),
        ("https://@a.example", USER),
        ("https://bücher.example", "its host holds letters beyond ASCII: write its `xn--` form"),
        ("https://a..example", "its host is neither a name nor an address (IPv6 stands in brackets)"),
        ("https://a.example.", "its host ends in a dot: leave that out"),
        ("https://a.example.:443/", "its host ends in a dot: leave that out"),
        (
            "https://a.*.example",
            "a `*` stands for whole labels at the beginning of the host only, as `*.example.com`",
        ),
        (
            "https://*:8443/",
            "a `*` stands for whole labels at the beginning of the host only, as `*.example.com`",
        ),
        (
            "https://127.1",
            "its host is not a name, since it ends in a number: an IPv4 address has four numbers, such as 127.0.0.1",
        ),
        (
            "https://0x7f.1",
            "its host is not a name, since it ends in a number: an IPv4 address has four numbers, such as 127.0.0.1",
        ),
        (
            "https://2130706433",
            "its host is not a name, since it ends in a number: an IPv4 address has four numbers, such as 127.0.0.1",
        ),
        ("https://::1/", "an IPv6 address stands in brackets, as https://[::1]/"),
        ("https://[::1", "an IPv6 address stands in brackets, as https://[::1]/"),
        ("https://[fe80::1%1]", "the text in the brackets is not an IPv6 address"),
        ("https://[::ffff:127.0.0.1]", "it is an IPv4 address within an IPv6 one: write the IPv4 address"),
        ("https://a.example:0", "its port is not a number from 1 to 65535"),
        ("https://a.example:", "the port after the `:` is missing"),
        ("https://https:/a.example", "the port after the `:` is missing"),
        ("https://a.example:70000", "its port is not a number from 1 to 65535"),
        ("https://a.example:http", "its port is not a number from 1 to 65535"),
        ("https://a.example:*", "its port is not a number from 1 to 65535"),
        ("https://a.example:65536", "its port is not a number from 1 to 65535"),
        ("https://a.example:+1", "its port is not a number from 1 to 65535"),
    ] {
        assert_eq!(text.parse::<HttpRule>(), Err(GrantError(expected)), "{text}");
    }
}
