"""Tables: structured arrays that draw themselves in notebooks and become pandas frames."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

__all__ = ["Table"]

# A notebook shows no more rows than this.
MOST_ROWS = 50


class Table(np.ndarray[Any, Any]):
    """A structured NumPy array: a row for each thing, a named column for each number.

    ``table["regret"]`` is a column, as a plain array. In a notebook the array is drawn as a
    table. ``pandas.DataFrame(table)`` works too.

    Examples
    --------
    >>> import tesuji
    >>> table = tesuji.bandit("1:4", "sh", [40, 80], runs=200)
    >>> type(table).__name__, table["budget"].tolist()
    ('Table', [40, 80])
    >>> table.to_frame().shape
    (2, 17)
    """

    def __getitem__(self, key: Any) -> Any:
        """Return a column, a row, or a smaller table."""
        found = super().__getitem__(key)
        if isinstance(found, Table) and found.dtype.names is None:
            return found.view(np.ndarray)
        return found

    def to_frame(self) -> pandas.DataFrame:
        """Return the table as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            A column for each field.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return _pandas().DataFrame({name: self[name] for name in self.dtype.names or ()})

    def _repr_html_(self) -> str | None:
        if self.dtype.names is None or self.ndim != 1:
            return None
        # A column without any number says nothing.
        names = [name for name in self.dtype.names if self.dtype[name].kind != "f" or not np.isnan(self[name]).all()]
        rows = [[row[name] for name in names] for row in self[:MOST_ROWS]]
        return html_table(names, rows, n_rows=len(self))


def _pandas() -> Any:
    """Return the module pandas."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame() needs pandas: pip install pandas") from error
    return pandas


def html_table(names: list[str], rows: list[list[object]], *, n_rows: int | None = None) -> str:
    """Return an HTML table. Every text is escaped.

    Parameters
    ----------
    names : list of str
        The names of the columns.
    rows : list of list
        The rows to show.
    n_rows : int, optional
        How many rows there are, if not all are shown.

    Returns
    -------
    str
        The HTML text.
    """
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    if n_rows is not None and n_rows > len(rows):
        table += f"<p>The first {len(rows)} of {n_rows:,} rows.</p>"
    return f"<div>{table}</div>"


def _cell(value: object) -> str:
    """Return a cell: numbers to the right, other things to the left."""
    side = "right" if isinstance(value, int | float | np.number) else "left"
    return f'<td style="text-align:{side}">{html.escape(_text(value))}</td>'


def _text(value: object) -> str:
    """Return a value as people read it."""
    match value:
        case bool() | np.bool():
            return "yes" if value else "no"
        case float() | np.floating():
            return "" if np.isnan(value) else f"{float(value):.5g}"
        case _:
            text = str(value)
            return text if len(text) <= 80 else f"{text[:79]}…"


def same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether two structured arrays are equal; nan is equal to nan.

    Parameters
    ----------
    one, other : numpy.ndarray
        The arrays.

    Returns
    -------
    bool
        Whether types, lengths and all values are equal.
    """
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    for name in one.dtype.names or ():
        a, b = np.asarray(one[name]), np.asarray(other[name])
        if a.dtype.kind == "f":
            if not np.array_equal(a, b, equal_nan=True):
                return False
        elif not cast(bool, (a == b).all()):
            return False
    return True
