//! Calls a plugin once, depending on its world.

use std::{pin::pin, sync::atomic::Ordering};

use hookbox_model::{Answer, Exit, Failure, FailureCode, Limit, Limits};
use wasmtime::{InstancePre, Store};
use wasmtime_wasi::{I32Exit, p2::bindings::CommandPre};

use super::{
    Plugin, Sandbox,
    bindings::{HookPre, hookbox::hook::types},
    call_capabilities::CallCapabilities,
    convert::{self, Borrowed},
    engine_settings::{self, Allocation},
    failure,
    store::{Pace, State, new_wasm_store},
    ticker::Watched,
};
use crate::interfaces::{Call, Contract, ProcessEnd, Reply};

impl Sandbox {
    /// Passes the event to a component of the hook world.
    pub(super) async fn call_hook(
        &self,
        plugin: &Plugin,
        hook: &HookPre<State>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        if plugin.is_quick() && self.fits_on_this_stack(call.limits) {
            if let Some(reply) = self.call_at_once(plugin, hook, call)? {
                return Ok(reply);
            }
            // A call that still reads the old value only repeats the short attempt.
            plugin.quick.store(false, Ordering::Relaxed);
        }
        Box::pin(self.call_in_slices(plugin, hook, call)).await
    }

    /// Calls without a stack of its own, which would be an eighth of a short call; `None` if the first slice of fuel
    /// does not suffice. The attempt then has no effect: the guest has no capability to act.
    fn call_at_once(
        &self,
        plugin: &Plugin,
        hook: &HookPre<State>,
        call: &Call<'_>,
    ) -> Result<Option<Reply>, Failure> {
        let mut store = self.create_store(plugin, call, Pace::AtOnce, String::new())?;
        let event = Borrowed::from_call(call);
        let result =
            hook.instantiate(&mut store).and_then(|hook| hook.call_handle(&mut store, event.as_event()));
        let needs_more =
            result.as_ref().is_err_and(failure::is_out_of_fuel) && store.data().had_one_slice_of(call.limits);
        Ok((!needs_more).then(|| guest_reply(store, call, Some(result), hook_result_reader(call))))
    }

    async fn call_in_slices(
        &self,
        plugin: &Plugin,
        hook: &HookPre<State>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        let mut store = self.create_store(plugin, call, Pace::InSlices, String::new())?;
        let over = store.data_mut().host_calls.over_flag();
        let result = {
            let event = Borrowed::from_call(call);
            let guest = pin!(async {
                let instance = hook.instance_pre().instantiate_async(&mut store).await?;
                let handle = instance.get_typed_func::<Arguments<'_>, Results>(&mut store, "handle")?;
                handle.call_async(&mut store, (event.as_event(),)).await.map(|(said,)| said)
            });
            Watched::new(guest, &plugin.running.ticker, call.limits.timeout(), &over).await
        };
        Ok(guest_reply(store, call, result, hook_result_reader(call)))
    }

    pub(super) async fn call_command(
        &self,
        plugin: &Plugin,
        command: &CommandPre<State>,
        call: &Call<'_>,
        contract: &dyn Contract,
    ) -> Result<Reply, Failure> {
        let mut store = self.create_store(plugin, call, Pace::InSlices, contract.event(call))?;
        let over = store.data_mut().host_calls.over_flag();
        let ran = {
            let guest = pin!(async {
                let program = command.instantiate_async(&mut store).await?;
                program.wasi_cli_run().call_run(&mut store).await
            });
            Watched::new(guest, &plugin.running.ticker, call.limits.timeout(), &over).await
        };
        // An exit code other than 0 and 1 is lost on its way through a component.
        let exit = ran.map(|ran| exit_code(ran.map(|ran| i32::from(ran.is_err()))));
        Ok(program_reply(store, call, exit, contract))
    }

    pub(super) async fn call_module(
        &self,
        plugin: &Plugin,
        module: &InstancePre<State>,
        call: &Call<'_>,
        contract: &dyn Contract,
    ) -> Result<Reply, Failure> {
        let mut store = self.create_store(plugin, call, Pace::InSlices, contract.event(call))?;
        let over = store.data_mut().host_calls.over_flag();
        let ran = {
            let guest = pin!(async {
                let instance = module.instantiate_async(&mut store).await?;
                let start = instance.get_typed_func::<(), ()>(&mut store, "_start")?;
                start.call_async(&mut store, ()).await
            });
            Watched::new(guest, &plugin.running.ticker, call.limits.timeout(), &over).await
        };
        let exit = ran.map(|ran| exit_code(ran.map(|()| 0)));
        Ok(program_reply(store, call, exit, contract))
    }

