//! A host.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use futures_util::FutureExt as _;
use hookbox_binding::{
    BindingError, BoundHost, Envelope, ErrorCode, FunctionFailure, HookHandle, HostOptions, NamedPlaces, Pool,
};
use napi::{
    Env, Error, Status,
    bindgen_prelude::{Buffer, Either, Function, Object},
};
use napi_derive::napi;
use tokio::{
    runtime::{Builder, Runtime},
    sync::oneshot,
};

use crate::{
    bus::{MessageArguments, NativeBus},
    function::{Arguments, Caller, JavaScriptFunction, WaitingCalls},
    settled::Settled,
};

/// Threads that drive hooks, for all hosts of the process.
const THREADS: usize = 2;

/// Options of a host.
#[napi(object)]
pub struct Options {
    /// One file of hookbox's configuration and nothing else.
    pub config: Option<String>,
    /// One more file.
    pub session: Option<String>,
    /// `false`: no files.
    pub hooks: Option<bool>,
    /// The agent whose hook files `source` are.
    pub agent: Option<String>,
    /// An agent's own hook files.
    pub source: Option<Vec<String>>,
    /// The home folder.
    pub home: Option<String>,
    /// The folder of the configuration.
    pub config_home: Option<String>,
    /// The folder of what is kept.
    pub state_home: Option<String>,
    /// The folder of compiled plugins.
    pub cache_home: Option<String>,
    /// The program that compiles plugins.
    pub compiler: Option<String>,
    /// The folder of the shipped plugins.
    pub plugins: Option<String>,
    /// The folder of what comes with the package.
    pub package: String,
    /// The program's variables.
    pub environment: HashMap<String, String>,
}

