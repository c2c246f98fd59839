//! Values of Python as JSON text, and back.

use std::fmt::Write as _;

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};

/// Deeper than this hookbox reads no JSON; a value that holds itself is deeper.
const MAX_DEPTH: usize = 100;

/// The value of this JSON text.
pub(crate) fn value<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    LOADS.import(py, "json", "loads").and_then(|loads: &Bound<'py, PyAny>| loads.call1((text,)))
}

/// The JSON text of a value. One that has none is a `TypeError` which says where it is, from `name` on.
pub(crate) fn text(name: &'static str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut writer = Writer { text: String::new(), name, place: Vec::new() };
    writer.value(value)?;
    Ok(writer.text)
}

struct Writer {
    text: String,
    name: &'static str,
    place: Vec<Step>,
}

enum Step {
    Key(String),
    Index(usize),
}

impl Writer {
    fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.place.len() > MAX_DEPTH {
            return Err(self.wrong(&format!("is more than {MAX_DEPTH} levels deep")));
        }
        if let Ok(text) = value.cast::<PyString>() {
            return self.string(text);
        }
        if let Ok(dict) = value.cast::<PyDict>() {
            return self.object(dict);
        }
        if let Ok(list) = value.cast::<PyList>() {
            return self.array(list.iter());
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return self.array(tuple.iter());
        }
        self.scalar(value)
    }

    fn scalar(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_none() {
            self.text.push_str("null");
        } else if let Ok(truth) = value.cast::<PyBool>() {
            self.text.push_str(if truth.is_true() { "true" } else { "false" });
        } else if let Ok(integer) = value.cast::<PyInt>() {
            self.integer(integer)?;
        } else if let Ok(number) = value.cast::<PyFloat>() {
            self.number(number.value())?;
        } else {
            let kind = value.get_type().name()?;
            return Err(self.wrong(&format!(
                "is of type {kind}; JSON has dict, list, tuple, str, int, float, bool and None"
            )));
        }
        Ok(())
    }

    fn string(&mut self, text: &Bound<'_, PyString>) -> PyResult<()> {
        let text =
            text.to_cow().map_err(|_| self.wrong("is a text with halves of characters (surrogates)"))?;
        push_string(&mut self.text, &text);
        Ok(())
    }

    fn integer(&mut self, integer: &Bound<'_, PyInt>) -> PyResult<()> {
        if let Ok(small) = integer.extract::<i64>() {
            self.text.push_str(&small.to_string());
            return Ok(());
        }
        // As a number and not as whatever a subclass says of itself.
        let number = integer.call_method0("__int__").and_then(|plain| plain.str());
        let number = number.map_err(|_| self.wrong("is a number with too many digits"))?;
        self.text.push_str(&number.to_cow()?);
        Ok(())
    }

    fn number(&mut self, number: f64) -> PyResult<()> {
        if !number.is_finite() {
            return Err(self.wrong(&format!("is {number}, for which JSON has no word")));
        }
        // A text takes whatever is written to it.
        let _written = write!(self.text, "{number:?}");
        Ok(())
    }

    fn object(&mut self, dict: &Bound<'_, PyDict>) -> PyResult<()> {
        self.text.push('{');
        for (at, (key, value)) in dict.iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            let Ok(name) = key.cast::<PyString>() else {
                let kind = key.get_type().name()?;
                return Err(self.wrong(&format!("has a key of type {kind}; keys are str")));
            };
            self.string(name)?;
            self.text.push(':');
            self.place.push(Step::Key(name.to_cow()?.into_owned()));
            self.value(&value)?;
            self.place.pop();
        }
        self.text.push('}');
        Ok(())
    }

    fn array<'py>(&mut self, items: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<()> {
        self.text.push('[');
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            self.place.push(Step::Index(at));
            self.value(&item)?;
            self.place.pop();
        }
        self.text.push(']');
        Ok(())
    }

    fn wrong(&self, what: &str) -> PyErr {
        // A value that holds itself has a long way to it.
        const MOST: usize = 12;
        let mut place = self.name.to_owned();
        for step in self.place.iter().take(MOST) {
            let _written = match step {
                Step::Key(key) => write!(place, "[{key:?}]"),
                Step::Index(index) => write!(place, "[{index}]"),
            };
        }
        if self.place.len() > MOST {
            place.push('…');
        }
        PyTypeError::new_err(format!("{place} {what}"))
    }
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(text.get(plain..at).unwrap_or_default());
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            other => {
                let _written = write!(out, "\\u{other:04x}");
            }
        }
        plain = at + 1;
    }
    out.push_str(text.get(plain..).unwrap_or_default());
    out.push('"');
}
