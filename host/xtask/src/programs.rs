//! Hooks in C, which show that any language which compiles to WASI makes one: `examples/c/<name>.c`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::debian;
use crate::process::Process;
use crate::project::Project;

/// Debian's compiler, and its requirements for WASI.
const CLANG: &str = "/usr/bin/clang-19";
const LIBRARY: &str = "/usr/lib/wasm32-wasi/libc.a";
const RUNTIME: &str = "/usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a";
const PACKAGES: [&str; 4] = ["clang-19", "lld-19", "wasi-libc", "libclang-rt-19-dev-wasm32"];

/// Leaves `target/plugins/<name>.wasm` for each program.
pub(crate) fn run(project: &Project) -> Result<()> {
    let compiler = Compiler::find_compiler()?;
    let folder = project.target.join("plugins");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for source in list_sources(project)? {
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let module = folder.join(format!("{name}.wasm"));
        compiler.compile_program(&source, &module)?;
        println!("{name}: {} bytes", fs::metadata(&module)?.len());
    }
    Ok(())
}

fn list_sources(project: &Project) -> Result<Vec<PathBuf>> {
    let folder = project.root.join("examples/c");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    Ok(paths)
}

/// A C compiler that makes programs for WASI.
enum Compiler {
    Zig,
    Clang,
}

impl Compiler {
    /// Returns `zig cc` if present; else Debian's clang, which is installed if necessary.
    fn find_compiler() -> Result<Self> {
        // zig comes with WASI's C library, so no package of Debian is needed.
        if has_zig() {
            return Ok(Self::Zig);
        }
        if !clang_is_ready() {
            debian::install_packages(&PACKAGES).with_context(|| {
                format!("hooks in C need a compiler: install zig, or Debian's {PACKAGES:?}")
            })?;
            ensure!(
                clang_is_ready(),
                "{PACKAGES:?} have been installed, but are not where they are looked for"
            );
        }
        Ok(Self::Clang)
    }

    fn compile_program(&self, source: &Path, module: &Path) -> Result<()> {
        let process = match self {
            Self::Zig => Process::new("zig").args(["cc", "-target", "wasm32-wasi", "-s"]),
            Self::Clang => Process::new(CLANG).args([
                "--target=wasm32-wasi",
                "--sysroot=/usr",
                "-flto",
                "-Wl,--strip-all",
            ]),
        };
        process.args(["-Os", "-Wall", "-Wextra", "-Werror", "-o"]).args([module, source]).run()
    }
}

fn has_zig() -> bool {
    Process::new("zig").args(["version"]).output().is_ok()
}

fn clang_is_ready() -> bool {
    [CLANG, LIBRARY, RUNTIME].iter().all(|path| Path::new(path).exists())
}
