//! A service from outside.

mod bus;
mod control;
mod first_poll;
mod service;
mod session_hooks;
