//! A hundred clients play at the same time, over real connections.
//!
//! Five seconds in the usual check; `cargo xtask load` takes a minute and prints what it saw.

mod client;

use std::time::{Duration, Instant};

use client::{Connection, Deed};
use serde_json::{Value, json};
use tesuji_web::{Bounds, Settings, State, serve};

const CLIENTS: usize = 100;

/// How long, in seconds.
fn seconds() -> u64 {
    std::env::var("TESUJI_LOAD_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

/// What one client saw.
#[derive(Default)]
struct Seen {
    deeds: Vec<(Deed, Duration)>,
    games: usize,
}

impl Seen {
    fn note(&mut self, deed: Deed, since: Instant) {
        self.deeds.push((deed, since.elapsed()));
    }

    fn mean(&self, deed: Deed) -> f64 {
        let times: Vec<f64> = self.times(deed).map(|time| time.as_secs_f64()).collect();
        times.iter().sum::<f64>() / times.len().max(1) as f64
    }

    fn times(&self, deed: Deed) -> impl Iterator<Item = Duration> {
        self.deeds.iter().filter(move |(other, _)| *other == deed).map(|(_, time)| *time)
    }
}

/// Plays games until the time is up: a person's move, the program's answer, and so on.
async fn plays(address: std::net::SocketAddr, number: usize, until: Instant) -> Seen {
    let mut seen = Seen::default();
    let mut connection = Connection::open(address).await;
    let specs = ["hex:5", "go:5", "breakthrough:5x6", "phantom-go:5", "domineering:6", "ataxx:5"];
    while Instant::now() < until {
        let game = specs[(number + seen.games) % specs.len()];
        let player = if game.starts_with("phantom") { "flat(sh)@200" } else { "sh+uct@200" };
        let begun = Instant::now();
        let body = json!({ "game": game, "white": player, "seed": number });
        let mut state = connection.json("POST", "/api/games", Some(body), 201).await;
        seen.note(Deed::Other, begun);
        let path = format!("/api/games/{}", state["id"].as_str().unwrap());
        while state["outcome"].is_null() && Instant::now() < until {
            let begun = Instant::now();
            if state["to_move"] == "white" {
                let body = json!({ "play": true });
                connection.search(&format!("{path}/search"), &body).await;
                seen.note(Deed::Search, begun);
                state = connection.json("GET", &path, None, 200).await;
            } else {
                let legal = state["legal"].as_array().unwrap();
                let mv = legal[(state["ply"].as_u64().unwrap() as usize * 7 + number) % legal.len()].clone();
                let played =
                    connection.json("POST", &format!("{path}/moves"), Some(json!({ "move": mv })), 200).await;
                state = played["game"].clone();
                seen.note(Deed::Move, begun);
            }
        }
        let gone = connection.json("DELETE", &path, None, 204).await;
        assert_eq!(gone, Value::Null);
        seen.games += 1;
    }
    seen
}

/// The memory of this process, server and clients together, in MiB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    times.get(((times.len() - 1) as f64 * share) as usize).copied().unwrap_or_default()
}

#[test]
fn a_hundred_clients_play_at_the_same_time() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (all, middle, end) = runtime.block_on(async {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let state = State::new(Settings { bounds: Bounds::of(threads), ..Settings::default() });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let server = tokio::spawn(serve(listener, state, async {
            let _ = stopped.await;
        }));
        let time = Duration::from_secs(seconds());
        let until = Instant::now() + time;
        let clients: Vec<_> =
            (0..CLIENTS).map(|number| tokio::spawn(plays(address, number, until))).collect();
        tokio::time::sleep(time / 2).await;
        let middle = memory();
        let mut all = Vec::new();
        for client in clients {
            all.push(client.await.expect("a client met an error"));
        }
        let end = memory();
        stop.send(()).unwrap();
        server.await.unwrap().unwrap();
        (all, middle, end)
    });
    let mut lines = Vec::new();
    for deed in [Deed::Move, Deed::Search, Deed::Other] {
        let mut times: Vec<Duration> = all.iter().flat_map(|seen| seen.times(deed)).collect();
        let n = times.len();
        assert!(n > 0, "{deed:?}");
        let [half, most, worst] =
            [0.5, 0.95, 1.0].map(|share| quantile(&mut times, share).as_secs_f64() * 1e3);
        lines.push(format!(
            "{deed:?}: {n}, median {half:.1} ms, 95 % within {most:.1} ms, worst {worst:.1} ms"
        ));
    }
    let mut means: Vec<f64> = all.iter().map(|seen| seen.mean(Deed::Search)).collect();
    means.sort_by(f64::total_cmp);
    let (median, slowest) = (means[CLIENTS / 2], means[CLIENTS - 1]);
    let games: usize = all.iter().map(|seen| seen.games).sum();
    lines.push(format!(
        "{games} games; a client's mean search: median {:.1} ms, slowest client {:.1} ms",
        median * 1e3,
        slowest * 1e3
    ));
    lines.push(format!("memory, clients included: {middle} MiB half-way, {end} MiB at the end"));
    let _ = std::fs::write(std::env::temp_dir().join("tesuji-load.txt"), lines.join("\n") + "\n");
    assert!(all.iter().all(|seen| seen.times(Deed::Search).next().is_some()), "somebody never got a turn");
    // Turns are taken in the order in which they are asked for: nobody waits much longer than others.
    assert!(slowest < 4.0 * median, "{}", lines.join("\n"));
    assert!(end < 500 && end < 2 * middle + 50, "{}", lines.join("\n"));
}
