//! Answers events as long as the program lives.

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
    Callback, CallbackHook, HookSpec, Host, Question, Response, Unread,
    dialect::{Arrival, Dialect},
    model::{Event, EventName, Outcome},
};
use hookbox_files::{HookFiles, Setup, Surroundings};

use crate::{
    first_poll::FirstPoll,
    machines::Machines,
    own_hooks::HookHandle,
    rules::{Folders, Rules},
    switched::Switched,
};

/// Largest event that is read on a thread that others wait for, bytes: that takes a fraction of a millisecond.
const MOST_AT_ONCE: usize = 128 << 10;

/// Where a service's hooks come from. The program's own are added to them ([`Service::add`]).
#[derive(Clone)]
pub enum HookSource {
    /// hookbox's own configuration, in its layers, around the folder of each event; and one more file, for this service only.
    Layers(Option<PathBuf>),
    /// One file of hookbox's configuration and nothing else: neither the user's nor a project's.
    File(PathBuf),
    /// Hook files of an agent's own, in this order, and nothing else.
    Own(&'static dyn Dialect, Vec<PathBuf>),
    /// The program's own hooks alone.
    Nothing,
}

/// What rules are read from.
pub(crate) struct Source {
    surroundings: Surroundings,
    hooks: HookSource,
}

impl Source {
    fn files<'a>(&'a self, folder: &'a Path) -> HookFiles<'a> {
        match &self.hooks {
            HookSource::Layers(session) => HookFiles::Layers { folder, session: session.as_deref() },
            HookSource::File(file) => HookFiles::Alone { folder, file: Some(file) },
            HookSource::Own(dialect, files) => HookFiles::Own { dialect: *dialect, files },
            HookSource::Nothing => HookFiles::Alone { folder, file: None },
        }
    }

    pub(crate) fn watched(&self, folder: &Path) -> Vec<PathBuf> {
        self.files(folder).watched(&self.surroundings.places)
    }

    pub(crate) fn read(&self, folder: &Path) -> Setup {
        Setup::read(self.surroundings.clone(), self.files(folder))
    }
}

/// What an agent asks.
pub struct Ask {
    /// Its dialect; `None` if the bytes must tell.
    pub dialect: Option<&'static dyn Dialect>,
    /// What it sent.
    pub bytes: Vec<u8>,
    /// What the bytes do not tell.
    pub arrival: Arrival,
    /// How long it waits, if it is known better than by its dialect.
    pub patience: Option<Duration>,
    given_up: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    poll: FirstPoll,
}

impl Ask {
    /// These bytes, of an agent of this dialect.
    pub fn new(dialect: Option<&'static dyn Dialect>, bytes: Vec<u8>, arrival: Arrival) -> Self {
        Self { dialect, bytes, arrival, patience: None, given_up: None, poll: FirstPoll::default() }
    }

    /// The first poll of its answer is on a thread that others wait for, the second is not. What may take longer than a
    /// fraction of a millisecond or waits for anything is not done in the first: to read and write files, or to call another hook
    /// than a plugin that is loaded and was quick so far.
    #[must_use]
    pub fn stepping_aside(mut self) -> Self {
        self.poll = FirstPoll::hurried();
        self
    }

    /// Until nobody wants the answer any more: hooks under way are ended then, processes too.
    #[must_use]
    pub fn until(mut self, given_up: impl Future<Output = ()> + Send + 'static) -> Self {
        self.given_up = Some(Box::pin(given_up));
        self
    }
}

/// What came of it.
pub struct Answered {
    /// What the agent is told.
    pub response: Response,
    /// What was asked about; `None` if it could not be read.
    pub question: Option<Question>,
    /// What the chain came to; `None` if there was none.
    pub outcome: Option<Outcome>,
}

/// Answers events by the hooks of one user, as long as the program lives. Clones are the same service.
///
/// Files are read at the first event of a folder and after a change, which takes at most a second: by a thread of their own, once for
/// all events that wait for it. Only what is no future ([`host`](Self::host), [`events`](Self::events),
/// [`set_hook_enabled`](Self::set_hook_enabled)) holds up the thread that asks.
#[derive(Clone)]
pub struct Service(Arc<Parts>);

struct Parts {
    folders: Folders,
    switched: Switched,
}

/// Puts a [`Service`] together.
pub struct ServiceBuilder {
    surroundings: Surroundings,
    hooks: HookSource,
    machines: Machines,
}

impl ServiceBuilder {
    /// Where hooks come from, if not from hookbox's configuration.
    #[must_use]
    pub fn hooks(mut self, hooks: HookSource) -> Self {
        self.hooks = hooks;
        self
    }

