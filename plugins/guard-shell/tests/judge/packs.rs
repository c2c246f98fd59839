//! Packs, one by one.

mod cloud;
mod container;
mod database;
mod git;
mod network;
mod packages;
mod persistence;
mod publish;
mod secrets;
mod system;
