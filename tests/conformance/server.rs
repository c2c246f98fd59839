//! A server on this machine that hooks of a case send their requests to. It gives each the same response.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    thread::{self, JoinHandle},
};

use serde_json::Value;

/// A running server.
pub(crate) struct Server {
    address: String,
    /// Ends when somebody connects and says nothing.
    thread: JoinHandle<Vec<Request>>,
}

/// What it was sent.
pub(crate) struct Request {
    /// `POST /path`, then the headers, a line each.
    head: Vec<String>,
    body: String,
}

impl Server {
    /// `response` is `response.http` of the case: the status, headers, an empty line, the body. Nothing at all is a server
    /// that does not answer.
    pub(crate) fn start_with_response(response: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let response = on_the_wire(response);
        Self { address, thread: thread::spawn(move || serve_requests(&listener, &response)) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Ends it: the requests that it got.
    pub(crate) fn stop(self) -> Vec<Request> {
        drop(TcpStream::connect(&self.address).unwrap());
        self.thread.join().unwrap()
    }
}

impl Request {
    /// Is it what `request.http` of the case says? Each line of its head is there, and the body is the same JSON.
    pub(crate) fn matches_request(&self, wanted: &str) -> bool {
        let (head, body) = wanted.split_once("\n\n").unwrap();
        let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        head.lines().all(|line| self.head.iter().any(|there| there == line)) && json(body) == json(&self.body)
    }

    pub(crate) fn text(&self) -> String {
        format!("{}\n\n{}", self.head.join("\n"), self.body)
    }

    fn read_request(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let lines = reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty());
        let head: Vec<_> = lines.map(|line| without_version(&line)).collect();
        let length = head.iter().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        reader.read_exact(&mut body).unwrap();
        (!head.is_empty()).then(|| Self { head, body: String::from_utf8(body).unwrap() })
    }
}

/// Connections stay open until the end, so that one without a response waits for it.
fn serve_requests(listener: &TcpListener, response: &str) -> Vec<Request> {
    let (mut requests, mut open) = (Vec::new(), Vec::new());
    loop {
        let (mut stream, _) = listener.accept().unwrap();
        let Some(request) = Request::read_request(&stream) else { return requests };
        requests.push(request);
        stream.write_all(response.as_bytes()).unwrap();
        open.push(stream);
    }
}

fn on_the_wire(response: &str) -> String {
    if response.is_empty() {
        return String::new();
    }
    let (head, body) = response.split_once("\n\n").unwrap_or((response, ""));
    let head = head.lines().collect::<Vec<_>>().join("\r\n");
    format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

fn without_version(line: &str) -> String {
    line.strip_suffix(" HTTP/1.1").unwrap_or(line).to_owned()
}