    /// What its hooks run on, if not on machines of its own.
    #[must_use]
    pub fn machines(mut self, machines: &Machines) -> Self {
        self.machines = machines.clone();
        self
    }

    /// The service. Nothing is read yet.
    pub fn build(self) -> Service {
        let Self { surroundings, hooks, machines } = self;
        Service(Arc::new(Parts {
            folders: Folders::new(Source { surroundings, hooks }, machines),
            switched: Switched::default(),
        }))
    }
}

impl Service {
    /// For the user whose files these are.
    pub fn builder(surroundings: Surroundings) -> ServiceBuilder {
        ServiceBuilder { surroundings, hooks: HookSource::Layers(None), machines: Machines::default() }
    }

    /// Adds a hook of the program's own. It runs in the order of layers, with those of the session.
    pub fn add(&self, hook: CallbackHook, callback: Callback) -> HookHandle {
        self.0.folders.own().add(hook, callback)
    }

    /// Adds hooks that are in no file, such as those of an agent's session: behind those of the files of their layer, before
    /// closures. A plugin that one calls is not looked at again while it is there.
    pub fn add_hooks(&self, hooks: impl IntoIterator<Item = HookSpec>) -> HookHandle {
        self.0.folders.own().add_configured(hooks.into_iter().collect())
    }

    /// Takes one out again; false if it is out. A call that is under way is not ended.
    pub fn remove(&self, handle: HookHandle) -> bool {
        self.0.folders.own().remove(handle)
    }

    /// Switches hooks on or off for as long as the service lives, by what their agent knows them by. Returns how many hooks of the
    /// rules for `folder` that are. The administrator's stay on, in every folder, and whenever they come.
    pub fn set_hook_enabled(&self, folder: &Path, name: &str, enabled: bool) -> usize {
        self.0.switched.set(name, enabled);
        self.host(folder).set_hook_enabled(name, enabled)
    }

    /// The hooks for what happens in `folder`.
    pub fn host(&self, folder: &Path) -> Host {
        let rules = self.0.folders.rules_here(folder);
        self.0.switched.apply(&rules.host);
        rules.host.clone()
    }

    /// Events of `folder` that a hook is for, and that of a call, which may be about to write hookbox's own files. Where the
    /// configuration is broken that is all that can be denied.
    pub fn events(&self, folder: &Path) -> BTreeSet<EventName> {
        let rules = self.0.folders.rules_here(folder);
        let broken = rules.setup.is_broken();
        let is_denied =
            |event: &&EventName| **event == EventName::ToolBefore || (broken && event.traits().block);
        let denied = EventName::KNOWN.iter().filter(is_denied).cloned();
        let heard = rules.host.hooks().flat_map(|hook| hook.spec.events.iter().cloned()).collect::<Vec<_>>();
        denied.chain(heard).collect()
    }

    /// Reads all files anew at the next event.
    pub fn reload(&self) {
        self.0.folders.own().touch();
    }

