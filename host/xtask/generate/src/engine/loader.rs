//! Embeds the modules of `QuickJS`. It asks the host for each module that it does not know, and a component must not import that: so the
//! answers replace the calls. `hookbox` is the module of that name; `(script)` is the script; there is no other.

use anyhow::{Context, Result, bail};
use walrus::{
    DataId, DataKind, FunctionId, ImportKind, InstrSeqBuilder, LocalId, MemoryId, Module, ModuleConfig,
    ValType,
    ir::{BinaryOp, LoadKind, MemArg, StoreKind},
};

/// Interface that `QuickJS` imports for its modules.
const LOADER: &str = "local:init/module-loader";

/// The name that a script imports.
const MODULE: &[u8] = b"hookbox";

/// Name under which the entry imports the script; scripts do not use it.
const SCRIPT: &[u8] = b"(script)";

/// `QuickJS`'s own name for the first module that the engine receives.
const FIRST: &[u8] = b"componentize-qjs:shim.js";

/// Returns the runtime with this source as the module `hookbox`.
pub(super) fn put_into(runtime: &[u8], source: &[u8]) -> Result<Vec<u8>> {
    // Without names, which would be a third of its size.
    let mut module = ModuleConfig::new().generate_name_section(false).parse(runtime)?;
    let (resolve, load) = (find_import(&module, "resolve")?, find_import(&module, "load")?);
    let mut part =
        |bytes: &[u8]| Part { data: module.data.add(DataKind::Passive, bytes.to_vec()), length: bytes.len() };
    let (source, name, first) = (part(source), part(MODULE), part(FIRST));
    let answer = Answer {
        memory: module.memories.iter().next().context("it has no memory")?.id(),
        allocate: module.exports.get_func("cabi_realloc")?,
        place: module.locals.add(ValType::I32),
    };
    // Canonical ABI: pointer and length of each text, then the address of the result.
    module.replace_imported_func(resolve, |(body, arguments)| {
        let [_, _, text, length, result] = arguments.as_slice() else { return };
        let asked = Text { memory: answer.memory, pointer: *text, length: *length };
        asked.compare_text(body, MODULE).if_else(
            None,
            |then| answer.store_part(then, Some(&name), *result),
            |or| {
                asked.compare_text(or, SCRIPT).if_else(
                    None,
                    |then| answer.store_part(then, Some(&first), *result),
                    |or| answer.store_part(or, None, *result),
                );
            },
        );
    })?;
    module.replace_imported_func(load, |(body, arguments)| {
        let [_, _, result] = arguments.as_slice() else { return };
        answer.store_part(body, Some(&source), *result);
    })?;
    Ok(module.emit_wasm())
}

fn find_import(module: &Module, name: &str) -> Result<FunctionId> {
    let import = module.imports.iter().find(|import| import.module == LOADER && import.name == name);
    match import.map(|import| &import.kind) {
        Some(ImportKind::Function(function)) => Ok(*function),
        _ => bail!("it does not ask for `{name}`"),
    }
}

/// A text in memory.
struct Text {
    memory: MemoryId,
    pointer: LocalId,
    length: LocalId,
}

impl Text {
    /// Compares the text with this one, of four to eight bytes, by its length, its first four bytes and its last.
    fn compare_text<'a, 'b>(
        &self,
        body: &'a mut InstrSeqBuilder<'b>,
        wanted: &[u8],
    ) -> &'a mut InstrSeqBuilder<'b> {
        body.local_get(self.length).i32_const(to_i32(wanted.len())).binop(BinaryOp::I32Eq).if_else(
            ValType::I32,
            |then| {
                self.compare_word(then, wanted.first_chunk(), 0);
                self.compare_word(then, wanted.last_chunk(), wanted.len().saturating_sub(4));
                then.binop(BinaryOp::I32And);
            },
            |or| {
                or.i32_const(0);
            },
        )
    }

    fn compare_word(&self, body: &mut InstrSeqBuilder<'_>, wanted: Option<&[u8; 4]>, offset: usize) {
        let wanted = i32::from_le_bytes(*wanted.unwrap_or(&[0; 4]));
        let load = LoadKind::I32 { atomic: false };
        body.local_get(self.pointer).load(self.memory, load, create_memory_argument(offset, 1));
        body.i32_const(wanted).binop(BinaryOp::I32Eq);
    }
}

/// Bytes that are in the module.
struct Part {
    data: DataId,
    length: usize,
}

/// Writer of a `result<string, string>`.
struct Answer {
    memory: MemoryId,
    allocate: FunctionId,
    place: LocalId,
}

impl Answer {
    /// Stores these bytes in memory that the caller frees; without bytes, an empty error.
    fn store_part(&self, body: &mut InstrSeqBuilder<'_>, part: Option<&Part>, result: LocalId) {
        let (word, length) = (StoreKind::I32 { atomic: false }, to_i32(part.map_or(0, |part| part.length)));
        match part {
            Some(part) => {
                // The arguments of `cabi_realloc`: no old memory, alignment 1, the new size.
                body.i32_const(0).i32_const(0).i32_const(1).i32_const(length).call(self.allocate);
                body.local_tee(self.place).i32_const(0).i32_const(length).memory_init(self.memory, part.data);
            }
            // No bytes, so any address will do.
            None => {
                body.i32_const(1).local_set(self.place);
            }
        }
        // Canonical ABI of a `result<string, string>`: the discriminant, then pointer and length at 4 and 8.
        body.local_get(result).i32_const(i32::from(part.is_none()));
        body.store(self.memory, StoreKind::I32_8 { atomic: false }, create_memory_argument(0, 1));
        body.local_get(result).local_get(self.place).store(self.memory, word, create_memory_argument(4, 4));
        body.local_get(result).i32_const(length).store(self.memory, word, create_memory_argument(8, 4));
    }
}

fn create_memory_argument(offset: usize, align: u32) -> MemArg {
    MemArg { align, offset: offset as u64 }
}

fn to_i32(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}
