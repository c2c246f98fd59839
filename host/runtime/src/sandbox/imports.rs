//! Interfaces that every hook has without a grant: types, log, config, source.

use hookbox_model::LogLevel;

use super::{
    bindings::hookbox::hook::{config, log, source, types},
    host_call_budget::Price,
    store::State,
    world_interfaces::{Interface, interface},
};

pub(super) const TYPES: Interface = interface!("types", types, "always there", acts: false);
pub(super) const LOG: Interface = interface!("log", log, "always there", acts: false);
pub(super) const CONFIG: Interface = interface!("config", config, "always there", acts: false);
pub(super) const SOURCE: Interface = interface!("source", source, "always there", acts: false);

/// Price of a line of the log, which is cleaned and kept.
const LINE: Price = Price { call: 200, byte: 4 };
/// Price of a text of the host, which is copied.
const TEXT: Price = Price { call: 100, byte: 1 };

impl types::Host for State {}

impl log::Host for State {
    fn write(&mut self, level: log::Level, message: String) -> wasmtime::Result<()> {
        self.host_calls.begin_call(LINE, message.len())?;
        let level = match level {
            log::Level::Trace => LogLevel::Trace,
            log::Level::Debug => LogLevel::Debug,
            log::Level::Info => LogLevel::Info,
            log::Level::Warn => LogLevel::Warn,
            log::Level::Error => LogLevel::Error,
        };
        self.log.write_line(level, &message);
        Ok(())
    }
}

impl config::Host for State {
    fn get(&mut self) -> wasmtime::Result<String> {
        self.host_calls.begin_call(TEXT, self.config.as_str().len())?;
        Ok(self.config.as_str().to_owned())
    }
}

impl source::Host for State {
    fn read(&mut self) -> wasmtime::Result<String> {
        self.host_calls.begin_call(TEXT, self.source.as_str().len())?;
        Ok(self.source.as_str().to_owned())
    }
}