    /// Creates a store for one call; `input` is a program's standard input.
    fn create_store(
        &self,
        plugin: &Plugin,
        call: &Call<'_>,
        pace: Pace,
        input: String,
    ) -> Result<Store<State>, Failure> {
        let powers = CallCapabilities::of_call(&self.shared, &plugin.given, call, input)?;
        new_wasm_store(&plugin.running.engine, call, pace, powers)
            .map_err(|error| failure::of_call(&error, call.limits, None))
    }

    /// Returns true if the guest's stack fits on this thread's. Only with a pool, which serves hosts with any kind of
    /// thread; a process that makes one call would not benefit.
    fn fits_on_this_stack(&self, limits: &Limits) -> bool {
        let needed = limits.get_size(Limit::Stack) + engine_settings::HOST_STACK;
        self.allocation != Allocation::OnDemand
            && stacker::remaining_stack().is_some_and(|left| left > needed)
    }
}

/// Parameters of the world's function; the generated bindings call it synchronously only.
type Arguments<'a> = (types::Event<'a>,);
type Results = (Result<types::Answer, String>,);

/// Returns the exit code of a program; a call of `exit` comes as an error.
fn exit_code(ran: wasmtime::Result<i32>) -> wasmtime::Result<i32> {
    ran.or_else(|error| {
        let exit = error.downcast_ref::<I32Exit>().map(|exit| exit.0);
        exit.or_else(|| is_beyond_exit_codes(&error).then_some(MOST_EXIT)).ok_or(error)
    })
}

/// Code for all out-of-range exit codes, which wasmtime reports without their value.
const MOST_EXIT: i32 = 126;

/// Matches the text: wasmtime-wasi creates a plain text error. If the text changes,
/// `exit_code_2_denies_where_it_survives_and_any_other_is_a_failure` fails.
fn is_beyond_exit_codes(error: &wasmtime::Error) -> bool {
    error.chain().any(|cause| cause.to_string().contains("exit with invalid exit status"))
}

/// Returns a function that reads a hook's result.
fn hook_result_reader(
    call: &Call<'_>,
) -> impl FnOnce(Result<types::Answer, String>, &State) -> Result<Answer, Failure> {
    |result, _| match result {
        Ok(answer) => convert::convert_answer(answer, call.limits),
        Err(message) => Err(Failure::new(FailureCode::HookError, &message)),
    }
}

fn program_reply(
    store: Store<State>,
    call: &Call<'_>,
    exit: Option<wasmtime::Result<i32>>,
    contract: &dyn Contract,
) -> Reply {
    guest_reply(store, call, exit, |exit, state| {
        if let Some(why) = &state.failed {
            return Err(Failure::new(FailureCode::HookError, why));
        }
        let Some(wasi) = &state.powers.wasi else { return Ok(Answer::default()) };
        // A cut-off output could be read as another answer.
        if wasi.stdout.is_over() {
            return Err(failure::too_much_output(call.limits));
        }
        let (stdout, stderr) = (wasi.stdout.take(), wasi.stderr.text());
        contract.end(call, &ProcessEnd { exit: Exit::Code(exit), stdout: &stdout, stderr: &stderr })
    })
}

/// Returns the reply with the guest's result and usage; without `output`, the guest had to be ended.
pub(super) fn guest_reply<T>(
    store: Store<State>,
    call: &Call<'_>,
    output: Option<wasmtime::Result<T>>,
    read: impl FnOnce(T, &State) -> Result<Answer, Failure>,
) -> Reply {
    let (state, limits) = (store.data(), call.limits);
    let left = store.get_fuel().unwrap_or_default();
    let result = match (state.exceeded_error(limits, left), output) {
        // wasmtime's fuel does not include host calls, so a guest can answer after it has exceeded its limit.
        // That answer does not count.
        (Some(error), _) | (None, Some(Err(error))) => Err(failure::of_call(&error, limits, Some(state))),
        (None, Some(Ok(output))) => read(output, state),
        (None, None) => Err(failure::timeout_failure(limits)),
    };
    store.into_data().into_reply(result, left)
}
