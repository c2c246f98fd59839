//! An agent's input, as a program passes it.

use std::{path::PathBuf, time::Duration};

use hookbox_binding::{Envelope, ErrorCode};
use pyo3::{
    prelude::*,
    types::{PyByteArray, PyBytes, PyString},
};

use crate::{error::error, json};

/// The bytes of `event`: bytes as they are, text as UTF-8, anything else as JSON.
fn bytes(event: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = event.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    if let Ok(bytes) = event.cast::<PyByteArray>() {
        return Ok(bytes.to_vec());
    }
    if let Ok(text) = event.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned().into_bytes());
    }
    Ok(json::text("event", event)?.into_bytes())
}

/// Builds the request with its context.
pub(crate) fn envelope(
    agent: Option<String>,
    event: &Bound<'_, PyAny>,
    cwd: Option<PathBuf>,
    agent_timeout: Option<f64>,
) -> PyResult<Envelope> {
    let agent_timeout = agent_timeout.map(|seconds| duration(event.py(), seconds)).transpose()?;
    Ok(Envelope { agent, bytes: bytes(event)?, cwd: folder(cwd), agent_timeout })
}

/// The folder that is meant, absolute.
pub(crate) fn folder(cwd: Option<PathBuf>) -> PathBuf {
    let here = || std::env::current_dir().unwrap_or_default();
    cwd.map_or_else(here, |cwd| std::path::absolute(&cwd).unwrap_or(cwd))
}

fn duration(py: Python<'_>, seconds: f64) -> PyResult<Duration> {
    let problem = || {
        error(py, ErrorCode::Options, format!("`agent_timeout` is {seconds}, but must be seconds from 0 on"))
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| problem())
}
