//! WASI for one call: the granted parts, and for the rest interfaces without access.
//!
//! Toolchains import most of WASI whether a program uses it or not, so all of it is linked (except HTTP): with no
//! arguments, no folders, no variables and no sockets, the event's time and bytes derived from the event.

use std::{
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use hookbox_model::{Failure, FailureCode, Folder, Grants, Limit, Limits};
use hookbox_platform::file::is_of_the_kernel;
use rand::{SeedableRng, rngs::StdRng};
use wasmtime_wasi::{
    FsPerms, HostMonotonicClock, HostWallClock, WasiCtxBuilder, WasiView, p1::WasiP1Ctx,
    p2::pipe::MemoryInputPipe,
};

use super::{
    clock::GuestClock,
    files::{Files, WORKING_FOLDER, is_named_in, protected_names},
    random,
    refusals::Refusals,
    stream::BoundedStream,
};
use crate::interfaces::{Call, Environment};

/// Most handles (files, streams, waits, requests) that a guest may hold concurrently.
pub(super) const MAX_HANDLES: usize = 256;

/// Standard error that is read into the log, bytes.
const MAX_KEPT_STDERR: usize = 64 << 10;

pub(super) struct Wasi {
    pub(super) context: WasiP1Ctx,
    pub(super) files: Files,
    pub(super) stdout: BoundedStream,
    pub(super) stderr: BoundedStream,
}

impl Wasi {
    /// Creates the state with the parts that `grants` give; `input` is the guest's standard input.
    pub(super) fn new(
        call: &Call<'_>,
        grants: &Grants,
        environment: &Environment,
        refusals: Refusals,
        input: String,
    ) -> Result<Self, Failure> {
        let mut builder = WasiCtxBuilder::new();
        builder.stdin(MemoryInputPipe::new(input));
        set_clocks(&mut builder, call, grants);
        set_randomness(&mut builder, call, grants);
        for name in &grants.env {
            environment.get(name).map(|value| builder.env(name, value));
        }
        let working = add_folders(&mut builder, &call.event.cwd, grants)?;
        let files = Files::new(protected_names(), working, refusals);
        Ok(Self::from_builder(&mut builder, call.limits, files))
    }

    /// Returns a failure if a folder among `grants` can never be granted, for any event.
    pub(super) fn check_grants(grants: &Grants) -> Result<(), Failure> {
        add_folders(&mut WasiCtxBuilder::new(), "", grants).map(drop)
    }

    /// Creates the state without any access.
    pub(super) fn without_access() -> Self {
        let files = Files::new(protected_names(), None, Refusals::default());
        Self::from_builder(&mut WasiCtxBuilder::new(), &Limits::default(), files)
    }

    fn from_builder(builder: &mut WasiCtxBuilder, limits: &Limits, files: Files) -> Self {
        let (stdout, stderr) =
            (BoundedStream::new(limits.get_size(Limit::Output)), BoundedStream::new(MAX_KEPT_STDERR));
        builder.stdout(stdout.clone()).stderr(stderr.clone()).max_random_size(random::MAX_BYTES as u64);
        let mut context = builder.build_p1();
        context.ctx().table.set_max_capacity(MAX_HANDLES);
        Self { context, files, stdout, stderr }
    }
}

fn set_clocks(builder: &mut WasiCtxBuilder, call: &Call<'_>, grants: &Grants) {
    builder.wall_clock(GuestClock::new(call.event.time, call.clock, grants.clock));
    if grants.clock {
        builder.monotonic_clock(SinceStart(Instant::now()));
    } else {
        builder.monotonic_clock(ClockLooks(AtomicU64::new(0)));
    }
}

fn set_randomness(builder: &mut WasiCtxBuilder, call: &Call<'_>, grants: &Grants) {
    if grants.random {
        return;
    }
    let seed = random::derive_seed(call.event.source.as_str(), call.config.as_str(), call.event.time);
    builder
        // All three sources: languages seed their hash tables from the insecure ones, and a call must be
        // repeatable exactly.
        .secure_random(StdRng::from_seed(seed))
        .insecure_random(StdRng::from_seed(seed))
        .insecure_random_seed(u128::from_le_bytes(std::array::from_fn(|at| {
            seed.get(at).copied().unwrap_or(0)
        })));
}

/// Adds the granted folders, and returns the working folder: the project, if it is granted. A folder has one path inside and
/// outside, so that the paths of an event can be opened unchanged.
fn add_folders<'a>(
    builder: &mut WasiCtxBuilder,
    project: &'a str,
    grants: &'a Grants,
) -> Result<Option<&'a Path>, Failure> {
    let mut working = None;
    for (what, folder, permissions) in order_folders(grants) {
        let Some(path) = folder.resolve_path(project) else { continue };
        let is_project = *folder == Folder::Project;
        if let Some(why) = refusal_reason(what, path, is_project) {
            // An event that happens at such a place has no project.
            if is_project {
                continue;
            }
            return Err(missing_folder_failure(what, path, why));
        }
        let mut open = |name: &str| builder.preopened_dir(path, name, permissions).map(drop);
        match path.to_str().map(&mut open) {
            Some(Ok(())) if is_project => working = open(WORKING_FOLDER).is_ok().then_some(path),
            Some(Ok(())) => {}
            // The event's folder may be gone; a folder that the operator names should exist.
            _ if is_project => {}
            Some(Err(error)) => return Err(missing_folder_failure(what, path, &format!("{error:#}"))),
            None => return Err(missing_folder_failure(what, path, "its name is not UTF-8")),
        }
    }
    // wasi-libc (C, Rust, Python) finds relative paths in the folder named `.`, Go in the first folder, TinyGo in this one.
    if let Some(path) = working.and_then(Path::to_str) {
        builder.initial_cwd(path);
    }
    Ok(working)
}

