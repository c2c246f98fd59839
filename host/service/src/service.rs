//! Answers events in a long-running program.

use std::{
    collections::BTreeSet,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use hookbox::{
    Callback, CallbackHook, HookSpec, Host, InvalidRequest, Request, Response,
    agents::{Dialect, ReadContext},
    model::{Event, EventName, Outcome},
};
use hookbox_app::{FolderHooks, HookFiles, Surroundings};

use crate::{
    first_poll::FirstPoll,
    folder_state::{FolderState, Folders},
    machines::Machines,
    program_hooks::HookHandle,
    switched_hooks::Switched,
};

/// Largest event that is parsed on a thread that others wait for, bytes: that takes a fraction of a millisecond.
const MAX_INLINE_BYTES: usize = 128 << 10;

/// Source of a service's hooks. The program's own hooks are added to them ([`Service::add`]).
#[derive(Clone)]
pub enum HookSource {
    /// hookbox's configuration, in its layers, for the folder of each event; and optionally one more file, for this service only.
    Layers(Option<PathBuf>),
    /// One file of hookbox's configuration and nothing else: neither the user's nor a project's.
    File(PathBuf),
    /// An agent's own hook files, in this order, and nothing else.
    Own(&'static dyn Dialect, Vec<PathBuf>),
    /// Only the program's own hooks.
    Nothing,
}

pub(crate) struct Source {
    surroundings: Surroundings,
    hooks: HookSource,
}

impl Source {
    fn as_hook_files<'a>(&'a self, folder: &'a Path) -> HookFiles<'a> {
        match &self.hooks {
            HookSource::Layers(session) => HookFiles::Layers { folder, session: session.as_deref() },
            HookSource::File(file) => HookFiles::Alone { folder, file: Some(file) },
            HookSource::Own(dialect, files) => HookFiles::Own { dialect: *dialect, files },
            HookSource::Nothing => HookFiles::Alone { folder, file: None },
        }
    }

    pub(crate) fn list_watched_files(&self, folder: &Path) -> Vec<PathBuf> {
        self.as_hook_files(folder).list_watched_files(&self.surroundings.places)
    }

    pub(crate) fn read_hooks(&self, folder: &Path) -> FolderHooks {
        FolderHooks::read_files(self.surroundings.clone(), self.as_hook_files(folder))
    }
}

/// A request of an agent.
pub struct AgentRequest {
    /// Its dialect; `None` to detect it from the bytes.
    pub dialect: Option<&'static dyn Dialect>,
    /// The bytes that it sent.
    pub bytes: Vec<u8>,
    /// Context that the bytes lack.
    pub arrival: ReadContext,
    /// Agent timeout, if a better value than the dialect's is known.
    pub agent_timeout: Option<Duration>,
    given_up: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    poll: FirstPoll,
}

impl AgentRequest {
    /// Creates a request of these bytes, of an agent of this dialect.
    pub fn new(dialect: Option<&'static dyn Dialect>, bytes: Vec<u8>, arrival: ReadContext) -> Self {
        Self { dialect, bytes, arrival, agent_timeout: None, given_up: None, poll: FirstPoll::default() }
    }

    /// Makes the first poll of the answer fit for a thread that others wait for; the second must be elsewhere. The first poll does
    /// nothing that may take longer than a fraction of a millisecond or waits for anything: reading and writing files, or calling other
    /// hooks than loaded plugins that were quick so far.
    #[must_use]
    pub fn stepping_aside(mut self) -> Self {
        self.poll = FirstPoll::hurried();
        self
    }

    /// Cancels the request when this future is ready: hooks under way are ended then, processes too.
    #[must_use]
    pub fn until(mut self, given_up: impl Future<Output = ()> + Send + 'static) -> Self {
        self.given_up = Some(Box::pin(given_up));
        self
    }
}

/// Result of a request.
pub struct Answered {
    /// The response to the agent.
    pub response: Response,
    /// The parsed request; `None` if it could not be parsed.
    pub request: Option<Request>,
    /// The outcome of the chain; `None` if no chain ran.
    pub outcome: Option<Outcome>,
}

/// Answers events with the hooks of one user, in a long-running program. Clones share one service.
///
/// Files are read at the first event of a folder and after a change, which takes at most a second: by a thread of their own, once for all
/// events that wait for it. Only the functions that are not async ([`host`](Self::host), [`events`](Self::events),
/// [`set_hook_enabled`](Self::set_hook_enabled)) block the calling thread.
#[derive(Clone)]
pub struct Service(Arc<Parts>);

struct Parts {
    folders: Folders,
    switched: Switched,
}

/// Builds a [`Service`].
pub struct ServiceBuilder {
    surroundings: Surroundings,
    hooks: HookSource,
    machines: Machines,
}

impl ServiceBuilder {
    /// Sets the source of hooks. Defaults to hookbox's configuration.
    #[must_use]
    pub fn hooks(mut self, hooks: HookSource) -> Self {
        self.hooks = hooks;
        self
    }

    /// Sets the machines on which hooks run. Defaults to machines of its own.
    #[must_use]
    pub fn machines(mut self, machines: &Machines) -> Self {
        self.machines = machines.clone();
        self
    }

    /// Builds the service. Nothing is read yet.
    pub fn build(self) -> Service {
        let Self { surroundings, hooks, machines } = self;
        Service(Arc::new(Parts {
            folders: Folders::new(Source { surroundings, hooks }, machines),
            switched: Switched::default(),
        }))
    }
}

impl Service {
    /// Starts a service for the user of these files.
    pub fn builder(surroundings: Surroundings) -> ServiceBuilder {
        ServiceBuilder { surroundings, hooks: HookSource::Layers(None), machines: Machines::default() }
    }

    /// Adds a hook of the program. It runs in the order of layers, with those of the session.
    pub fn add(&self, hook: CallbackHook, callback: Callback) -> HookHandle {
        self.0.folders.own().add(hook, callback)
    }

    /// Adds hooks without a file, such as those of an agent's session: after those of the files of their layer, before closures. The file
    /// of a plugin that one of them calls is not checked again while the hook is registered.
    pub fn add_hooks(&self, hooks: impl IntoIterator<Item = HookSpec>) -> HookHandle {
        self.0.folders.own().add_configured(hooks.into_iter().collect())
    }

    /// Removes hooks; false if they are removed already. A call under way is not ended.
    pub fn remove(&self, handle: HookHandle) -> bool {
        self.0.folders.own().remove(handle)
    }

    /// Switches hooks on or off for the lifetime of the service, by the names that their agent uses. Returns the number of hooks
    /// for `folder` with this name. The administrator's hooks stay on, in every folder, also those that are added later.
    pub fn set_hook_enabled(&self, folder: &Path, name: &str, enabled: bool) -> usize {
        self.0.switched.set(name, enabled);
        self.host(folder).set_hook_enabled(name, enabled)
    }

    /// Returns the hooks for events in `folder`.
    pub fn host(&self, folder: &Path) -> Host {
        let folder_state = self.0.folders.load_state_here(folder);
        self.0.switched.apply(&folder_state.host);
        folder_state.host.clone()
    }

    /// Returns the events of `folder` that have hooks, and the event of a tool call, which may be about to write hookbox's own files.
    /// With a broken configuration, also all events that can be denied.
    pub fn events(&self, folder: &Path) -> BTreeSet<EventName> {
        let folder_state = self.0.folders.load_state_here(folder);
        let broken = folder_state.folder_hooks.is_broken();
        let is_denied =
            |event: &&EventName| **event == EventName::ToolBefore || (broken && event.traits().block);
        let denied = EventName::KNOWN.iter().filter(is_denied).cloned();
        let of_hooks =
            folder_state.host.hooks().flat_map(|hook| hook.spec.events.iter().cloned()).collect::<Vec<_>>();
        denied.chain(of_hooks).collect()
    }

    /// Reads all files again at the next event.
    pub fn reload(&self) {
        self.0.folders.own().touch();
    }

    /// Returns the answer to an agent's request. There always is one.
    ///
    /// Must be called within a tokio runtime that has its timer and its I/O on.
    pub async fn answer(&self, ask: AgentRequest) -> Answered {
        // Reading files and waiting for a thread count for the agent's timeout, too.
        let begun = Instant::now();
        let AgentRequest { dialect, bytes, arrival, agent_timeout, given_up, poll } = ask;
        if bytes.len() > MAX_INLINE_BYTES {
            poll.end().await;
        }
        let request = match Request::parse_input(dialect, bytes, &arrival) {
            Ok(request) => request,
            Err(invalid) => return Answered::from_invalid(&invalid),
        };
        let run = async {
            let run = Run::for_event(self, &request.event, &poll).await;
            let mut plan = request.plan_hooks(&run.host, begun, agent_timeout);
            if let Some(given_up) = given_up {
                plan = plan.cancel_when(given_up);
            }
            // Before the chain: a hook that may take long must not be called on the thread that others wait
            // for.
            if !plan.is_brief() {
                poll.end().await;
            }
            let outcome = plan.run().await;
            if poll.is_hurried() && run.has_something_to_write(&request.event, &outcome) {
                poll.end().await;
            }
            run.record_outcome(&request.event, outcome)
        };
        let (response, outcome) = request.answer_run(run).await;
        Answered { response, request: Some(request), outcome }
    }

    /// Returns the outcome of the chain for an event that did not come as an agent's bytes. A panic in a matcher reaches the caller.
    pub async fn dispatch(&self, event: &Event) -> Outcome {
        let run = Run::new(self, event).await;
        let outcome = run.host.dispatch(event).await;
        run.record_outcome(event, outcome)
    }

    /// Returns the hooks like [`host`](Self::host), without blocking while files are read.
    pub async fn host_async(&self, folder: &Path) -> Host {
        let folder_state = self.0.folders.load_state(folder).await;
        self.0.switched.apply(&folder_state.host);
        folder_state.host.clone()
    }

    /// Returns what is wrong with the user's files for `folder`, if hooks may be missing because of it.
    pub(crate) async fn broken_configuration(&self, folder: &Path) -> Option<String> {
        self.0.folders.load_state(folder).await.folder_hooks.broken()
    }

    /// Returns the state of the folder of an event, if no file has to be read for it.
    fn at_hand(&self, event: &Event) -> Option<Arc<FolderState>> {
        let folder_state = self.0.folders.at_hand(Path::new(&event.cwd))?;
        folder_state.have_all_for(event).then_some(folder_state)
    }
}

impl Answered {
    fn from_invalid(invalid: &InvalidRequest) -> Self {
        Self { response: invalid.response(), request: None, outcome: None }
    }
}

/// The run of one event through the hooks of its folder.
struct Run {
    folder_state: Arc<FolderState>,
    /// Hooks with the user's overrides for this call, if there are any.
    allowed: Option<FolderHooks>,
    host: Host,
}

impl Run {
    /// Starts a run, on the current thread if nothing has to be read.
    async fn for_event(service: &Service, event: &Event, poll: &FirstPoll) -> Self {
        if let Some(folder_state) = service.at_hand(event).filter(|_| poll.is_hurried()) {
            return Self::with_state(folder_state, None, service, event);
        }
        poll.end().await;
        Self::new(service, event).await
    }

    async fn new(service: &Service, event: &Event) -> Self {
        let folders = &service.0.folders;
        let folder_state = folders.load_state(Path::new(&event.cwd)).await;
        folder_state.folder_hooks.recall_runs(event, folder_state.host.machine());
        let allowed = if folder_state.folder_hooks.may_be_allowed(event) {
            Some(folders.read_allowing(event).await)
        } else {
            None
        };
        Self::with_state(folder_state, allowed, service, event)
    }

    fn with_state(
        folder_state: Arc<FolderState>,
        allowed: Option<FolderHooks>,
        service: &Service,
        event: &Event,
    ) -> Self {
        let Parts { folders, switched } = &*service.0;
        let host = match &allowed {
            Some(folder_hooks) => folder_state
                .host
                .machine()
                .create_host(folders.own().added_to(folder_hooks.hooks_for(&event.name))),
            None => folder_state.host_for(folders.own(), &event.name),
        };
        // Each time: a host that was read again has all its hooks on.
        switched.apply(&host);
        Self { folder_state, allowed, host }
    }

    fn has_something_to_write(&self, event: &Event, outcome: &Outcome) -> bool {
        self.allowed.is_some()
            || self.folder_state.folder_hooks.has_own_files_to_note(event)
            || !self.folder_state.folder_hooks.has_nothing_to_write(&self.host.machine().counts(), outcome)
    }

    /// Saves state and log, and adds notices to the outcome. Failures of this do not fail the event.
    fn record_outcome(&self, event: &Event, mut outcome: Outcome) -> Outcome {
        let folder_hooks = self.allowed.as_ref().unwrap_or(&self.folder_state.folder_hooks);
        folder_hooks.tell_allowances(&mut outcome);
        folder_hooks.tell_waiting(event, &mut outcome);
        folder_hooks.check_own_files(event, &mut outcome);
        let keep = || {
            // Counts that cannot be written are kept in memory.
            let _kept = self.folder_state.folder_hooks.keep_counts(event, self.host.machine().counts());
            let _logged = folder_hooks.log_outcome(event, &outcome);
        };
        // The outcome is known; a bug in the log must not turn an allow or a deny into a failure.
        let _panicked = catch_unwind(AssertUnwindSafe(keep));
        outcome
    }
}
