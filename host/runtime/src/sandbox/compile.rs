//! Component to native code, in a process of its own: a compile can be bounded and killed, and the host stays small.

use std::{
    ffi::OsString,
    fmt::Debug,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use hookbox_model::{Failure, FailureCode, Proposals};
use hookbox_platform::process::{Starter, start, time_of_children};
use tokio::sync::oneshot;

use super::{
    inspect::Anatomy,
    script::{Language, SCRIPT},
};

/// Largest native code that is taken from the compiler, bytes.
const MAX_CODE_BYTES: u64 = 512 << 20;
/// Most that is read of what the compiler says went wrong, bytes.
const MAX_COMPLAINT_BYTES: u64 = 4096;
/// Stack of a thread that moves bytes, bytes.
const STACK: usize = 256 << 10;

/// Who compiles.
#[derive(Clone, Debug)]
pub enum Compiler {
    /// The program `hookbox-compile` at this path: component on its standard input, native code on its output.
    Process(PathBuf),
    /// This process, unbounded in time and memory.
    #[cfg(feature = "compiler")]
    InProcess,
    /// Nobody: only what the cache holds can run.
    None,
    /// The same, for this reason, which is for people.
    Missing(String),
    /// This one, and somebody is told of each component that it compiles.
    Watched(Box<Self>, Arc<dyn CompileWatcher>),
}

/// Who is told of components that are compiled: it takes seconds, and nobody likes to wait without a word.
pub trait CompileWatcher: Debug + Send + Sync {
    /// The plugin at this path is compiled now; what is returned is dropped when that has ended, however it did.
    fn begins(&self, plugin: &Path) -> Box<dyn Send>;
}

impl Compiler {
    /// The same compiler, watched.
    #[must_use]
    pub fn watched(self, watcher: Arc<dyn CompileWatcher>) -> Self {
        Self::Watched(Box::new(self), watcher)
    }

    /// The program, if it is one and there.
    pub(super) fn program(&self) -> Option<&Path> {
        match self {
            Self::Process(program) => Some(program),
            Self::Watched(compiler, _) => compiler.program(),
            _ => None,
        }
    }

    /// Compiles the component, which is from the file at `path`, and counts the processor time that it takes. Dropping the future
    /// kills the compiler.
    pub(super) async fn compile(
        &self,
        path: &Path,
        component: Vec<u8>,
        proposals: Proposals,
        spent: &Spent,
    ) -> Result<Vec<u8>, CompileError> {
        match self {
            Self::Process(program) => run(program, (Task::Compile(proposals), path), component, spent).await,
            #[cfg(feature = "compiler")]
            Self::InProcess => {
                let component = component_of(path, component).map_err(CompileError::Refused)?;
                precompile_with(&component, proposals).map_err(CompileError::Refused)
            }
            Self::None => Err(CompileError::Failed(NO_COMPILER.to_owned())),
            Self::Missing(why) => Err(CompileError::Failed(why.clone())),
            Self::Watched(compiler, watcher) => {
                let _watched = watcher.begins(path);
                Box::pin(compiler.compile(path, component, proposals, spent)).await
            }
        }
    }

    /// Tells what a component, or a core module, is made of.
    pub(super) async fn inspect(&self, path: &Path, component: Vec<u8>) -> Result<Anatomy, Failure> {
        let anatomy = match self {
            Self::Process(program) => {
                let said = run(program, (Task::Inspect, path), component, &Spent::default()).await;
                let misfit = |_| CompileError::Failed("the compiler does not fit this hookbox".to_owned());
                said.and_then(|said| serde_json::from_slice(&said).map_err(misfit))
            }
            #[cfg(feature = "compiler")]
            Self::InProcess => component_of(path, component)
                .and_then(|component| super::inspect::read(&component))
                .map_err(CompileError::Refused),
            Self::None => Err(CompileError::Failed(NO_COMPILER.to_owned())),
            Self::Missing(why) => Err(CompileError::Failed(why.clone())),
            Self::Watched(compiler, _) => return Box::pin(compiler.inspect(path, component)).await,
        };
        anatomy.map_err(|undone| undone.of(Task::Inspect, path))
    }
}

const NO_COMPILER: &str = "there is no compiler";

/// What the compiler's program is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    Compile(Proposals),
    Inspect,
}

/// The word that has the compiler's program tell what a component is made of.
pub const INSPECT: &str = "--inspect";

