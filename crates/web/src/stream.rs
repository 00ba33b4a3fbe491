//! Events on their way to a browser.
//!
//! A search runs on a thread of its own and must never wait for a slow reader: what is told
//! goes into a queue of bounded length. What is soon out of date is left out while it is long,
//! and rounds when it is very long; what a search decides always finds a place.
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
use tokio::sync::{Notify, mpsc};

use crate::error::Refusal;

/// Events that may wait for the reader.
const QUEUE: usize = 512;
/// So many places of it are kept from what is soon out of date,
const KEPT: usize = 256;
/// and so many from all but what must be heard, of which there is less in a stream.
const LAST: usize = 16;
/// A sign of life is sent so often: that is how a reader that is gone is noticed.
const ALIVE: Duration = Duration::from_secs(5);

/// Set once the reader has gone, or somebody asked to stop. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<(AtomicBool, Notify)>);

impl Stop {
    pub(crate) fn set(&self) {
        self.0.0.store(true, Ordering::Relaxed);
        self.0.1.notify_waiters();
    }

    /// For a search to look at.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0.0
    }

    /// Waits until it is set.
    pub(crate) async fn wait(&self) {
        let notified = self.0.1.notified();
        tokio::pin!(notified);
        // From here on nothing is missed.
        notified.as_mut().enable();
        if !self.flag().load(Ordering::Relaxed) {
            notified.await;
        }
    }
}

/// Where events are told.
#[derive(Clone, Debug)]
pub(crate) struct Teller(mpsc::Sender<Event>);

impl Teller {
    /// Tells something that must be heard.
    pub(crate) fn tell(&self, name: &'static str, data: &impl Serialize) {
        // There is a place for it. If the reader is gone, nobody misses it.
        let _ = self.0.try_send(event(name, data));
    }

    /// Tells something of which there may be much.
    pub(crate) fn mention(&self, name: &'static str, data: &impl Serialize) {
        if self.0.capacity() > LAST {
            self.tell(name, data);
        }
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
struct SentEvents {
    receiver: mpsc::Receiver<Event>,
    stops: Vec<Stop>,
}

impl Stream for SentEvents {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|event| event.map(Ok))
    }
}

impl Drop for SentEvents {
    fn drop(&mut self) {
        self.receiver.close();
        self.stops.iter().for_each(Stop::set);
    }
}

/// A stream: where to tell, and the answer that it is. The stops are set when the reader goes.
pub(crate) fn stream(stops: Vec<Stop>) -> (Teller, Response) {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let alive = KeepAlive::new().interval(ALIVE);
    (Teller(sender), Sse::new(SentEvents { receiver, stops }).keep_alive(alive).into_response())
}
