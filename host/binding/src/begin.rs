//! How a call begins where nobody may be held up.

use std::{
    pin::Pin,
    task::{Context, Poll, Waker},
};

use tokio::runtime::Handle;

/// Runs a call on this thread until it has to wait, which most calls never do: to have another thread run them costs several times what they
/// take. `Err` is what is left, for `runtime` to run.
///
/// It holds the thread up for as long as a hook of wasm may run before it lets others run, about a millisecond each.
pub fn begin<F: Future + ?Sized>(runtime: &Handle, mut call: Pin<Box<F>>) -> Result<F::Output, Pin<Box<F>>> {
    let _runtime = runtime.enter();
    // Whoever runs the rest asks once more, and is the one to be woken.
    match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(ended) => Ok(ended),
        Poll::Pending => Err(call),
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tokio::{runtime::Builder, sync::oneshot, task::yield_now};

    use super::*;

    #[test]
    fn a_call_that_waits_for_nothing_runs_where_it_began() {
        let runtime = Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let here = begin(runtime.handle(), Box::pin(async { thread::current().id() }));
        assert_eq!(here.ok(), Some(thread::current().id()));
    }

    #[test]
    fn a_call_that_waits_goes_on_elsewhere_from_where_it_was() {
        let runtime = Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let (send, receive) = oneshot::channel();
        let call = Box::pin(async move {
            let begun = thread::current().id();
            yield_now().await;
            (begun, receive.await)
        });
        let rest = begin(runtime.handle(), call).err().unwrap();
        let under_way = runtime.spawn(rest);
        send.send("later").unwrap();
        let ended = runtime.block_on(under_way).unwrap();
        assert_eq!(ended, (thread::current().id(), Ok("later")));
    }

    #[test]
    fn a_call_may_use_the_runtime_from_its_first_moment() {
        let runtime = Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let spawned = begin(runtime.handle(), Box::pin(async { tokio::spawn(async { 7 }) }));
        assert_eq!(runtime.block_on(spawned.ok().unwrap()).unwrap(), 7);
    }
}
