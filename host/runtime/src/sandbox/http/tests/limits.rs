//! Limits of requests and responses.

use std::{
    io::{Read, Write},
    sync::mpsc,
};

use super::{super::caps, *};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

#[test]
fn one_call_sends_so_many_requests_and_no_more() {
    let server = Server::with_answer(OK);
    block_on(async {
        let mut guest = Guest::new(&[&server.url("")], &[]);
        for _ in 0..caps::REQUESTS {
            guest.send_request(build_get_request(&server.url("/"))).await.unwrap();
        }
        let (message, report) = guest.send_refused(build_get_request(&server.url("/"))).await;
        assert_eq!(message, "connection limit reached");
        assert_eq!(report, format!("http GET {}: one call may send 16 requests", server.url("/")));
        assert_eq!(guest.sent(), caps::REQUESTS);
    });
    assert_eq!(server.received().len(), 16);
}

#[test]
fn concurrent_requests_of_a_guest_are_limited() {
    let server = Server::with_answer(OK);
    block_on(async {
        let mut guest = Guest::new(&[&server.url("")], &[]);
        let mut open = Vec::new();
        for _ in 0..caps::MAX_CONCURRENT_REQUESTS {
            open.push(
                guest.open(build_get_request(&server.url("/")), RequestOptions::default()).await.unwrap(),
            );
        }
        let (message, report) = guest.send_refused(build_get_request(&server.url("/"))).await;
        assert_eq!(message, "connection limit reached");
        assert!(report.ends_with("4 requests may run concurrently: drop a response before the next request"));
        open.pop();
        guest.send_request(build_get_request(&server.url("/"))).await.unwrap();
    });
}

#[test]
fn a_body_without_end_is_cut_off_and_the_next_one_too() {
    let server = Server::with_handler(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(&[b'a'; 1 << 14]).is_ok() {}
    });
    block_on(async {
        let mut guest = Guest::new(&[&server.url("")], &[]);
        for _ in 0..2 {
            let error =
                guest.send_request(build_get_request(&server.url("/"))).await.unwrap().body.unwrap_err();
            assert_eq!(error.to_string(), "HTTP response body size exceeds limit: 4194304 bytes");
        }
    });
}

#[test]
fn headers_without_end_are_cut_off() {
    let server = Server::with_handler(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nx: ");
        while stream.write_all(&[b'a'; 1 << 12]).is_ok() {}
    });
    block_on(async {
        let error = Guest::new(&[&server.url("")], &[])
            .send_request(build_get_request(&server.url("/")))
            .await
            .unwrap_err();
        assert!(matches!(error, Error::Hyper(_)), "{error:?}");
    });
}

#[test]
fn a_request_body_that_is_too_long_is_not_sent_to_its_end() {
    let server = Server::with_answer(OK);
    block_on(async {
        let mut guest = Guest::new(&[&format!("POST {}", server.url(""))], &[]);
        let body = "a".repeat(usize::try_from(caps::REQUEST_BODY).unwrap() + 1);
        assert!(guest.send_request(build_request("POST", &server.url("/"), &[], &body)).await.is_err());
    });
    assert!(server.received().iter().all(|sent| !sent.ends_with('a')));
}

#[test]
fn a_path_that_is_too_long_is_refused() {
    block_on(async {
        let mut guest = Guest::new(&["https://a.example"], &[]);
        let long = format!("https://a.example/?{}", "a".repeat(caps::PATH));
        assert_eq!(guest.send_refused(build_get_request(&long)).await.0, "HTTP request URI too long");
    });
}

/// The first never answers, the second stops within its body: the server waits until the connection is closed.
#[test]
fn a_request_without_an_answer_ends_at_the_guests_timeout() {
    let wait = |stream: &mut std::net::TcpStream| drop(stream.read(&mut [0]));
    let silent = Server::with_handler(wait);
    let stops = Server::with_handler(move |stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nhalf");
        wait(stream);
    });
    let rules = [silent.url(""), stops.url("")];
    let rules: Vec<_> = rules.iter().map(String::as_str).collect();
    let short = Some(Duration::from_millis(500));
    let none = RequestOptions::default();
    let first = RequestOptions { first_byte_timeout: short, ..none };
    let between = RequestOptions { between_bytes_timeout: short, ..none };
    block_on(async {
        let mut guest = Guest::new(&rules, &[]);
        let error = guest.send_within(build_get_request(&silent.url("/")), first).await.unwrap_err();
        assert_eq!(error.to_string(), "HTTP response timeout");
        let error =
            guest.send_within(build_get_request(&stops.url("/")), between).await.unwrap().body.unwrap_err();
        assert_eq!(error.to_string(), "HTTP response timeout");
    });
}

#[test]
fn what_the_guest_drops_is_closed() {
    let (closed, was_closed) = mpsc::channel();
    let server = Server::with_handler(move |stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nhalf");
        let _ = closed.send(stream.read(&mut [0]).map_err(|error| error.kind()));
    });
    block_on(async {
        let mut guest = Guest::new(&[&server.url("")], &[]);
        drop(guest.open(build_get_request(&server.url("/")), RequestOptions::default()).await.unwrap());
        drop(guest);
        assert!(matches!(was_closed.recv().unwrap(), Ok(0) | Err(std::io::ErrorKind::ConnectionReset)));
    });
}
