//! `tesuji serve`: the page.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use tesuji::search::MOST_SAMPLES;
use tesuji_web::{Bounds, Hosts, Settings, State, serve};

use super::BadInput;

/// Open a page to play on, to watch the search think, and to look at results
///
/// The page needs nothing else: it is part of this program, and asks no other host for anything. It is
/// for this machine alone unless --address says otherwise. Ctrl-C ends it.
#[derive(clap::Args)]
#[command(after_help = "\
Results are looked for in the folder: stores (*.db) and experiments/*.toml, and the store of
`tesuji reproduce` in target/reproduce. The API is described at /api/openapi.json.

Examples:
  tesuji serve
  tesuji serve --port 0 --no-open
  tesuji serve --folder results --threads 4
  tesuji serve --address 0.0.0.0 --name go.example.org --no-open")]
pub(super) struct Args {
    /// The port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 7788)]
    port: u16,
    /// The address to listen at: this machine only, unless it is another's to reach
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// A name by which others ask for this machine; may be given several times
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Where stores and experiments are looked for
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Threads that searches share; without it, one for each core
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// The most samples of a search
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=MOST_SAMPLES))]
    most_samples: u64,
    /// The most games at the same time
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    most_games: u64,
    /// Forget games that nobody has touched for so long, such as 30m: a second at least
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = super::duration)]
    idle: Duration,
}

pub(super) fn run(args: Args) -> Result<()> {
    if !args.folder.is_dir() {
        return Err(BadInput(format!("there is no folder {}", args.folder.display())).into());
    }
    if args.idle < Duration::from_secs(1) {
        return Err(BadInput("games are kept for a second at least: --idle 1s or more".to_owned()).into());
    }
    let interrupted = super::interrupt::flag()?;
    let state = State::new(Settings {
        bounds: Bounds {
            samples: args.most_samples,
            games: args.most_games as usize,
            idle_seconds: args.idle.as_secs(),
            ..Bounds::of(super::threads(args.threads))
        },
        experiments: super::experiment::built_in()?,
        hosts: Hosts { any_address: !args.address.is_loopback(), names: args.name.clone() },
        folder: args.folder.clone(),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("the server cannot be started")?;
    let served = runtime.block_on(async {
        let address = SocketAddr::new(args.address, args.port);
        let listener = tokio::net::TcpListener::bind(address).await.map_err(|error| {
            let advice = match error.kind() {
                std::io::ErrorKind::AddrInUse => "; another --port may be free, and 0 finds one",
                std::io::ErrorKind::AddrNotAvailable => {
                    "; --address is one of this machine's, or 0.0.0.0 for all"
                }
                _ => "",
            };
            BadInput(format!("cannot listen at {address}: {error}{advice}"))
        })?;
        let url =
            format!("http://{}/", reachable(listener.local_addr().context("the server has no address")?));
        super::print(&format!("tesuji serves {url}\nCtrl-C ends it.\n"))?;
        if !args.no_open {
            open(&url);
        }
        let until = async {
            while !interrupted.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        serve(listener, state, until).await.context("the server failed")
    });
    // Searches have been told to stop, and do so at once; a playout on a large board has this long.
    runtime.shutdown_timeout(Duration::from_secs(2));
    served
}

/// An address that a browser on this machine can ask for.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        ip if !ip.is_unspecified() => address,
        IpAddr::V4(_) => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        IpAddr::V6(_) => SocketAddr::new(Ipv6Addr::LOCALHOST.into(), address.port()),
    }
}

/// Opens a browser, where there is one that can be seen. If not, the address stands on the
/// terminal.
fn open(url: &str) {
    let opener = match std::env::consts::OS {
        "macos" => Some("open"),
        "windows" => Some("explorer"),
        _ if std::env::var_os("DISPLAY").is_some() || std::env::var_os("WAYLAND_DISPLAY").is_some() => {
            Some("xdg-open")
        }
        _ => None,
    };
    if let Some(opener) = opener {
        let _ = Command::new(opener)
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
    }
}