/// An error's code.
pub struct Code(&'static str);

impl AsRef<str> for Code {
    fn as_ref(&self) -> &str {
        self.0
    }
}

impl From<Status> for Code {
    fn from(_: Status) -> Self {
        Self(ErrorCode::Bug.as_str())
    }
}

pub(crate) fn thrown(error: BindingError) -> Error<Code> {
    Error::new(Code(error.code.as_str()), error.message)
}

/// A host, as `index.js` has it.
#[napi]
pub struct NativeHost {
    host: BoundHost,
    caller: Arc<Caller>,
    waiting: Arc<WaitingCalls>,
    hooks: Mutex<HashMap<u32, (String, HookHandle)>>,
    /// Calls that can still be cancelled.
    under_way: Arc<Mutex<HashMap<u32, oneshot::Sender<()>>>>,
}

#[napi]
impl NativeHost {
    /// A host, and the function that calls hooks.
    #[napi(constructor)]
    pub fn new(options: Options, call: Function<'_, Arguments, ()>) -> napi::Result<Self, Code> {
        let host = BoundHost::new(&options.read().map_err(thrown)?.whole(), pool()).map_err(thrown)?;
        let caller =
            call.build_threadsafe_function::<Arguments>().callee_handled::<false>().weak::<true>().build();
        let caller = caller.map_err(|error| Error::new(Code::from(error.status), error.reason.clone()))?;
        Ok(Self {
            host,
            caller: Arc::new(caller),
            waiting: Arc::default(),
            hooks: Mutex::default(),
            under_way: Arc::default(),
        })
    }

    /// Returns the answer to an agent's input, or a promise of it, which can be cancelled by `number`.
    #[napi]
    pub fn answer<'env>(
        &self,
        env: &'env Env,
        number: u32,
        agent: Option<String>,
        bytes: Buffer,
        cwd: String,
        agent_timeout: Option<f64>,
    ) -> napi::Result<Either<Settled, Object<'env>>> {
        let envelope = envelope(agent, bytes.to_vec(), cwd, agent_timeout);
        let host = self.host.clone();
        self.begin_here(env, number, async move {
            let answered = match envelope.and_then(Envelope::open) {
                Ok(ask) => Ok(host.answer(ask.stepping_aside()).await),
                Err(error) => Err(error),
            };
            Settled::of_answer(answered)
        })
    }

    /// Answers an event while this thread waits.
    #[napi]
    pub fn answer_sync(
        &self,
        agent: Option<String>,
        bytes: Buffer,
        cwd: String,
        agent_timeout: Option<f64>,
    ) -> Settled {
        let call = async {
            let ask = envelope(agent, bytes.to_vec(), cwd, agent_timeout)?.open()?;
            Ok(self.host.answer(ask).await)
        };
        Settled::of_answer(self.block_on(call))
    }

    /// Returns a promise of the hooks' outcome for the event in this JSON text.
    #[napi]
    pub fn dispatch<'env>(
        &self,
        env: &'env Env,
        number: u32,
        event: String,
        cwd: String,
    ) -> napi::Result<Object<'env>> {
        let host = self.host.clone();
        let call = async move { Settled::of_text(host.dispatch(&event, &PathBuf::from(cwd)).await) };
        self.begin(env, number, call)
    }

    /// Returns the hooks' outcome for an event while this thread waits.
    #[napi]
    pub fn dispatch_sync(&self, event: String, cwd: String) -> Settled {
        let cwd = PathBuf::from(cwd);
        Settled::of_text(self.block_on(self.host.dispatch(&event, &cwd)))
    }

    /// Gives a call up that `answer` or `dispatch` has begun, with all that it has started.
    #[napi]
    pub fn give_up(&self, number: u32) {
        let sender = locked(&self.under_way).remove(&number);
        let _ended = sender.map(|sender| sender.send(()).is_err());
    }

    /// Makes the function of this number a hook, by these words as JSON text; returns its name.
    #[napi]
    pub fn add(&self, number: u32, words: String) -> napi::Result<String, Code> {
        let name = BoundHost::name_of_hook(&words).map_err(thrown)?;
        let mut hooks = locked(&self.hooks);
        if hooks.values().any(|(known, _)| *known == name) {
            let message =
                format!("a hook of this program is called {name:?} already; give this one another `name`");
            return Err(thrown(BindingError::new(ErrorCode::NameTaken, message)));
        }
        let function = JavaScriptFunction {
            hook: number,
            caller: Arc::clone(&self.caller),
            waiting: Arc::clone(&self.waiting),
        };
        let handle = self.host.hook(&words, Arc::new(function)).map_err(thrown)?;
        hooks.insert(number, (name.clone(), handle));
        Ok(name)
    }

    /// Takes a function out again; false if it is out.
    #[napi]
    pub fn take_out(&self, number: u32) -> bool {
        let hook = locked(&self.hooks).remove(&number);
        hook.is_some_and(|(_, handle)| self.host.remove(handle))
    }

    /// Delivers the value that a function returned, as JSON text.
    #[napi]
    pub fn answered(&self, call: u32, text: String) {
        self.waiting.settle(call, Ok(text));
    }

    /// Delivers the failure of a function: the reason and the place.
    #[napi]
    pub fn failed(&self, call: u32, message: String, trace: String) {
        self.waiting.settle(call, Err(FunctionFailure { message, trace }));
    }

    /// Creates a message bus for a session that works in `cwd`; `hear` receives each message.
    #[napi]
    pub fn bus(
        &self,
        session: Option<String>,
        cwd: String,
        hear: Function<'_, MessageArguments, ()>,
    ) -> napi::Result<NativeBus, Code> {
        NativeBus::of(&self.host, session, &PathBuf::from(cwd), hear)
    }

    /// Switches hooks on or off by name; returns how many of `cwd` that are.
    #[napi]
    pub fn set_enabled(&self, cwd: String, name: String, enabled: bool) -> u32 {
        u32::try_from(self.host.set_enabled(&PathBuf::from(cwd), &name, enabled)).unwrap_or(u32::MAX)
    }

    /// The events that hooks of `cwd` are for.
    #[napi]
    pub fn events(&self, cwd: String) -> Vec<String> {
        self.host.events(&PathBuf::from(cwd))
    }

    /// The hooks of `cwd`, as JSON text.
    #[napi]
    pub fn hooks(&self, cwd: String) -> String {
        self.host.hooks(&PathBuf::from(cwd))
    }

    /// Loads and compiles what hooks of `cwd` call, as a promise of those that cannot be made ready.
    #[napi]
    pub fn prepare<'env>(&self, env: &'env Env, number: u32, cwd: String) -> napi::Result<Object<'env>> {
        let host = self.host.clone();
        self.begin(env, number, async move { Settled::of_text(Ok(host.prepare(&PathBuf::from(cwd)).await)) })
    }

    /// Reads all files anew at the next event.
    #[napi]
    pub fn reload(&self) {
        self.host.reload();
    }
}

