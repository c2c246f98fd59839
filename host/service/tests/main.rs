//! Tests of the service's public interface.

mod bus;
mod control;
mod first_poll;
mod service;
mod session_hooks;
