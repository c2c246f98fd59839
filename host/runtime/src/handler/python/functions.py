"""Finds functions of Python and calls them, for whoever has an interpreter: hookbox's own, or a program that is one.

A job has: "module", "function", "path" (folders for modules), "adapter" (source, or empty), "told" (or None), "config" and "most", the
bytes that it may say.
"""
import importlib
import importlib.util
import json
import os
import sys
import threading
import traceback
import types

# The sources of adapters, and what they define.
ADAPTERS = {"": {}}
# Files of whoever calls functions: no trace begins there.
CALLERS = {(lambda: None).__code__.co_filename, importlib.__file__, "<frozen importlib._bootstrap>"}
# Failures of imports that were told in full.
TOLD = set()
# Files of modules that jobs brought, and what they were like when they were imported.
SEEN = {}
# How many modules there were when somebody last looked at those of these folders.
COUNTED = {}
# Files of modules with the folders of jobs that mean them.
MEANT = set()
LOCK = threading.RLock()


class Failed(Exception):
    """There is no answer, and why."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def begin(job):
    """Calls the job's function. What it returns may have to be awaited; `end` makes an answer of it."""
    adapter = adapter_of(job)
    path = [adapter.get("folder", str)(folder) for folder in job["path"]]
    add_folders(path)
    if "prepare" in adapter:
        adapter["prepare"]()
    function = found(job, path)
    if job["told"] is None:
        return None
    if "argument" in adapter:
        return function(adapter["argument"](job["told"], job["config"]))
    return function({**job["told"], "config": job["config"]})


def end(job, returned):
    """What the function said, as JSON: an object, or nothing."""
    adapter = adapter_of(job)
    if job["told"] is None:
        return ""
    if "said" in adapter:
        returned = adapter["said"](job["told"], job["config"], returned)
    if returned is None:
        return ""
    if not isinstance(returned, dict):
        raise Failed("bad-output", f"the function returned a value of type `{kind(returned)}`, not a dict or None")
    try:
        said = json.dumps(returned, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Failed("bad-output", f"the function returned what JSON cannot hold: {line(error)}") from None
    most = job["most"]
    if len(said) > most:
        raise Failed("output", f"the function said more than {most} bytes (its limit `output`): make it say less")
    return said


def failure(job, error):
    """The code and the words for an exception, whose trace is printed."""
    if isinstance(error, Failed):
        return error.code, str(error)
    traceback.print_exception(type(error), error, beyond_this_file(error.__traceback__))
    return "hook-error", line(error)


def adapter_of(job):
    source = job["adapter"]
    with LOCK:
        if source not in ADAPTERS:
            # Classes in it ask for the module that they are in.
            module = types.ModuleType(f"hookbox_adapter_{len(ADAPTERS)}")
            sys.modules[module.__name__] = module
            exec(compile(source, "<adapter>", "exec"), module.__dict__)
            ADAPTERS[source] = module.__dict__
        return ADAPTERS[source]


def found(job, path):
    name, callee = job["module"], job["function"]
    try:
        module = sys.modules.get(name)
        if module is None:
            # A folder may have the file since it was looked into.
            importlib.invalidate_caches()
        elif is_another(module, name, path):
            raise Failed("missing", f"the module `{name}` is another one already: {module.__file__}; give the hook's another name")
        if path and stands_in(name, path):
            raise Failed("missing", f"the module `{name}` is in none of the hook's folders: {', '.join(path)}")
        function = importlib.import_module(name)
    except Failed:
        raise
    except BaseException as error:
        text = line(error)
        with LOCK:
            is_new = (name, text) not in TOLD
            TOLD.add((name, text))
        if is_new:
            traceback.print_exception(type(error), error, beyond_this_file(error.__traceback__))
        code = "missing" if isinstance(error, ModuleNotFoundError) and error.name == name else "hook-error"
        raise Failed(code, f"the module `{name}` cannot be imported: {text}") from None
    finally:
        remember(path)
    for part in callee.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise Failed("missing", f"the module `{name}` has no function `{callee}`")
    return function


def is_another(module, name, path):
    """Is a module of this name in these folders, and `module`, which was imported before, another one?"""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or (file, *path) in MEANT:
        return False
    within = [os.path.join(folder, *name.split(".")) for folder in path]
    files = [one for place in within for one in (place + ".py", os.path.join(place, "__init__.py"))]
    own = [os.path.realpath(one) for one in files if os.path.isfile(one)]
    if own and os.path.realpath(file) not in own:
        return True
    # Where the folders do not have it now they may have it later.
    if own or not path:
        MEANT.add((file, *path))
    return False


def stands_in(name, path):
    """Is the module in the current folder, which may be anybody's, for want of one in these? Nothing of it is run to see that."""
    top = name.split(".")[0]
    spec = getattr(sys.modules.get(top), "__spec__", None) or (importlib.util.find_spec(top) if top not in sys.modules else None)
    if spec is None or (spec.origin, *path) in MEANT:
        return False
    places = spec.submodule_search_locations or ([spec.origin] if spec.has_location else [])
    here = os.path.realpath(os.getcwd())
    found = {os.path.realpath(os.path.dirname(os.path.abspath(place))) for place in places}
    return here in found and here not in map(os.path.realpath, path)


def add_folders(path):
    with LOCK:
        for folder in reversed(path):
            if folder not in sys.path:
                sys.path.insert(0, folder)


def remember(path):
    """What the files of modules in these folders are like, those that are new here."""
    if COUNTED.get(tuple(path)) == len(sys.modules):
        return
    COUNTED[tuple(path)] = len(sys.modules)
    folders = tuple(os.path.join(folder, "") for folder in path)
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.startswith(folders) and file not in SEEN:
            SEEN[file] = stamp(file)


def changed():
    """Is a module's file another one than when it was imported?"""
    return any(stamp(file) != seen for file, seen in list(SEEN.items()))


def stamp(file):
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def line(error):
    """The last line of a traceback."""
    try:
        lines = traceback.format_exception_only(type(error), error)
    except Exception:
        return type(error).__name__
    return lines[-1].strip() if lines else type(error).__name__


def kind(value):
    return type(value).__name__


def beyond_this_file(trace):
    """Without the frames of whoever calls functions."""
    while trace is not None and trace.tb_next is not None and trace.tb_frame.f_code.co_filename in CALLERS:
        trace = trace.tb_next
    return trace
