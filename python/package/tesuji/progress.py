"""Progress of long calls, as a line on standard error."""

import sys
import time

__all__ = ["ProgressLine"]


class ProgressLine:
    """A line on standard error that says how far along a call is.

    ``progress=True`` makes one. A terminal shows one line that changes; otherwise a new line is
    written every ten seconds. A call that takes less than half a second
    writes nothing.

    Parameters
    ----------
    unit : str
        What is counted, such as ``"games"``.

    Examples
    --------
    >>> line = ProgressLine("games")
    >>> line(3, 10)
    """

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.begin = time.monotonic()
        self.first: int | None = None
        self.last = self.begin
        self.is_shown = False

    def __call__(self, done: int, total: int | None) -> None:
        """Write the line, unless the last one is fresh.

        Parameters
        ----------
        done : int
            How many units are done.
        total : int or None
            The number of all units; ``None`` if it is unknown.
        """
        now = time.monotonic()
        if self.first is None:
            self.first = done
        is_terminal = sys.stderr.isatty()
        is_over = done == total
        wait = 0.2 if is_terminal and self.is_shown else 0.5 if is_terminal else 10.0
        if now - self.last < wait and not (is_over and self.is_shown):
            return
        self.last = now
        self.is_shown = not is_over
        new, seconds = done - self.first, now - self.begin
        line = f"{done:,} {self.unit}" if total is None else f"{done:,} of {total:,} {self.unit}"
        if new and seconds > 0:
            line += f"; {new / seconds:,.1f} per second"
            if total is not None:
                line += f"; {_duration(seconds * (total - done) / new)} left"
        end = "\n" if is_over or not is_terminal else ""
        print(f"\r{line:<70}" if is_terminal else line, end=end, file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    """Return a time as people read it."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