impl NativeHost {
    /// Returns the result of a call if its first poll does not have to wait, because handing the call to another
    /// thread and its result back takes several times as long as a hook of wasm. Otherwise returns a promise of the
    /// result.
    fn begin_here<'env>(
        &self,
        env: &'env Env,
        number: u32,
        call: impl Future<Output = Settled> + Send + 'static,
    ) -> napi::Result<Either<Settled, Object<'env>>> {
        let runtime = runtime().map_err(|error| Error::from_reason(error.message))?;
        let mut call = Box::pin(settled(call));
        let ended = {
            let _entered = runtime.enter();
            call.as_mut().now_or_never()
        };
        match ended {
            Some(ended) => Ok(Either::A(ended)),
            None => self.begin(env, number, call).map(Either::B),
        }
    }

    /// Runs a call on hookbox's threads; returns a promise of the result.
    fn begin<'env>(
        &self,
        env: &'env Env,
        number: u32,
        call: impl Future<Output = Settled> + Send + 'static,
    ) -> napi::Result<Object<'env>> {
        let (deferred, promise) = env.create_deferred()?;
        let runtime = runtime().map_err(|error| Error::from_reason(error.message))?;
        let (sender, given_up) = oneshot::channel();
        locked(&self.under_way).insert(number, sender);
        let under_way = Arc::clone(&self.under_way);
        runtime.spawn(async move {
            let ended = tokio::select! {
                biased;
                ended = settled(call) => ended,
                Ok(()) = given_up => Settled::of_text(Err(BindingError::new(ErrorCode::Ending, "the call was given up"))),
            };
            locked(&under_way).remove(&number);
            deferred.resolve(move |_| Ok(ended));
        });
        Ok(promise)
    }

    /// Functions of JavaScript run on the thread that would wait.
    fn block_on<T>(&self, call: impl Future<Output = Result<T, BindingError>>) -> Result<T, BindingError> {
        if !locked(&self.hooks).is_empty() {
            let message = "a call that waits holds the thread that this host's functions need; await `answer` or `dispatch`";
            return Err(BindingError::new(ErrorCode::Blocking, message));
        }
        let run = || runtime().and_then(|runtime| runtime.block_on(call));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
            .unwrap_or_else(|_| Err(BindingError::bug()))
    }
}

/// Awaits a call, and returns an error if it panics.
async fn settled(call: impl Future<Output = Settled>) -> Settled {
    let ended = std::panic::AssertUnwindSafe(call).catch_unwind().await;
    ended.unwrap_or_else(|_| Settled::of_text(Err(BindingError::bug())))
}

impl Options {
    fn read(self) -> Result<HostOptions, BindingError> {
        let path = |path: Option<String>| path.map(PathBuf::from);
        let own = match (self.agent, self.source) {
            (None, None) => None,
            (Some(agent), Some(source)) => Some((agent, source.into_iter().map(PathBuf::from).collect())),
            _ => {
                let message =
                    "`source`, an agent's own hook files, goes with `agent`, which says whose they are";
                return Err(BindingError::new(ErrorCode::Options, message));
            }
        };
        Ok(HostOptions {
            config: path(self.config),
            session: path(self.session),
            without_files: self.hooks == Some(false),
            own,
            places: NamedPlaces {
                home: path(self.home),
                config: path(self.config_home),
                cache: path(self.cache_home),
                state: path(self.state_home),
            },
            compiler: path(self.compiler),
            plugins: path(self.plugins),
            package: PathBuf::from(self.package),
            functions_here: false,
            variables: self.environment.into_iter().collect(),
        })
    }
}

fn envelope(
    agent: Option<String>,
    bytes: Vec<u8>,
    cwd: String,
    agent_timeout: Option<f64>,
) -> Result<Envelope, BindingError> {
    let duration = |milliseconds: f64| {
        let problem = format!("`agentTimeoutMs` is {milliseconds}, but must be milliseconds from 0 on");
        Duration::try_from_secs_f64(milliseconds / 1000.0)
            .map_err(|_| BindingError::new(ErrorCode::Options, problem))
    };
    Ok(Envelope {
        agent,
        bytes,
        cwd: PathBuf::from(cwd),
        agent_timeout: agent_timeout.map(duration).transpose()?,
    })
}

/// Returns the runtime that drives calls, for all threads of the process.
pub(crate) fn runtime() -> Result<&'static Runtime, BindingError> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let made = || {
        Builder::new_multi_thread().worker_threads(THREADS).thread_name("hookbox").enable_all().build().ok()
    };
    let none = || BindingError::new(ErrorCode::Bug, "no threads can be started");
    RUNTIME.get_or_init(made).as_ref().ok_or_else(none)
}

/// The machines of all hosts of the process.
fn pool() -> &'static Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    POOL.get_or_init(Pool::default)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
