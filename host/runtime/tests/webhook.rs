//! HTTP requests as hooks, against servers that misbehave.
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use crate::handlers::{Bed, block_on, format_reply};
use hookbox::{
    agents::native::NativeContract,
    handler::webhook::{HeaderProblem, WebhookHandler, WebhookSpecError},
    hook::{WebhookMethod, WebhookSpec},
    interfaces::{Environment, Handler},
    model::{HandlerKind, Limit},
};

/// A server on a thread that treats all connections alike, with the requests that it received.
struct Server {
    port: u16,
    requests: mpsc::Receiver<String>,
}

impl Server {
    fn new(treat: impl Fn(&mut TcpStream, &str) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, requests) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read_request(&mut stream);
                sender.send(request.clone()).unwrap();
                treat(&mut stream, &request);
            }
        });
        Self { port, requests }
    }

    fn with_answer(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(move |stream, _| {
            let _ = stream.write_all(text.as_bytes());
        })
    }

    fn spec(&self) -> WebhookSpec {
        make_spec(&format!("http://127.0.0.1:{}/secret-path?key=secret-query", self.port))
    }

    /// Returns the result of one call.
    fn call_handler(&self) -> String {
        let result = format_reply(&Bed::new().call_handler(&make_handler(self.spec())));
        result.replace(&format!(":{}", self.port), ":PORT")
    }
}

fn read_request(stream: &mut impl std::io::Read) -> String {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    while !request.ends_with("\r\n\r\n") && reader.read_line(&mut request).is_ok_and(|read| read > 0) {}
    let length = request.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    let _ = reader.read_exact(&mut body);
    request + str::from_utf8(&body).unwrap()
}

