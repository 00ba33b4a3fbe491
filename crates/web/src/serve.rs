//! The server: connections in, a graceful end.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

use crate::app;
use crate::state::State;

/// Games that nobody touches are looked for so often.
const SWEEP: Duration = Duration::from_secs(30);
/// What is under way at the end has so long to end by itself.
const GRACE: Duration = Duration::from_secs(3);

/// Serves until `until` is done. Searches are stopped then, and connections closed once they
/// are answered; what still goes on after a few seconds is left behind.
pub async fn serve(
    listener: TcpListener,
    state: State,
    until: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    serve_until(listener, state, Box::pin(until)).await
}

/// A future of one known type, so that the server is compiled once, here, and not by everyone who
/// calls [`serve`].
type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

fn serve_until(listener: TcpListener, state: State, until: Boxed<()>) -> Boxed<io::Result<()>> {
    Box::pin(serve_boxed(listener, state, until))
}

async fn serve_boxed(listener: TcpListener, state: State, until: Boxed<()>) -> io::Result<()> {
    let (connections, silence) = (state.bounds().connections, state.bounds().silence);
    let connections = Arc::new(Semaphore::new(connections));
    let sweeping = tokio::spawn({
        let state = state.clone();
        async move {
            loop {
                tokio::time::sleep(SWEEP).await;
                state.tables().sweep();
            }
        }
    });
    let (told, ends) = tokio::sync::oneshot::channel::<()>();
    let stopping = {
        let state = state.clone();
        async move {
            until.await;
            state.end();
            let _ = told.send(());
        }
    };
    let serving =
        axum::serve(Bounded { listener, connections, silence }, app(state)).with_graceful_shutdown(stopping);
    let result = tokio::select! {
        result = async { serving.await } => result,
        () = async {
            let _ = ends.await;
            tokio::time::sleep(GRACE).await;
        } => Ok(()),
    };
    sweeping.abort();
    result
}

/// Takes no more connections than it may have at the same time; others wait at the door.
struct Bounded {
    listener: TcpListener,
    connections: Arc<Semaphore>,
    silence: Duration,
}

impl Listener for Bounded {
    type Io = Counted;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Counted, SocketAddr) {
        let permit = Arc::clone(&self.connections).acquire_owned().await.expect("it is never closed");
        // The framework's own: it waits a little when there are too many open files.
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Events are small, and are wanted at once.
        let _ = stream.set_nodelay(true);
        let (longest, silence) = (self.silence, Box::pin(tokio::time::sleep(self.silence)));
        (Counted { stream, longest, silence, _permit: permit }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that is counted, and closed when nothing has gone through it for a while.
/// (Streams of events have signs of life in them.)
struct Counted {
    stream: TcpStream,
    longest: Duration,
    silence: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Counted {
    /// What came of trying to read or write: something that goes through ends the silence, and
    /// too long a silence everything.
    fn heard<T>(&mut self, context: &mut Context<'_>, tried: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            let until = Instant::now() + self.longest;
            self.silence.as_mut().reset(until);
            return tried;
        }
        self.silence.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.heard(context, tried)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.heard(context, tried)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.heard(context, tried)
    }
}
