//! A server that records received requests, byte for byte.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// A server on a loopback address. The data of a connection is recorded when the peer has closed it or the answer was
/// sent.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    received: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Sends this answer to every request, and closes.
    pub(crate) fn with_answer(answer: &'static str) -> Self {
        Self::with_handler(move |stream| drop(stream.write_all(answer.as_bytes())))
    }

    /// Calls `serve` on every connection when the head of the request and the announced length of its body have
    /// arrived.
    pub(crate) fn with_handler(serve: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        let serve = Arc::new(serve);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, kept, serve) = (stream.unwrap(), Arc::clone(&kept), Arc::clone(&serve));
                thread::spawn(move || {
                    let request = read_request(&mut stream);
                    kept.lock().unwrap().push(request);
                    serve(&mut stream);
                });
            }
        });
        Self { address, received }
    }

    /// Returns `http://127.0.0.1:PORT` with this path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the requests so far.
    pub(crate) fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }
}

fn read_request(stream: &mut TcpStream) -> String {
    let mut read = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let chunked_ends = !head.contains("transfer-encoding") || body.ends_with("0\r\n\r\n");
            if chunked_ends && body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => return text,
            Ok(size) => read.extend_from_slice(&piece[..size]),
        }
    }
}
