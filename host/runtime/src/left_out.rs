//! Messages about features that this program was built without.

/// Returns the message about `what`, which a cargo feature brings.
pub(crate) fn left_out(what: &str, feature: &str) -> String {
    format!("this program was built without {what} (the cargo feature `{feature}` of the crate hookbox)")
}

/// Placeholder for the runner of Python functions.
#[cfg(not(feature = "shell"))]
pub(crate) struct NoPython;

#[cfg(not(feature = "shell"))]
impl crate::python::PythonRunner for NoPython {
    fn call<'a>(
        &'a self,
        _: crate::python::PythonCall<'a>,
    ) -> crate::python::PythonFuture<'a, crate::python::PythonEnd> {
        use hookbox_model::{Failure, FailureCode};
        let failure = Failure::new(FailureCode::Refused, &left_out("functions of Python", "shell"));
        Box::pin(async { crate::python::PythonEnd { result: Err(failure), log: String::new() } })
    }
}
