//! The host functions that every hook has: log, config, source.

use super::{
    bindings::hookbox::hook::{config, log, source, types},
    store::State,
};

impl types::Host for State {}

impl log::Host for State {
    fn write(&mut self, level: log::Level, message: String) -> wasmtime::Result<()> {
        self.count_host_call()?;
        let level = match level {
            log::Level::Trace => "trace",
            log::Level::Debug => "debug",
            log::Level::Info => "info",
            log::Level::Warn => "warn",
            log::Level::Error => "error",
        };
        self.log.write(level, &message);
        Ok(())
    }
}

impl config::Host for State {
    fn get(&mut self) -> wasmtime::Result<String> {
        self.count_host_call()?;
        Ok(self.config.as_str().to_owned())
    }
}

impl source::Host for State {
    fn read(&mut self) -> wasmtime::Result<String> {
        self.count_host_call()?;
        Ok(self.source.as_str().to_owned())
    }
}
