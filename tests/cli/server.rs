//! A server on this machine that treats its callers as a test wants.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::mpsc::{Receiver, channel},
    thread,
};

/// A server that serves until the test ends.
pub(crate) struct Server {
    pub(crate) port: u16,
    /// The requests, as they were sent.
    pub(crate) requests: Receiver<String>,
}

impl Server {
    /// Calls `treat` with every connection whose request has arrived.
    pub(crate) fn new(treat: impl Fn(&mut TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, requests) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                // The test may be over.
                let _ = sender.send(read_request(&mut stream));
                treat(&mut stream);
            }
        });
        Self { port, requests }
    }

    /// Sends the same text to everyone.
    pub(crate) fn start_with_answer(text: &str) -> Self {
        let text = text.to_owned();
        Self::new(move |stream| drop(stream.write_all(text.as_bytes())))
    }

    /// A gate called `web` that calls it before every tool call.
    pub(crate) fn create_gate(&self, keys: &str) -> String {
        let webhook = format!("webhook = {{ url = \"http://127.0.0.1:{}/secret-path\" }}", self.port);
        format!("[[hook]]\nname = \"web\"\non = \"tool.before\"\n{webhook}\n{keys}\n")
    }
}

/// Reads until the caller closes the connection.
pub(crate) fn wait_for_end(stream: &mut TcpStream) {
    while stream.read(&mut [0; 1024]).is_ok_and(|read| read > 0) {}
}

fn read_request(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() > 0 {
        text.push(byte[0]);
    }
    let head = String::from_utf8(text).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}
