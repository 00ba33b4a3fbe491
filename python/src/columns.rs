//! Tables as structured arrays of numpy, made column by column. In Python they are
//! `tesuji.Table`s, which draw themselves in notebooks.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A structured array in the making. All columns are of one length.
pub(crate) struct Columns<'py> {
    py: Python<'py>,
    fields: Vec<(&'static str, String, Bound<'py, PyAny>)>,
}

impl<'py> Columns<'py> {
    pub(crate) fn new(py: Python<'py>) -> Columns<'py> {
        Columns { py, fields: Vec::new() }
    }

    /// A column of numbers or flags, of a type as numpy names it: `u8` is a whole number of
    /// eight bytes, `f8` a double, `?` a flag.
    pub(crate) fn column<T: IntoPyObject<'py>>(
        mut self,
        name: &'static str,
        kind: &str,
        values: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    ) -> PyResult<Columns<'py>> {
        let values = PyList::new(self.py, values)?.into_any();
        self.fields.push((name, kind.to_owned(), values));
        Ok(self)
    }

    /// A column of texts.
    pub(crate) fn texts(
        self,
        name: &'static str,
        texts: impl IntoIterator<Item = String>,
    ) -> PyResult<Columns<'py>> {
        let texts: Vec<String> = texts.into_iter().collect();
        let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        self.column(name, &format!("U{longest}"), texts)
    }

    /// A column of numbers. A row without a number has nan.
    pub(crate) fn numbers(
        self,
        name: &'static str,
        numbers: impl IntoIterator<Item = Option<f64>, IntoIter: ExactSizeIterator>,
    ) -> PyResult<Columns<'py>> {
        self.column(name, "f8", numbers.into_iter().map(|number| number.unwrap_or(f64::NAN)))
    }

    /// The array.
    pub(crate) fn array(self) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.fields.first().map_or(0, |(.., values)| values.len().unwrap_or(0));
        let kinds = PyList::new(self.py, self.fields.iter().map(|(name, kind, _)| (*name, kind)))?;
        let options = PyDict::new(self.py);
        options.set_item("dtype", kinds)?;
        let array = self.py.import("numpy")?.getattr("empty")?.call((rows,), Some(&options))?;
        for (name, _, values) in self.fields {
            array.set_item(name, values)?;
        }
        let table = self.py.import("tesuji.table")?.getattr("Table")?;
        array.call_method1("view", (table,))
    }
}
