//! Compiles components to native code in a separate process: it can be limited and killed, and the host stays small.

#[cfg(feature = "compiler")]
mod precompile;

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
use hookbox_platform::process::{Starter, start_process, time_of_children};
use tokio::sync::oneshot;

#[cfg(feature = "compiler")]
pub use self::precompile::{PrecompileError, precompile_baseline, precompile_component, precompile_with};
use super::{
    inspect::Anatomy,
    script::{Language, SCRIPT},
};

/// Largest native code that is taken from the compiler, bytes.
const MAX_CODE_BYTES: u64 = 512 << 20;
/// Most bytes of the compiler's error text that are read.
const MAX_COMPLAINT_BYTES: u64 = 4096;
/// Stack of a thread that moves bytes, bytes.
const STACK: usize = 256 << 10;

/// A compiler of components.
#[derive(Clone, Debug)]
pub enum Compiler {
    /// The program `hookbox-compile` at this path: component on its standard input, native code on its output.
    Process(PathBuf),
    /// This process, unbounded in time and memory.
    #[cfg(feature = "compiler")]
    InProcess,
    /// No compiler: only components in the cache can run.
    None,
    /// No compiler, for this reason, which is for the user.
    Missing(String),
    /// This compiler, with notification of each component that it compiles.
    Watched(Box<Self>, Arc<dyn CompileWatcher>),
}

/// Receives notifications about compiled components: compiling takes seconds, during which the user should see a
/// message.
pub trait CompileWatcher: Debug + Send + Sync {
    /// Called when compiling the plugin at this path begins; the returned value is dropped when it has ended, with any
    /// result.
    fn begins(&self, plugin: &Path) -> Box<dyn Send>;
}

impl Compiler {
    /// Adds a watcher.
    #[must_use]
    pub fn with_watcher(self, watcher: Arc<dyn CompileWatcher>) -> Self {
        Self::Watched(Box::new(self), watcher)
    }

    /// Returns the compiler's program, if it is one.
    pub(super) fn program(&self) -> Option<&Path> {
        match self {
            Self::Process(program) => Some(program),
            Self::Watched(compiler, _) => compiler.program(),
            _ => None,
        }
    }

    /// Compiles the component from the file at `path`, and counts the processor time that it takes. Dropping the future
    /// kills the compiler.
    pub(super) async fn compile_component(
        &self,
        path: &Path,
        component: Vec<u8>,
        proposals: Proposals,
        spent: &CompilerTime,
    ) -> Result<Vec<u8>, CompileError> {
        match self {
            Self::Process(program) => run(program, (Task::Compile(proposals), path), component, spent).await,
            #[cfg(feature = "compiler")]
            Self::InProcess => {
                let component = component_of(path, component).map_err(CompileError::from_refusal)?;
                precompile_with(&component, proposals).map_err(CompileError::from_refusal)
            }
            Self::None => Err(CompileError::Failed(NO_COMPILER.to_owned())),
            Self::Missing(why) => Err(CompileError::Failed(why.clone())),
            Self::Watched(compiler, watcher) => {
                let _watched = watcher.begins(path);
                Box::pin(compiler.compile_component(path, component, proposals, spent)).await
            }
        }
    }

    /// Describes the parts of a component or core module.
    pub(super) async fn inspect_component(
        &self,
        path: &Path,
        component: Vec<u8>,
    ) -> Result<Anatomy, Failure> {
        let anatomy = match self {
            Self::Process(program) => {
                let output = run(program, (Task::Inspect, path), component, &CompilerTime::default()).await;
                let misfit = |_| CompileError::Failed("the compiler does not fit this hookbox".to_owned());
                output.and_then(|output| serde_json::from_slice(&output).map_err(misfit))
            }
            #[cfg(feature = "compiler")]
            Self::InProcess => {
                component_of(path, component).map_err(CompileError::from_refusal).and_then(|component| {
                    super::inspect::read_anatomy(&component).map_err(CompileError::from_refusal)
                })
            }
            Self::None => Err(CompileError::Failed(NO_COMPILER.to_owned())),
            Self::Missing(why) => Err(CompileError::Failed(why.clone())),
            Self::Watched(compiler, _) => return Box::pin(compiler.inspect_component(path, component)).await,
        };
        anatomy.map_err(|undone| undone.into_failure(Task::Inspect, path))
    }
}