/// The word that has the compiler's program say the component that it makes of a script, for who hands it on.
pub const COMPONENT: &str = "--component";

/// The word that is followed by the proposals that a component needs.
pub const FEATURES: &str = "--features";

/// The word that asks for native code which each processor of this architecture runs, not only this one: programs are measured on an
/// emulated processor that knows less.
pub const BASELINE: &str = "--baseline";

/// The exit code by which the compiler's program says no to a component; with any other it has failed itself.
pub const REFUSED: u8 = 65;

impl Task {
    /// The words for the compiler's program, of the plugin at this path.
    fn arguments(self, path: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = match self {
            Self::Compile(proposals) if proposals.is_none() => vec![],
            Self::Compile(proposals) => vec![FEATURES.into(), proposals.names().into()],
            Self::Inspect => vec![INSPECT.into()],
        };
        if let Some((language, name)) = Language::of(path).zip(path.file_name()) {
            words.extend([SCRIPT.into(), language.word().into(), name.to_owned()]);
        }
        words
    }
}

/// Why a task was not done, in words that name no plugin.
#[derive(Debug)]
pub(super) enum CompileError {
    /// The component is at fault.
    Refused(String),
    /// It could not be begun or ended.
    Failed(String),
}

impl CompileError {
    /// The same, of the plugin at `path`.
    pub(super) fn of(self, task: Task, path: &Path) -> Failure {
        let plugin = path.display();
        let (code, message) = match (self, task) {
            (Self::Refused(said), Task::Compile(proposals)) => {
                let may_help = proposals.is_none() && Language::of(path).is_none();
                let help = if may_help { help(&said) } else { "" };
                (FailureCode::BadComponent, format!("the plugin {plugin} cannot be compiled: {said}{help}"))
            }
            (Self::Refused(said), Task::Inspect) => {
                (FailureCode::BadComponent, format!("the plugin {plugin} cannot be read: {said}"))
            }
            (Self::Failed(why), Task::Compile(_)) => return not_compiled(path, &why),
            (Self::Failed(why), Task::Inspect) => {
                (FailureCode::Internal, format!("what the plugin {plugin} is made of is not known: {why}"))
            }
        };
        Failure::new(code, &message)
    }
}

/// The component that is made of the plugin at this path.
#[cfg(feature = "compiler")]
fn component_of(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    match Language::of(path).zip(path.file_name()) {
        Some((language, name)) => super::script::component(language, &name.to_string_lossy(), &bytes),
        None => Ok(bytes),
    }
}

/// What to write for what was refused, by the words of wasmtime's reader.
fn help(said: &str) -> &'static str {
    match () {
        () if said.contains("exceptions") || said.contains("exception") => {
            "; if it is your own, write `features = [\"exceptions\"]` into its `wasm`"
        }
        () if said.contains("gc ") || said.contains("function references") => {
            "; if it is your own, write `features = [\"gc\"]` into its `wasm`"
        }
        () => "",
    }
}

/// Compiles a component, or a core module, in this process.
#[cfg(feature = "compiler")]
pub fn precompile(component: &[u8]) -> Result<Vec<u8>, String> {
    precompile_with(component, Proposals::NONE)
}

/// The same of one that needs these.
#[cfg(feature = "compiler")]
pub fn precompile_with(component: &[u8], proposals: Proposals) -> Result<Vec<u8>, String> {
    precompile_by(&config_of(proposals), component)
}

/// The same for each processor of this architecture.
#[cfg(feature = "compiler")]
pub fn precompile_baseline(component: &[u8], proposals: Proposals) -> Result<Vec<u8>, String> {
    let mut config = config_of(proposals);
    let target = format!("{}-unknown-{}-gnu", std::env::consts::ARCH, std::env::consts::OS);
    config.target(&target).map_err(|error| format!("{error:#}"))?;
    precompile_by(&config, component)
}

#[cfg(feature = "compiler")]
fn config_of(proposals: Proposals) -> wasmtime::Config {
    super::settings::config_with(proposals, &hookbox_model::Limits::default())
}

#[cfg(feature = "compiler")]
fn precompile_by(config: &wasmtime::Config, component: &[u8]) -> Result<Vec<u8>, String> {
    let is_module = component.get(4..8) == Some(&[1, 0, 0, 0]);
    wasmtime::Engine::new(config)
        .and_then(|engine| {
            if is_module {
                engine.precompile_module(component)
            } else {
                engine.precompile_component(component)
            }
        })
        .map_err(|error| format!("{error:#}"))
}