    /// The answer to what an agent sent. Whatever happens, there is one.
    ///
    /// Must be called within a tokio runtime that has its timer and its I/O on.
    pub async fn answer(&self, ask: Ask) -> Answered {
        let begun = Instant::now();
        let Ask { dialect, bytes, arrival, patience, given_up, poll } = ask;
        if bytes.len() > MOST_AT_ONCE {
            poll.end().await;
        }
        let question = match Question::read(dialect, bytes, &arrival) {
            Ok(question) => question,
            Err(unread) => return Answered::unread(&unread),
        };
        let run = async {
            let run = Run::begun(self, &question.event, &poll).await;
            let mut plan = question.plan(&run.host, begun, patience);
            if let Some(given_up) = given_up {
                plan = plan.until(given_up);
            }
            if !plan.is_brief() {
                poll.end().await;
            }
            let outcome = plan.run().await;
            if poll.is_hurried() && run.has_something_to_write(&outcome) {
                poll.end().await;
            }
            run.done(&question.event, outcome)
        };
        let (response, outcome) = question.answered(run).await;
        Answered { response, question: Some(question), outcome }
    }

    /// What the chain comes to for an event that is no agent's bytes. A panic in a matcher is the caller's.
    pub async fn dispatch(&self, event: &Event) -> Outcome {
        let run = Run::new(self, event).await;
        let outcome = run.host.dispatch(event).await;
        run.done(event, outcome)
    }

    /// [`host`](Self::host) for who must not hold up its thread while files are read.
    pub async fn host_async(&self, folder: &Path) -> Host {
        let rules = self.0.folders.rules(folder).await;
        self.0.switched.apply(&rules.host);
        rules.host.clone()
    }

    /// Returns what is wrong with the user's files for `folder`, if hooks may be missing because of it.
    pub(crate) async fn broken_configuration(&self, folder: &Path) -> Option<String> {
        self.0.folders.rules(folder).await.setup.broken()
    }

    /// The rules for an event, if neither they nor what else is known of it have to be read.
    fn at_hand(&self, event: &Event) -> Option<Arc<Rules>> {
        let rules = self.0.folders.at_hand(Path::new(&event.cwd))?;
        rules.have_all_for(event).then_some(rules)
    }
}

impl Answered {
    fn unread(unread: &Unread) -> Self {
        Self { response: unread.response(), question: None, outcome: None }
    }
}

/// One event's way through the hooks of its folder.
struct Run {
    rules: Arc<Rules>,
    /// What a person has allowed of just this call is known to rules of its own.
    allowed: Option<Setup>,
    host: Host,
}

impl Run {
    /// On the thread that it is on if nothing is to be read.
    async fn begun(service: &Service, event: &Event, poll: &FirstPoll) -> Self {
        if let Some(rules) = service.at_hand(event).filter(|_| poll.is_hurried()) {
            return Self::by(rules, None, service, event);
        }
        poll.end().await;
        Self::new(service, event).await
    }

    async fn new(service: &Service, event: &Event) -> Self {
        let folders = &service.0.folders;
        let rules = folders.rules(Path::new(&event.cwd)).await;
        rules.setup.recall(event, rules.host.machine());
        let allowed =
            if rules.setup.may_be_allowed(event) { Some(folders.allowing(event).await) } else { None };
        Self::by(rules, allowed, service, event)
    }

    fn by(rules: Arc<Rules>, allowed: Option<Setup>, service: &Service, event: &Event) -> Self {
        let Parts { folders, switched } = &*service.0;
        let host = match &allowed {
            Some(setup) => rules.host.machine().host(folders.own().added_to(setup.hooks_for(&event.name))),
            None => rules.host_for(folders.own(), &event.name),
        };
        switched.apply(&host);
        Self { rules, allowed, host }
    }

    fn has_something_to_write(&self, outcome: &Outcome) -> bool {
        self.allowed.is_some()
            || !self.rules.setup.has_nothing_to_write(&self.host.machine().counts(), outcome)
    }

    /// Keeps and tells what is to be kept and told. None of it is a reason to fail the event.
    fn done(&self, event: &Event, mut outcome: Outcome) -> Outcome {
        let setup = self.allowed.as_ref().unwrap_or(&self.rules.setup);
        setup.tell_allowances(&mut outcome);
        setup.tell_waiting(event, &mut outcome);
        let keep = || {
            // What cannot be written is counted in memory all the same.
            let _kept = self.rules.setup.keep(event, self.host.machine().counts());
            let _logged = setup.log(event, &outcome);
        };
        let _panicked = catch_unwind(AssertUnwindSafe(keep));
        outcome
    }
}
