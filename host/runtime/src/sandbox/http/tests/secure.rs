//! Requests with TLS.

use std::{
    io::{Read, Write},
    net::TcpListener,
    thread::{self, JoinHandle},
};

use rustls::{
    ServerConfig, ServerConnection,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer},
};

use super::*;

/// Starts a server for one connection that has a certificate for `a.example`. Returns its port, the certificate, and
/// the result: the name that the client requested, and whether a request arrived.
fn start_server() -> (u16, CertificateDer<'static>, JoinHandle<(Option<String>, bool)>) {
    let made = rcgen::generate_simple_self_signed(["a.example".to_owned()]).unwrap();
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let received = thread::spawn(move || {
        let mut connection = ServerConnection::new(Arc::new(config)).unwrap();
        let mut socket = listener.accept().unwrap().0;
        let mut stream = rustls::Stream::new(&mut connection, &mut socket);
        let asked = stream.read(&mut [0; 1024]).is_ok_and(|size| size > 0);
        if asked {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
        }
        (connection.server_name().map(str::to_owned), asked)
    });
    (port, certificate, received)
}

/// Sends a request to the server under this name, trusting this certificate.
fn send_to(name: &str, port: u16, trusted: Option<CertificateDer<'static>>) -> Result<Answer, Error> {
    let rule = format!("https://{name}:{port}");
    let (grants, answers) = (make_grants(&[&rule], &["127.0.0.1"]), Answers::new(&[&["127.0.0.1"]]));
    let mut guest = Guest::with_trust(trust_only(trusted), &grants, &[], answers);
    block_on(guest.send_request(build_get_request(&format!("{rule}/"))))
}

#[test]
fn a_certificate_must_be_for_the_name_that_was_asked_for_and_vouched_for() {
    let (port, certificate, received) = start_server();
    assert_eq!(send_to("a.example", port, Some(certificate)).unwrap().status, StatusCode::OK);
    assert_eq!(received.join().unwrap(), (Some("a.example".to_owned()), true));

    let (port, certificate, received) = start_server();
    assert!(matches!(send_to("b.example", port, Some(certificate)), Err(Error::Tls(_))));
    assert!(!received.join().unwrap().1);

    let (port, _, received) = start_server();
    assert!(matches!(send_to("a.example", port, None), Err(Error::Tls(_))));
    assert!(!received.join().unwrap().1);
}
