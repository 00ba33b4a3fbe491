//! As much of an HTTP client as the test needs: one connection, kept open.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// What a client waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    Move,
    Search,
    Other,
}

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
}

/// The head of an answer.
struct Head {
    status: u16,
    length: Option<usize>,
    is_chunked: bool,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Connection { stream: BufReader::new(stream), host: address.to_string() }
    }

    /// Asks, and gives the JSON of the answer; nothing where it has none.
    pub(crate) async fn json(&mut self, method: &str, path: &str, body: Option<Value>, status: u16) -> Value {
        let text = self.ask(method, path, body, status).await;
        if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() }
    }

    /// Lets a program search, to the end.
    pub(crate) async fn search(&mut self, path: &str, body: &Value) {
        let text = self.ask("POST", path, Some(body.clone()), 200).await;
        assert!(text.contains("event: decided") && text.contains("event: end"), "{text}");
        assert!(!text.contains("event: error"), "{text}");
    }

    async fn ask(&mut self, method: &str, path: &str, body: Option<Value>, status: u16) -> String {
        let body = body.map_or_else(String::new, |body| body.to_string());
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let (host, length) = (&self.host, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\n{kind}content-length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes()).await.unwrap();
        let head = self.head().await;
        let bytes = match head {
            Head { is_chunked: true, .. } => self.chunks().await,
            Head { length, .. } => self.exactly(length.unwrap_or(0)).await,
        };
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(head.status, status, "{method} {path}: {text}");
        text
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).await.unwrap();
        line.trim_end().to_owned()
    }

    async fn head(&mut self) -> Head {
        let status = self.line().await;
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let mut head = Head { status, length: None, is_chunked: false };
        loop {
            let line = self.line().await.to_lowercase();
            match line.split_once(':') {
                None => return head,
                Some(("content-length", length)) => head.length = length.trim().parse().ok(),
                Some(("transfer-encoding", kind)) => head.is_chunked = kind.trim() == "chunked",
                Some(_) => {}
            }
        }
    }

    async fn exactly(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await.unwrap();
        bytes
    }

    async fn chunks(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        loop {
            let size = usize::from_str_radix(&self.line().await, 16).unwrap();
            let chunk = self.exactly(size).await;
            all.extend(chunk);
            self.line().await;
            if size == 0 {
                return all;
            }
        }
    }
}