const NO_COMPILER: &str = "there is no compiler";

#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    Compile(Proposals),
    Inspect,
}

/// Argument of the compiler's program for a description of a component.
pub const INSPECT: &str = "--inspect";

/// Argument of the compiler's program for the component of a script as output.
pub const COMPONENT: &str = "--component";

/// Argument that is followed by the proposals that a component needs.
pub const FEATURES: &str = "--features";

/// Argument for native code that runs on each processor of this architecture: programs are measured on an emulated
/// processor with fewer features.
pub const BASELINE: &str = "--baseline";

// A refusal is remembered for a day. Lack of memory or a crash of the compiler must not be, so these have
// other exit codes.
/// Exit code of the compiler's program when it refuses a component; any other is a failure of the program itself.
pub const REFUSED: u8 = 65;

impl Task {
    /// Returns the arguments of the compiler's program, for the plugin at this path.
    fn to_arguments(self, path: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = match self {
            Self::Compile(proposals) if proposals.is_none() => vec![],
            Self::Compile(proposals) => vec![FEATURES.into(), proposals.names().into()],
            Self::Inspect => vec![INSPECT.into()],
        };
        if let Some((language, name)) = Language::from_path(path).zip(path.file_name()) {
            words.extend([SCRIPT.into(), language.word().into(), name.to_owned()]);
        }
        words
    }
}

/// Error of a task, in a text that names no plugin.
#[derive(Debug)]
pub(super) enum CompileError {
    /// The component is at fault.
    Refused(String),
    /// The task could not be begun or completed.
    Failed(String),
}

impl CompileError {
    #[cfg(feature = "compiler")]
    fn from_refusal(error: impl std::error::Error) -> Self {
        Self::Refused(error.to_string())
    }

    /// Returns the error as a failure of the plugin at `path`.
    pub(super) fn into_failure(self, task: Task, path: &Path) -> Failure {
        let plugin = path.display();
        let (code, message) = match (self, task) {
            (Self::Refused(reason), Task::Compile(proposals)) => {
                let may_help = proposals.is_none() && Language::from_path(path).is_none();
                let help = if may_help { hint_for(&reason) } else { "" };
                (FailureCode::BadComponent, format!("the plugin {plugin} cannot be compiled: {reason}{help}"))
            }
            (Self::Refused(reason), Task::Inspect) => {
                (FailureCode::BadComponent, format!("the plugin {plugin} cannot be read: {reason}"))
            }
            (Self::Failed(why), Task::Compile(_)) => return not_compiled(path, &why),
            (Self::Failed(why), Task::Inspect) => {
                (FailureCode::Internal, format!("what the plugin {plugin} is made of is not known: {why}"))
            }
        };
        Failure::new(code, &message)
    }
}

#[cfg(feature = "compiler")]
fn component_of(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, super::script::ScriptBuildError> {
    match Language::from_path(path).zip(path.file_name()) {
        Some((language, name)) => super::script::build_component(language, &name.to_string_lossy(), &bytes),
        None => Ok(bytes),
    }
}

/// Returns a configuration hint for a refused component, based on wasmtime's message.
fn hint_for(message: &str) -> &'static str {
    match () {
        () if message.contains("exceptions") || message.contains("exception") => {
            "; if it is your own, write `features = [\"exceptions\"]` into its `wasm`"
        }
        () if message.contains("gc ") || message.contains("function references") => {
            "; if it is your own, write `features = [\"gc\"]` into its `wasm`"
        }
        () => "",
    }
}

