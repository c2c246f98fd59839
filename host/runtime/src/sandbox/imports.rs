//! The host functions that every hook has: log, config, source, and a clock and random bytes as far as granted.

use hookbox_model::LogLevel;

use super::{
    bindings::hookbox::hook::{clock, config, log, random, source, types},
    host_calls::Price,
    random::{MAX_BYTES, seed},
    store::State,
};

impl types::Host for State {}

impl log::Host for State {
    fn write(&mut self, level: log::Level, message: String) -> wasmtime::Result<()> {
        self.host_calls.enter(Price::LOG, message.len())?;
        let level = match level {
            log::Level::Trace => LogLevel::Trace,
            log::Level::Debug => LogLevel::Debug,
            log::Level::Info => LogLevel::Info,
            log::Level::Warn => LogLevel::Warn,
            log::Level::Error => LogLevel::Error,
        };
        self.log.write(level, &message);
        Ok(())
    }
}

impl config::Host for State {
    fn get(&mut self) -> wasmtime::Result<String> {
        self.host_calls.enter(Price::TEXT, self.config.as_str().len())?;
        Ok(self.config.as_str().to_owned())
    }
}

impl source::Host for State {
    fn read(&mut self) -> wasmtime::Result<String> {
        self.host_calls.enter(Price::TEXT, self.source.as_str().len())?;
        Ok(self.source.as_str().to_owned())
    }
}

impl clock::Host for State {
    fn now(&mut self) -> wasmtime::Result<u64> {
        self.host_calls.enter(Price::CLOCK, 0)?;
        Ok(self.clock.now_ms())
    }
}

impl random::Host for State {
    fn bytes(&mut self, count: u32) -> wasmtime::Result<Vec<u8>> {
        self.host_calls.enter(Price::RANDOM, MAX_BYTES.min(count as usize))?;
        let count = usize::try_from(count).ok().filter(|count| *count <= MAX_BYTES);
        let Some(count) = count else {
            return Err(wasmtime::Error::msg(format!("more than {MAX_BYTES} random bytes at once")));
        };
        let Self { source, config, time, random, .. } = self;
        random.bytes(count, || seed(source.as_str(), config.as_str(), *time))
    }
}
