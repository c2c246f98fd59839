//! Files of native code in the directory, each with the seal that identifies it.

use std::{
    io::{self, ErrorKind, Read},
    path::Path,
};

use hookbox_model::{Failure, Proposals};
use hookbox_platform::file::FileStatus;
use serde::{Deserialize, Serialize};

use super::{CacheDir, CachePart, Form, RequestedComponent, attempt::Attempt, key_of};
use crate::{
    digest::hash_parts,
    sandbox::{
        compile::{Compiler, Task},
        identity::{Identity, Sighting},
    },
};

/// Record of written native code.
#[derive(Serialize, Deserialize)]
struct Seal {
    /// Key of the native code: a seal with another key does not count.
    key: String,
    code: Sighting,
    sha256: String,
}

impl CacheDir {
    /// Returns true if there is native code of the component or script at this path with this digest.
    pub(in crate::sandbox) fn has_code_of(&self, path: &Path, digest: &str) -> bool {
        self.open_own(&format!("{}.cwasm", key_of(path, digest, CachePart::User, Proposals::NONE))).is_some()
    }

    /// Returns the native code of this key, otherwise compiles the component and keeps the code.
    pub(super) async fn code_of<F: Form>(
        &self,
        form: &F,
        wanted: RequestedComponent<'_>,
        component: Vec<u8>,
        key: &str,
        compiler: &Compiler,
    ) -> Result<F::Code, Failure> {
        let (path, proposals) = (wanted.path, wanted.proposals);
        if let Some(known) = self.known_code(form, wanted, key) {
            return known;
        }
        // Several agents may start at the same moment: each process would compile, and each would take so
        // long that its hook is late.
        let _lock = self.wait_for_lock(key).await;
        // Another process may have compiled it while this one waited.
        if let Some(known) = self.known_code(form, wanted, key) {
            return known;
        }
        // The attempt is also recorded if the caller gives up during the compilation, since the next event
        // would give up as well.
        let attempt = Attempt::new(self, key);
        let made = compiler.compile_component(path, component, proposals, attempt.spent()).await;
        attempt.finish_with(&made);
        let code = made.map_err(|undone| undone.into_failure(Task::Compile(proposals), path))?;
        match self.keep_or_make_room(key, &code) {
            // The written file is mapped, so all processes share its pages; bytes in memory would be a copy
            // for each.
            Ok(()) => self.read_code(form, key).map_or_else(|| form.of_bytes(path, code), Ok),
            Err(error) => {
                // A full disk costs time at the next event, but must not fail this call.
                self.could_not_keep(&error);
                form.of_bytes(path, code)
            }
        }
    }

    /// Returns the native code of this key, or the reason why it is missing for now.
    pub(super) fn known_code<F: Form>(
        &self,
        form: &F,
        wanted: RequestedComponent<'_>,
        key: &str,
    ) -> Option<Result<F::Code, Failure>> {
        match self.read_code(form, key) {
            Some(code) => Some(Ok(code)),
            None => self.recent_failure(key, wanted).map(Err),
        }
    }

    /// Returns the native code of this key, if the file has the written content.
    fn read_code<F: Form>(&self, form: &F, key: &str) -> Option<F::Code> {
        let seal_name = format!("{key}.seal");
        // Seal and code could be copied together to the name of another plugin, where identity and hash would
        // still match. The key in the seal distinguishes such a pair.
        let seal = self.read_record::<Seal>(&seal_name).filter(|seal| seal.key == key)?;
        let file = self.open_own(&format!("{key}.cwasm"))?;
        // Taken before the content is read: a change during the read has another identity at the next event.
        let identity = Identity::from_status(&FileStatus::of_file(&file).ok()?);
        if !seal.code.is_unchanged(&identity) {
            let mut bytes = Vec::new();
            file.try_clone().ok()?.read_to_end(&mut bytes).ok()?;
            if hash_parts(&[&bytes]) != seal.sha256 {
                return None;
            }
            let seal = Seal { code: Sighting::now(identity), ..seal };
            // Without the updated seal the next process hashes again.
            let _ = self.write_record(&seal_name, &seal);
        }
        form.of_file(&file)
    }

    fn keep_or_make_room(&self, key: &str, code: &[u8]) -> io::Result<()> {
        match self.write_code(key, code) {
            // Removing older code does not help against any other error, such as a read-only folder.
            Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
                self.evict_for(code.len());
                self.write_code(key, code)
            }
            kept => kept,
        }
    }

    fn write_code(&self, key: &str, code: &[u8]) -> io::Result<()> {
        let name = format!("{key}.cwasm");
        self.write_bytes(&name, code)?;
        let file = self.open_own(&name).ok_or(io::ErrorKind::NotFound)?;
        let identity = Identity::from_status(&FileStatus::of_file(&file)?);
        self.write_record(
            &format!("{key}.seal"),
            &Seal { key: key.to_owned(), code: Sighting::now(identity), sha256: hash_parts(&[code]) },
        )?;
        self.prune();
        Ok(())
    }
}