/// Runs the program by threads and not by the reactor, which a host with only wasm hooks does not need.
#[expect(clippy::disallowed_methods, reason = "one of the two places where a process starts")]
async fn run(
    program: &Path,
    (task, plugin): (Task, &Path),
    component: Vec<u8>,
    spent: &CompilerTime,
) -> Result<Vec<u8>, CompileError> {
    let failed = |what: &str| {
        let program = program.display();
        CompileError::Failed(format!("the compiler {program} {what}"))
    };
    let mut command = Command::new(program);
    command
        .args(task.to_arguments(plugin))
        // A project may set variables for the agents in it. None of them may influence the program whose
        // output is loaded as native code.
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let spent = spent.clone();
    let mut child =
        start_process(command, |child, starter| RunningCompiler { child, spent, _starter: starter })
            .await
            .map_err(|error| failed(&format!("cannot be started: {error}; install it next to hookbox")))?;
    let output = child.exchange_component(component);
    let CompilerOutput { code, complaint } = output.await.ok_or_else(|| failed("did not answer"))?;
    let status = child.wait_for_end().map_err(|error| failed(&format!("cannot be waited for: {error}")))?;
    match status.code() {
        Some(0) => Ok(code),
        Some(code) if code == i32::from(REFUSED) => {
            Err(CompileError::Refused(String::from_utf8_lossy(&complaint).trim().to_owned()))
        }
        Some(_) => {
            let complaint = String::from_utf8_lossy(&complaint);
            Err(failed(&format!("ended with {status}: {}", complaint.trim())))
        }
        // It aborts if a script is nested deeper than its stack; another attempt would, too.
        None if Language::from_path(plugin).is_some() && status.to_string().contains("SIGABRT") => {
            Err(CompileError::Refused("it is nested too deep to be read".to_owned()))
        }
        None => Err(failed(&format!("was ended by the system ({status})"))),
    }
}

/// Processor time of compilers that have ended.
#[derive(Clone, Debug, Default)]
pub(super) struct CompilerTime(Arc<AtomicU64>);

impl CompilerTime {
    pub(super) fn time(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    fn add_time(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// A running compiler; killed and reaped when it is dropped.
struct RunningCompiler {
    child: Child,
    spent: CompilerTime,
    _starter: Starter,
}

impl RunningCompiler {
    /// Waits for its end. Another child that is reaped concurrently is counted, too.
    fn wait_for_end(&mut self) -> io::Result<ExitStatus> {
        let before = time_of_children();
        let status = self.child.wait();
        let time = time_of_children().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.spent.add_time(time.unwrap_or_default());
        status
    }
}

impl Drop for RunningCompiler {
    fn drop(&mut self) {
        // It may have ended already; in any case it is gone after this.
        let _ = self.child.kill();
        let _ = self.wait_for_end();
    }
}

/// Output of a compiler. Its error text may end within a character.
struct CompilerOutput {
    code: Vec<u8>,
    complaint: Vec<u8>,
}

/// Returns the first `most` bytes; a writer of more is cut off.
fn read_limited(from: impl Read, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Starts a thread that moves bytes; `None` if that fails. Its stack size is set here, since a variable would determine
/// it otherwise.
fn move_bytes<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<JoinHandle<T>> {
    thread::Builder::new().stack_size(STACK).spawn(work).ok()
}

impl RunningCompiler {
    /// Sends the component and reads the output to its end.
    async fn exchange_component(&mut self, component: Vec<u8>) -> Option<CompilerOutput> {
        let (mut stdin, stdout, stderr) =
            (self.child.stdin.take()?, self.child.stdout.take()?, self.child.stderr.take()?);
        let (answer, answered) = oneshot::channel();
        move_bytes(move || {
            // A compiler that ends early reports the reason on its standard error.
            let _ = stdin.write_all(&component);
        })?;
        // Concurrently with the code: otherwise a compiler with a long error text would wait for hookbox, and hookbox
        // for its code.
        let complaint = move_bytes(move || read_limited(stderr, MAX_COMPLAINT_BYTES))?;
        move_bytes(move || {
            let (code, complaint) = (read_limited(stdout, MAX_CODE_BYTES), complaint.join().ok().flatten());
            // An abandoned call has no receiver any more.
            let _ =
                answer.send(code.zip(complaint).map(|(code, complaint)| CompilerOutput { code, complaint }));
        })?;
        answered.await.ok().flatten()
    }
}

/// Returns the failure of a component without native code; its message names the command to run.
pub(crate) fn not_compiled(path: &Path, why: &str) -> Failure {
    let path = path.display();
    Failure::new(
        FailureCode::NotCompiled,
        &format!("the plugin {path} is not compiled yet ({why}); run `hookbox check`"),
    )
}
