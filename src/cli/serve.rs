//! `tesuji serve`: the page.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use tesuji::core::file_problem;
use tesuji::search::MOST_SAMPLES;
use tesuji_web::{Bounds, Hosts, Settings, State, serve};

use super::BadInput;

/// Serve a web page to play on, to watch searches, and to look at results
///
/// The page is part of this program and loads nothing from other hosts. Only this machine can
/// reach it, unless --address says otherwise. Ctrl-C ends it.
#[derive(clap::Args)]
#[command(after_help = "\
The page shows the results in the folder: stores (*.db), experiments/*.toml, and the store of
`tesuji reproduce` in target/reproduce. /api/openapi.json describes the API.

Examples:
  tesuji serve
  tesuji serve --port 0 --no-open
  tesuji serve --folder results --threads 4
  tesuji serve --address 0.0.0.0 --name go.example.org --no-open")]
pub(super) struct Args {
    /// The port; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 7788, value_parser = super::values::whole::<u16>(0..=65_535))]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines reach the page
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = super::values::address)]
    address: IpAddr,
    /// A host name of this machine that browsers use; may be given several times
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// The folder with stores and experiments
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Threads that all searches share [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    /// The greatest budget of a search, in samples
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = super::values::whole::<u64>(1..=MOST_SAMPLES))]
    most_samples: u64,
    /// The greatest number of games at the same time
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = super::values::whole::<u64>(1..=100_000))]
    most_games: u64,
    /// Forget a game that nobody has used for this time, such as 30m; at least 1s
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = super::duration)]
    idle: Duration,
}

pub(super) fn run(args: Args) -> Result<()> {
    if !args.folder.is_dir() {
        return Err(BadInput(format!("there is no folder {}", args.folder.display())).into());
    }
    if args.idle < Duration::from_secs(1) {
        return Err(BadInput("--idle is at least 1s".to_owned()).into());
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
                std::io::ErrorKind::AddrInUse => ": another program uses it; --port 0 finds a free port",
                std::io::ErrorKind::AddrNotAvailable => {
                    ": it is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for all networks"
                }
                _ => return BadInput(format!("cannot listen on {address}: {}", file_problem(&error))),
            };
            BadInput(format!("cannot listen on {address}{advice}"))
        })?;
        let url =
            format!("http://{}/", reachable(listener.local_addr().context("the server has no address")?));
        super::print(&format!("The page is at {url}\nCtrl-C ends it.\n"))?;
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
