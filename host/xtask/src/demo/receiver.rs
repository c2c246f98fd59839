//! The server that the demo's webhook talks to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use anyhow::Result;

/// Answers every request on a loopback port with "no content".
pub(super) struct Receiver {
    address: String,
}

impl Receiver {
    pub(super) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A request that breaks off is hookbox's to report.
                let _ = serve_request(stream);
            }
        });
        Ok(Self { address })
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }
}

fn serve_request(stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line.trim().is_empty() {
            break;
        }
    }
    reader.by_ref().take(length).read_to_end(&mut Vec::new())?;
    // Without `close`, hookbox could keep the connection, and the next one would wait for this thread.
    reader.get_mut().write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
}