/// By threads and not by the reactor, which a host with wasm hooks alone does not need.
#[expect(clippy::disallowed_methods, reason = "one of the two places where a process starts")]
async fn run(
    program: &Path,
    (task, plugin): (Task, &Path),
    component: Vec<u8>,
    spent: &Spent,
) -> Result<Vec<u8>, CompileError> {
    let failed = |what: &str| {
        let program = program.display();
        CompileError::Failed(format!("the compiler {program} {what}"))
    };
    let mut command = Command::new(program);
    command
        .args(task.arguments(plugin))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let spent = spent.clone();
    let mut child = start(command, |child, starter| Running { child, spent, _starter: starter })
        .await
        .map_err(|error| failed(&format!("cannot be started: {error}; install it next to hookbox")))?;
    let output = child.exchange(component);
    let Output { code, complaint } = output.await.ok_or_else(|| failed("did not answer"))?;
    let status = child.reap().map_err(|error| failed(&format!("cannot be waited for: {error}")))?;
    match status.code() {
        Some(0) => Ok(code),
        Some(code) if code == i32::from(REFUSED) => {
            Err(CompileError::Refused(String::from_utf8_lossy(&complaint).trim().to_owned()))
        }
        Some(_) => {
            let complaint = String::from_utf8_lossy(&complaint);
            Err(failed(&format!("ended with {status}: {}", complaint.trim())))
        }
        // It aborts where a script is nested deeper than its stack; the next attempt would, too.
        None if Language::of(plugin).is_some() && status.to_string().contains("SIGABRT") => {
            Err(CompileError::Refused("it is nested too deep to be read".to_owned()))
        }
        None => Err(failed(&format!("was ended by the system ({status})"))),
    }
}

/// Processor time of compilers that have ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Spent(Arc<AtomicU64>);

impl Spent {
    pub(super) fn time(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    fn add(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// A compiler at work; killed and reaped when it is dropped.
struct Running {
    child: Child,
    spent: Spent,
    _starter: Starter,
}

impl Running {
    /// Waits for its end. Another child that is reaped in the same moment is counted too.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        let before = time_of_children();
        let status = self.child.wait();
        let time = time_of_children().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.spent.add(time.unwrap_or_default());
        status
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended on its own; either way it is gone after this.
        let _ = self.child.kill();
        let _ = self.reap();
    }
}

/// What a compiler said. Its complaint may end within a character.
struct Output {
    code: Vec<u8>,
    complaint: Vec<u8>,
}

/// The first bytes of what comes, `most` of them; whoever writes more is cut off.
fn read(from: impl Read, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// A thread that moves bytes; `None` if there cannot be one. Its stack is ours to say: a variable would, otherwise.
fn move_bytes<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<JoinHandle<T>> {
    thread::Builder::new().stack_size(STACK).spawn(work).ok()
}

impl Running {
    /// Hands it the component and takes what it says, until it has said all.
    async fn exchange(&mut self, component: Vec<u8>) -> Option<Output> {
        let (mut stdin, stdout, stderr) =
            (self.child.stdin.take()?, self.child.stdout.take()?, self.child.stderr.take()?);
        let (answer, answered) = oneshot::channel();
        move_bytes(move || {
            // A compiler that ends early says why on its standard error.
            let _ = stdin.write_all(&component);
        })?;
        // At the same time as the code: a compiler with much to say would wait for us, and we for its code.
        let complaint = move_bytes(move || read(stderr, MAX_COMPLAINT_BYTES))?;
        move_bytes(move || {
            let (code, complaint) = (read(stdout, MAX_CODE_BYTES), complaint.join().ok().flatten());
            // Nobody waits any more if the call was given up.
            let _ = answer.send(code.zip(complaint).map(|(code, complaint)| Output { code, complaint }));
        })?;
        answered.await.ok().flatten()
    }
}

/// The component has no native code; what to run is in the message.
pub(crate) fn not_compiled(path: &Path, why: &str) -> Failure {
    let path = path.display();
    Failure::new(
        FailureCode::NotCompiled,
        &format!("the plugin {path} is not compiled yet ({why}); run `hookbox check`"),
    )
}
