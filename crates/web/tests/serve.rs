//! The server's own affairs: connections, and the end.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tesuji_web::{Bounds, Settings, State, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server, and what ends it.
async fn served(bounds: Bounds) -> (SocketAddr, oneshot::Sender<()>, JoinHandle<std::io::Result<()>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (end, ended) = oneshot::channel();
    let state = State::new(Settings { bounds, ..Settings::default() });
    let server = tokio::spawn(serve(listener, state, async {
        let _ = ended.await;
    }));
    (address, end, server)
}

/// Sends a request, and gives the connection and the beginning of what is answered.
async fn asked(address: SocketAddr, method: &str, path: &str, body: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n");
    stream.write_all(format!("{head}content-length: {length}\r\n\r\n{body}").as_bytes()).await.unwrap();
    let mut bytes = vec![0; 1 << 16];
    let n = stream.read(&mut bytes).await.unwrap();
    (stream, String::from_utf8_lossy(&bytes[..n]).into_owned())
}

/// Whoever holds a connection and says nothing does not keep others out.
#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_are_closed() {
    let bounds = Bounds { connections: 4, silence: Duration::from_millis(500), ..Bounds::of(1) };
    let (address, _end, _server) = served(bounds).await;
    let mut silent = Vec::new();
    for _ in 0..8 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    // Half a request is silence too.
    silent[0].write_all(b"GET / HT").await.unwrap();
    let answer =
        tokio::time::timeout(Duration::from_secs(10), asked(address, "GET", "/api/catalog", "")).await;
    assert!(answer.unwrap().1.starts_with("HTTP/1.1 200"));
    let mut rest = Vec::new();
    silent[1].read_to_end(&mut rest).await.unwrap();
    assert!(rest.is_empty());
}

/// Searches and streams are ended, and the server with them.
#[tokio::test(flavor = "multi_thread")]
async fn it_ends_at_once_whatever_goes_on() {
    let (address, end, server) = served(Bounds::of(1)).await;
    let (_first, begun) = asked(address, "POST", "/api/games", r#"{"game":"go:9","black":"uct@60s"}"#).await;
    let id = begun.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let (mut search, told) =
        asked(address, "POST", &format!("/api/games/{id}/search"), r#"{"play":true}"#).await;
    assert!(told.starts_with("HTTP/1.1 200"), "{told}");
    let form = r#"{"arms":"N:20","policies":["sh","ucb1"],"budgets":[100000],"runs":10000}"#;
    let (mut bandits, _) = asked(address, "POST", "/api/bandits", form).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let ending = Instant::now();
    end.send(()).unwrap();
    let (mut rest, mut other) = (Vec::new(), Vec::new());
    search.read_to_end(&mut rest).await.unwrap();
    bandits.read_to_end(&mut other).await.unwrap();
    server.await.unwrap().unwrap();
    assert!(ending.elapsed() < Duration::from_secs(2), "{:?}", ending.elapsed());
    for text in [rest, other] {
        assert!(String::from_utf8_lossy(&text).contains("event: end"));
    }
}
