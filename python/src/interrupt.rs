//! Long work with the GIL released, which Ctrl-C ends.
//!
//! Python runs its signal handlers on the main thread, and only when asked to. So the work
//! goes to another thread, and the caller's thread handles signals until it is done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::{PyErr, PyResult, Python};

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
    mut tell: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    let (done, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = scope.spawn(|| {
                // Hung up on, even if the work panics.
                let _sender = sender;
                work(&cancel)
            });
            let mut raised: Option<PyErr> = None;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(GLANCE) as Result<(), _> {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals().and_then(|()| tell(py))).err();
                    cancel.fetch_or(raised.is_some(), Ordering::Relaxed);
                }
            }
            (worker.join(), raised)
        })
    });
    let done = done.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    raised.map_or_else(|| tell(py), Err)?;
    Ok(done)
}