/// Returns the granted folders, the project first. A folder that may be written is not listed for reading, too: a guest would
/// use either of the two for its path.
fn order_folders(grants: &Grants) -> Vec<(&'static str, &Folder, FsPerms)> {
    let write = grants.write.iter().map(|folder| ("write", folder, FsPerms::ReadWrite));
    let read = grants.read.iter().filter(|folder| !grants.write.contains(folder));
    let read = read.map(|folder| ("read", folder, FsPerms::ReadOnly));
    let mut folders: Vec<_> = write.chain(read).collect();
    folders.sort_by_key(|(_, folder, _)| **folder != Folder::Project);
    folders
}

/// Returns the reason why a guest does not get this folder, if there is one.
fn refusal_reason(what: &str, path: &Path, is_project: bool) -> Option<&'static str> {
    if path.is_relative() {
        return Some("it is not an absolute path");
    }
    // In a project at such a place each change is refused, and reported.
    let is_protected = || what == "write" && !is_project && is_named_in(protected_names(), path);
    let why = "agents, hooks or tools are configured there, and nothing in it is changed by a hook";
    forbidden_reason(path).or_else(|| is_protected().then_some(why))
}

/// Returns the reason why this folder is never granted: it contains this process's memory and variables, devices, or
/// all of the machine.
fn forbidden_reason(path: &Path) -> Option<&'static str> {
    let real = path.canonicalize().ok()?;
    if real.parent().is_none() {
        return Some("it is the root of all files");
    }
    // By name and by kind: file systems of the kernel may be mounted elsewhere, and `/dev` may be an ordinary
    // one.
    let system = ["/proc", "/sys", "/dev"].iter().any(|system| real.starts_with(system));
    match is_of_the_kernel(&real) {
        Ok(of_the_kernel) => (system || of_the_kernel).then_some("it holds no files but the kernel's own"),
        Err(_) => Some("this platform does not show whether its files are the kernel's own"),
    }
}

fn missing_folder_failure(what: &str, path: &Path, why: &str) -> Failure {
    let path = path.display();
    let message = format!(
        "`grant.fs.{what}` names {path}, which cannot be opened as a folder: {why}; create it or change the grant"
    );
    Failure::new(FailureCode::Missing, &message)
}

impl HostWallClock for GuestClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        Duration::from_millis(self.now_ms())
    }
}

/// Whole milliseconds since the call began, in nanoseconds: a finer clock could measure other processes.
struct SinceStart(Instant);

impl HostMonotonicClock for SinceStart {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    fn now(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_mul(1_000_000)
    }
}

/// Advances a millisecond at each look, so that a guest which waits for time to pass sees it pass.
struct ClockLooks(AtomicU64);

impl HostMonotonicClock for ClockLooks {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    fn now(&self) -> u64 {
        self.0.fetch_add(1_000_000, Ordering::Relaxed)
    }
}