fn ok_response(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

fn make_spec(url: &str) -> WebhookSpec {
    WebhookSpec {
        url: url.to_owned(),
        method: WebhookMethod::Post,
        headers: Vec::new(),
        env: Vec::new(),
        sign: None,
    }
}

fn with_header(mut spec: WebhookSpec, value: &str) -> WebhookSpec {
    spec.headers.push(("Authorization".to_owned(), value.to_owned()));
    spec.env.push("TOKEN".to_owned());
    spec
}

fn make_environment() -> Environment {
    Environment::from_iter([("TOKEN", "secret-token"), ("OTHER", "secret-other")])
}

fn make_handler(spec: WebhookSpec) -> WebhookHandler {
    WebhookHandler::new(spec, &make_environment(), &NativeContract).unwrap()
}

#[test]
fn the_event_is_posted_as_json_and_the_answer_is_read() {
    let server = Server::with_answer(ok_response(r#"{"context":"seen"}"#));
    let hook = make_handler(with_header(server.spec(), "Bearer ${TOKEN}"));
    assert_eq!(hook.kind(), HandlerKind::Webhook);
    assert_eq!(format_reply(&Bed::new().call_handler(&hook)), r#"context Some("seen")"#);
    let request = server.requests.recv().unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<_> = head.lines().collect();
    lines.retain(|line| !line.starts_with("content-length: "));
    lines.sort_unstable();
    let expected = [
        "POST /secret-path?key=secret-query HTTP/1.1".to_owned(),
        "accept: application/json".to_owned(),
        "authorization: Bearer secret-token".to_owned(),
        "content-type: application/json".to_owned(),
        format!("host: 127.0.0.1:{}", server.port),
        format!("user-agent: hookbox/{}", env!("CARGO_PKG_VERSION")),
    ];
    assert_eq!(lines, expected);
    assert!(body.starts_with('{') && body.contains("tool.before"), "{body}");
}

#[test]
fn a_signed_request_states_its_sender_and_time() {
    let server = Server::with_answer(ok_response(""));
    let sign = Some("OTHER".to_owned());
    let hook = WebhookSpec { sign, ..server.spec() };
    let environment = Environment::from_iter([("OTHER", "secret-other-long")]);
    let hook = WebhookHandler::new(hook, &environment, &NativeContract).unwrap();
    assert_eq!(format_reply(&Bed::new().call_handler(&hook)), "no opinion");
    let request = server.requests.recv().unwrap();
    let header = |name: &str| request.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
    assert!(header("webhook-id: msg_").len() == 32);
    assert!(header("webhook-timestamp: ").parse::<u64>().unwrap() > 1_700_000_000);
    assert!(header("webhook-signature: v1,").len() == 44);
    assert!(!request.contains("secret-other"));
}

#[test]
fn put_is_sent_when_asked_for() {
    let server = Server::with_answer(ok_response(""));
    let hook = make_handler(WebhookSpec { method: WebhookMethod::Put, ..server.spec() });
    assert_eq!(format_reply(&Bed::new().call_handler(&hook)), "no opinion");
    assert!(server.requests.recv().unwrap().starts_with("PUT /"));
}

#[test]
fn the_status_and_the_body_decide() {
    for (response, expected) in [
        (ok_response(""), "no opinion"),
        (ok_response(" \n"), "no opinion"),
        ("HTTP/1.1 204 No Content\r\n\r\n".to_owned(), "no opinion"),
        (
            ok_response("<h1>hello</h1>"),
            r#"bad-output: the server http://127.0.0.1:PORT answered "<h1>hello</h1>", which is not a JSON object"#,
        ),
        (
            "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 2\r\n\r\n{}".to_owned(),
            "http-status: the server http://127.0.0.1:PORT answered 500 Internal Server Error",
        ),
        (
            "HTTP/1.1 304 Not Modified\r\n\r\n".to_owned(),
            "http-status: the server http://127.0.0.1:PORT answered 304 Not Modified",
        ),
    ] {
        assert_eq!(Server::with_answer(response).call_handler(), expected);
    }
    let result = Server::with_answer(ok_response(r#"{"verdict":"#)).call_handler();
    let expected = "bad-output: the server http://127.0.0.1:PORT was not understood: ";
    assert!(result.starts_with(expected), "{result}");
}

#[test]
fn a_redirect_is_not_followed_and_only_its_host_is_shown() {
    let elsewhere = Server::with_answer(ok_response(""));
    let port = elsewhere.port;
    let server = Server::with_answer(format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:{port}/secret-place\r\ncontent-length: 0\r\n\r\n"
    ));
    assert_eq!(
        server.call_handler(),
        "http-status: the server http://127.0.0.1:PORT answered 307 Temporary Redirect, a redirect to `127.0.0.1`, \
         which is not followed: configure the final address"
    );
    assert!(elsewhere.requests.try_recv().is_err());
}

#[test]
fn a_server_that_is_not_there_is_a_failure_to_connect() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let hook =
        make_handler(with_header(make_spec(&format!("http://localhost:{port}/secret-path")), "${TOKEN}"));
    assert_eq!(
        format_reply(&Bed::new().call_handler(&hook)),
        format!(
            "connect: the server http://localhost:{port} cannot be reached: Connection refused (os error 111)"
        )
    );
}

#[test]
fn a_server_that_hangs_up_or_does_not_speak_http_has_its_own_error() {
    let garbage = Server::with_answer("\u{1b}[31mwhat?\r\n\r\n").call_handler();
    let expected = "bad-output: the server http://127.0.0.1:PORT did not answer in HTTP: ";
    assert!(garbage.starts_with(expected), "{garbage}");
    let silent = Server::with_answer("").call_handler();
    assert!(silent.contains(": the server http://127.0.0.1:PORT "), "{silent}");
    let cut = Server::with_answer("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}").call_handler();
    assert!(cut.contains(": the server http://127.0.0.1:PORT "), "{cut}");
}

#[test]
fn a_body_may_be_as_long_as_the_limit_and_not_a_byte_longer() {
    let mut bed = Bed::new();
    bed.limits = bed.limits.with_limit(Limit::Output, 1024).unwrap();
    let enough = Server::with_answer(ok_response(&" ".repeat(1024)));
    assert_eq!(format_reply(&bed.call_handler(&make_handler(enough.spec()))), "no opinion");
    let endless = Server::new(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(&[b' '; 1000]).is_ok() {}
    });
    for server in [Server::with_answer(ok_response(&" ".repeat(1025))), endless] {
        assert_eq!(
            format_reply(&bed.call_handler(&make_handler(server.spec()))),
            format!(
                "output: the server http://127.0.0.1:{} answered with more than 1024 bytes (the limit `output`)",
                server.port
            )
        );
    }
}

#[test]
fn compressed_bodies_are_neither_asked_for_nor_unpacked() {
    let server =
        Server::with_answer("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}");
    assert_eq!(server.call_handler(), "no opinion");
    assert!(!server.requests.recv().unwrap().contains("accept-encoding"));
}

#[test]
fn too_many_headers_are_refused() {
    let headers = "x-a: y\r\n".repeat(100_000);
    let result = Server::with_answer(format!("HTTP/1.1 200 OK\r\n{headers}\r\n{{}}")).call_handler();
    assert!(result.contains(": the server http://127.0.0.1:PORT "), "{result}");
}

#[test]
fn a_header_of_a_megabyte_is_refused() {
    let result = Server::with_answer(format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n{{}}", "y".repeat(1 << 20)))
        .call_handler();
    assert!(result.starts_with("bad-output: the server http://127.0.0.1:PORT "), "{result}");
}

#[test]
fn json_that_is_a_bomb_is_not_understood() {
    let keys = (0..50_000).map(|at| format!("\"k{at}\":0")).collect::<Vec<_>>().join(",");
    for body in
        [format!("{{\"x\":{}", "[".repeat(500_000)), "[".repeat(1 << 20), format!("{{{keys},\"k0\":0}}")]
    {
        let result = Server::with_answer(ok_response(&body)).call_handler();
        assert!(result.starts_with("bad-output: the server http://127.0.0.1:PORT "), "{result:.200}");
    }
}

#[test]
fn a_request_is_sent_once_even_when_its_open_connection_ends_under_it() {
    let server = Server::new(|stream, _| {
        let _ = stream.write_all(ok_response("").as_bytes());
        read_request(stream);
    });
    let (bed, hook) = (Bed::new(), make_handler(server.spec()));
    block_on(async {
        assert_eq!(format_reply(&hook.call(bed.call()).await), "no opinion");
        assert!(hook.call(bed.call()).await.result.is_err());
    });
    assert_eq!(server.requests.try_iter().count(), 1, "the server is called on a second connection");
}

/// Drops a call once the server has its request, and expects the server to see the connection close.
fn closes_when_dropped(treat: impl Fn(&mut TcpStream) + Send + 'static) {
    let (sender, closed) = mpsc::channel();
    let server = Server::new(move |stream, _| {
        treat(stream);
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        sender.send(()).unwrap();
    });
    let (bed, hook) = (Bed::new(), make_handler(server.spec()));
    let wait_for = async |receiver: &dyn Fn() -> bool| {
        let deadline = Instant::now() + Duration::from_mins(1);
        while !receiver() {
            assert!(Instant::now() < deadline, "never");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    block_on(async {
        let asked = || server.requests.try_recv().is_ok();
        let asked = Box::pin(wait_for(&asked));
        let first = futures_util::future::select(hook.call(bed.call()), asked).await;
        assert!(matches!(first, futures_util::future::Either::Right(_)));
        drop(first);
        wait_for(&|| closed.try_recv().is_ok()).await;
    });
}

#[test]
fn dropping_a_call_closes_the_connection_to_a_server_that_hangs() {
    closes_when_dropped(|_| {});
}

#[test]
fn dropping_a_call_closes_the_connection_to_a_server_that_drips() {
    closes_when_dropped(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n ");
        while stream.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

#[test]
fn dropping_a_call_closes_the_connection_to_a_server_that_drips_its_headers() {
    closes_when_dropped(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nx: ");
        while stream.write_all(b"y").is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

#[test]
fn dropping_a_call_closes_the_connection_to_a_server_that_never_greets() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, greeting) = tokio::sync::oneshot::channel();
    let server = thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        stream.read_exact(&mut [0; 1]).unwrap();
        sender.send(()).unwrap();
        // Ends, possibly with an error, once the other side is gone.
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let (bed, hook) = (Bed::new(), make_handler(make_spec(&format!("https://localhost:{port}/"))));
    block_on(async {
        let first = futures_util::future::select(hook.call(bed.call()), greeting).await;
        assert!(matches!(first, futures_util::future::Either::Right(_)));
    });
    server.join().unwrap();
}

#[test]
fn a_variable_must_be_listed_before_a_header_may_use_it() {
    let mut spec = with_header(make_spec("https://hooks.example/secret-path"), "Bearer ${OTHER}");
    let error = WebhookHandler::new(spec.clone(), &make_environment(), &NativeContract).unwrap_err();
    let problem = HeaderProblem::NotListed("OTHER".to_owned());
    assert_eq!(error, WebhookSpecError::Header { header: "Authorization".to_owned(), problem });
    assert_eq!(
        error.to_string(),
        r#"header "Authorization": the variable `OTHER` is not listed: add env = ["OTHER"] if this server may have it"#
    );
    spec.env.push("OTHER".to_owned());
    assert!(WebhookHandler::new(spec, &make_environment(), &NativeContract).is_ok());
}

#[test]
fn a_listed_variable_that_is_not_set_fails_the_call_and_nothing_is_sent() {
    let server = Server::with_answer(ok_response(""));
    let spec = with_header(server.spec(), "Bearer ${TOKEN}");
    let hook = WebhookHandler::new(spec, &Environment::default(), &NativeContract).unwrap();
    assert_eq!(
        format_reply(&Bed::new().call_handler(&hook)),
        "refused: header `Authorization` needs the variable `TOKEN`, which is not set: set it before the agent starts"
    );
    assert!(server.requests.try_recv().is_err());
}

#[test]
fn an_address_that_may_not_be_called_is_an_error() {
    let refused =
        |url: &str| WebhookHandler::new(make_spec(url), &make_environment(), &NativeContract).unwrap_err();
    assert_eq!(refused("http://hooks.example/"), WebhookSpecError::PlainHttp("hooks.example".to_owned()));
    assert_eq!(refused("https://user:secret@hooks.example/"), WebhookSpecError::Credentials);
    assert!(matches!(refused("unix:/run/secret"), WebhookSpecError::BadUrl(_)));
}

#[test]
fn no_secret_is_in_any_debug_or_failure() {
    let echo = Server::new(|stream, request| {
        let body = format!("you sent {}", request.split("authorization: ").nth(1).unwrap());
        let _ = stream.write_all(ok_response(&body).as_bytes());
    });
    let redirect =
        Server::with_answer("HTTP/1.1 302 Found\r\nlocation: https://secret-token/secret-place\r\n\r\n");
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let specs = [
        echo.spec(),
        redirect.spec(),
        make_spec(&format!("http://127.0.0.1:{gone}/secret-path?key=secret-query")),
    ];
    for spec in specs {
        let mut spec = with_header(spec, "Bearer ${TOKEN}");
        spec.headers.push(("X-Literal".to_owned(), "secret-literal".to_owned()));
        let hook = make_handler(spec.clone());
        let reply = Bed::new().call_handler(&hook);
        assert!(reply.result.is_err());
        let shown = format!(
            "{spec:?} {spec:#?} {hook:?} {hook:#?} {reply:?} {:?} {}",
            make_environment(),
            format_reply(&reply)
        );
        assert!(shown.contains("TOKEN") && !shown.contains("secret"), "{shown}");
    }
}

#[test]
fn a_certificate_from_an_unknown_authority_is_refused() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config =
        rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let mut connection = rustls::ServerConnection::new(Arc::new(config)).unwrap();
        let mut stream = listener.accept().unwrap().0;
        rustls::Stream::new(&mut connection, &mut stream).read(&mut [0; 1]).is_err()
    });
    let result = format_reply(
        &Bed::new().call_handler(&make_handler(make_spec(&format!("https://localhost:{port}/secret-path")))),
    );
    let expected =
        format!("connect: the server https://localhost:{port} cannot be reached: invalid peer certificate: ");
    assert!(result.starts_with(&expected), "{result}");
    assert!(server.join().unwrap());
}

#[test]
fn a_second_call_uses_the_open_connection_and_a_runtime_of_its_own_opens_another() {
    let server = Server::new(|stream, _| {
        let _ = stream.write_all(ok_response("").as_bytes());
        let _ = read_request(stream);
        let _ = stream.write_all(ok_response(r#"{"context":"same connection"}"#).as_bytes());
    });
    let (bed, hook) = (Bed::new(), make_handler(server.spec()));
    block_on(async {
        assert_eq!(format_reply(&hook.call(bed.call()).await), "no opinion");
        assert_eq!(format_reply(&hook.call(bed.call()).await), r#"context Some("same connection")"#);
    });
    assert_eq!(format_reply(&bed.call_handler(&hook)), "no opinion");
}

#[test]
fn a_connection_stays_open_after_every_kind_of_body() {
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    for response in [ok_response("{}"), chunked.to_owned(), "HTTP/1.1 204 No Content\r\n\r\n".to_owned()] {
        let server = Server::new(move |stream, _| {
            let _ = stream.write_all(response.as_bytes());
            let _ = read_request(stream);
            let _ = stream.write_all(ok_response(r#"{"context":"same connection"}"#).as_bytes());
        });
        let (bed, hook) = (Bed::new(), make_handler(server.spec()));
        block_on(async {
            assert_eq!(format_reply(&hook.call(bed.call()).await), "no opinion");
            assert_eq!(format_reply(&hook.call(bed.call()).await), r#"context Some("same connection")"#);
        });
    }
}

#[test]
fn a_connection_that_its_server_has_closed_meanwhile_is_not_used_again() {
    let (close, answered) = mpsc::channel();
    let (sender, closed) = mpsc::channel();
    let server = Server::new(move |stream, _| {
        let _ = stream.write_all(ok_response("").as_bytes());
        answered.recv().unwrap();
        stream.shutdown(Shutdown::Both).unwrap();
        sender.send(()).unwrap();
    });
    let (bed, hook) = (Bed::new(), make_handler(server.spec()));
    block_on(async {
        for _ in 0..3 {
            assert_eq!(format_reply(&hook.call(bed.call()).await), "no opinion");
            close.send(()).unwrap();
            closed.recv().unwrap();
        }
    });
    assert_eq!(server.requests.try_iter().count(), 3);
}

#[test]
fn an_unrequested_answer_is_not_used_for_the_next_event() {
    let (say, asked) = mpsc::channel::<()>();
    let (sender, receiver) = mpsc::channel();
    let (is_first, open) = (AtomicBool::new(true), Mutex::new(Vec::new()));
    let server = Server::new(move |stream, _| {
        if !is_first.swap(false, Ordering::Relaxed) {
            let _ = stream.write_all(ok_response(r#"{"context":"fresh"}"#).as_bytes());
            return;
        }
        let _ = stream.write_all(ok_response("").as_bytes());
        asked.recv().unwrap();
        let _ = stream.write_all(ok_response(r#"{"context":"stale"}"#).as_bytes());
        // Keeps the connection open, so that its end is not what is noticed.
        open.lock().unwrap().push(stream.try_clone().unwrap());
        sender.send(()).unwrap();
    });
    let (bed, hook) = (Bed::new(), make_handler(server.spec()));
    let second = block_on(async {
        assert_eq!(format_reply(&hook.call(bed.call()).await), "no opinion");
        say.send(()).unwrap();
        receiver.recv().unwrap();
        // A second future keeps waking the call's task, so that it goes on before the runtime looks at the connection.
        let mut call = hook.call(bed.call());
        std::future::poll_fn(|context| {
            context.waker().wake_by_ref();
            call.as_mut().poll(context)
        })
        .await
    });
    assert!(format_reply(&second).contains("fresh"), "{}", format_reply(&second));
}
