//! Component to native code, in a process of its own: a compile can be bounded and killed, and the host stays small.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use hookbox_model::{Failure, FailureCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Largest native code that is taken from the compiler, bytes.
const MAX_CODE_BYTES: u64 = 512 << 20;
/// Most that is read of what the compiler says went wrong, bytes.
const MAX_COMPLAINT_BYTES: u64 = 4096;

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
}

impl Compiler {
    /// Compiles. Dropping the future kills the compiler.
    pub(super) async fn compile(&self, path: &Path, component: Vec<u8>) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Process(program) => compile_in(program, path, &component).await,
            #[cfg(feature = "compiler")]
            Self::InProcess => precompile(&component).map_err(|said| refused(path, &said)),
            Self::None => Err(not_compiled(path, "there is no compiler")),
        }
    }
}

/// Compiles in this process.
#[cfg(feature = "compiler")]
pub fn precompile(component: &[u8]) -> Result<Vec<u8>, String> {
    let config = super::settings::config(&hookbox_model::Limits::default());
    wasmtime::Engine::new(&config)
        .and_then(|engine| engine.precompile_component(component))
        .map_err(|error| format!("{error:#}"))
}

async fn compile_in(program: &Path, path: &Path, component: &[u8]) -> Result<Vec<u8>, Failure> {
    let said = |what: &str, error: std::io::Error| {
        let program = program.display();
        not_compiled(path, &format!("the compiler {program} {what}: {error}"))
    };
    let mut child = tokio::process::Command::new(program)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| said("cannot be started", error))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(not_compiled(path, "the compiler has no pipes"));
    };
    let (mut code, mut complaint) = (Vec::new(), String::new());
    let (mut stdout, mut stderr) = (stdout.take(MAX_CODE_BYTES), stderr.take(MAX_COMPLAINT_BYTES));
    let feed = async move {
        // A compiler that ends early says why on its standard error.
        drop(stdin.write_all(component).await);
    };
    let (_, read, _, status) = futures_util::join!(
        feed,
        stdout.read_to_end(&mut code),
        stderr.read_to_string(&mut complaint),
        child.wait()
    );
    read.map_err(|error| said("cannot be read", error))?;
    let status = status.map_err(|error| said("cannot be waited for", error))?;
    match status.code() {
        Some(0) => Ok(code),
        Some(_) => Err(refused(path, complaint.trim())),
        None => Err(not_compiled(path, &format!("the compiler was ended by the system ({status})"))),
    }
}

fn refused(path: &Path, said: &str) -> Failure {
    let path = path.display();
    Failure::new(FailureCode::BadComponent, &format!("the plugin {path} cannot be compiled: {said}"))
}

/// The component has no native code; what to run is in the message.
pub(crate) fn not_compiled(path: &Path, why: &str) -> Failure {
    let path = path.display();
    Failure::new(
        FailureCode::NotCompiled,
        &format!("the plugin {path} is not compiled yet ({why}); run `hookbox check`"),
    )
}
