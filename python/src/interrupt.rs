//! Long work with the GIL released, which Ctrl-C ends.
//!
//! Python runs its signal handlers on the main thread, and only when asked to. So the work
//! goes to another thread, and the caller's thread handles signals until it is done.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pyo3::{PyErr, PyResult, Python};
use tesuji_search::catch_network_failure;

use crate::errors::bad_input;

/// How often signals are handled.
const GLANCE: Duration = Duration::from_millis(50);

/// Does the work without the GIL. If a signal handler raises, as Ctrl-C's does, the flag that
/// the work reads is set, and the error is raised once the work has ended.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    interruptible_telling(py, work, |_| Ok(()))
}

/// Does the work like [`interruptible`], and calls `tell` now and then on the caller's thread, and
/// once more at the end. If `tell` raises, the work is ended too.
pub(crate) fn interruptible_telling<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
    tell: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    interruptible_asking(py, |cancel, _| work(cancel), |_, never: Infallible| match never {}, tell)
}

/// Does the work like [`interruptible_telling`], and calls `answer` on the caller's thread with every
/// question that the work sends. If `answer` raises, the work is ended too. Questions after an error
/// are dropped, so the work must not wait for an answer to a question that is gone.
pub(crate) fn interruptible_asking<T: Send, Q: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool, Sender<Q>) -> T + Send,
    mut answer: impl FnMut(Python<'_>, Q) -> PyResult<()> + Send,
    mut tell: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    let (done, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = scope.spawn(|| {
                // Hung up on at the end, even if the work panics, and not before.
                let sender = sender;
                work(&cancel, sender.clone())
            });
            let mut raised: Option<PyErr> = None;
            loop {
                let question = match receiver.recv_timeout(GLANCE) {
                    Ok(question) => Some(question),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_none() {
                    let glance = |py: Python<'_>| {
                        question.map_or(Ok(()), |question| answer(py, question))?;
                        py.check_signals()?;
                        tell(py)
                    };
                    raised = Python::attach(glance).err();
                    cancel.fetch_or(raised.is_some(), Ordering::Relaxed);
                }
            }
            (worker.join(), raised)
        })
    });
    let done = catch_network_failure(|| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    raised.map_or_else(|| tell(py), Err)?;
    done.map_err(bad_input)
}
