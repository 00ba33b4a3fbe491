//! Events on their way to a browser.
//!
//! A search runs on a thread of its own and must never wait for a slow reader: what is told
//! goes into a queue of bounded length, and what only updates is left out while it is long.
//! When the reader goes away, the stream is dropped, and whoever tells is told to stop.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc;

use crate::error::Refusal;

/// Events that may wait for the reader.
const QUEUE: usize = 512;
/// So many places of the queue are kept for what must not be left out.
const KEPT: usize = 256;
/// A sign of life is sent so often: that is how a reader that is gone is noticed.
const ALIVE: Duration = Duration::from_secs(5);

/// Set once the reader has gone, or somebody asked to stop. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Forgets that it was set.
    pub(crate) fn clear(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// For a search to look at.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// Where events are told.
#[derive(Clone, Debug)]
pub(crate) struct Teller(mpsc::Sender<Event>);

impl Teller {
    /// Tells something that must be heard.
    pub(crate) fn tell(&self, name: &'static str, data: &impl Serialize) {
        // Of these there are far fewer than places. If the reader is gone, nobody misses them.
        let _ = self.0.try_send(event(name, data));
    }

    /// Tells something that is soon out of date.
    pub(crate) fn update(&self, name: &'static str, data: &impl Serialize) {
        if self.0.capacity() > KEPT {
            self.tell(name, data);
        }
    }

    /// Tells what went wrong.
    pub(crate) fn fail(&self, refusal: &Refusal) {
        self.tell("error", &refusal.json());
    }

    /// Waits until the reader has gone.
    pub(crate) async fn closed(&self) {
        self.0.closed().await;
    }

    /// Whether the reader has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

fn event(name: &'static str, data: &impl Serialize) -> Event {
    Event::default()
        .event(name)
        .json_data(data)
        .unwrap_or_else(|_| Event::default().event("error").data("{}"))
}

/// The reader's end.
struct Told {
    receiver: mpsc::Receiver<Event>,
    stop: Stop,
}

impl Stream for Told {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|event| event.map(Ok))
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        // In this order: whoever clears the flag looks afterwards whether the reader is there.
        self.receiver.close();
        self.stop.set();
    }
}

/// A stream: where to tell, and the answer that it is. `stop` is set when the reader goes.
pub(crate) fn stream(stop: Stop) -> (Teller, Response) {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let alive = KeepAlive::new().interval(ALIVE);
    (Teller(sender), Sse::new(Told { receiver, stop }).keep_alive(alive).into_response())
}
