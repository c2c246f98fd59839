"""One interpreter for many calls: a job on each line of standard input, what came of it on standard output.

Jobs run side by side: plain functions in threads, the others in one loop. What functions print is sent as the log of their call.
"""
import contextvars
import io
import queue

# Where the call is that prints something.
CALL = contextvars.ContextVar("call")
# What hookbox keeps of what one call prints, characters.
MOST_PRINTED = 64 << 10


class Replies:
    """Lines for hookbox."""

    def __init__(self, descriptor):
        self._descriptor, self._lock, self._owner = descriptor, threading.Lock(), os.getpid()
        os.register_at_fork(after_in_child=self._close)

    def are_ours(self):
        """Else this is a copy of the process, which a function has made."""
        return os.getpid() == self._owner

    def send(self, **members):
        if not self.are_ours():
            # It came to the end of the function.
            os._exit(0)
        rest = json.dumps(members).encode() + b"\n"
        with self._lock:
            while rest:
                rest = rest[os.write(self._descriptor, rest):]

    def _close(self):
        os.close(self._descriptor)


class Call:
    """One job under way."""

    def __init__(self, replies, number, text):
        self._replies, self._number, self._text, self._job = replies, number, text, None
        self._printed, self._room, self._lock = "", MOST_PRINTED, threading.Lock()

    def print(self, text):
        if not self._replies.are_ours():
            return print_beside(text)
        with self._lock:
            text = text[: self._room]
            self._room -= len(text)
            done, newline, self._printed = (self._printed + text).rpartition("\n")
            if newline:
                self._replies.send(id=self._number, log=done + newline)

    def run(self):
        CALL.set(self)
        try:
            self._job = json.loads(self._text)
            returned = begin(self._job)
            if hasattr(returned, "__await__"):
                asyncio_loop().start(self._later(returned))
            else:
                self._end(returned)
        except BaseException as error:
            self._fail(error)

    async def _later(self, returned):
        try:
            self._end(await returned)
        except GeneratorExit:
            raise
        except BaseException as error:
            self._fail(error)

    def _end(self, returned):
        said = end(self._job, returned)
        self._flush()
        self._replies.send(id=self._number, said=said)

    def _fail(self, error):
        code, text = failure(self._job, error)
        self._flush()
        self._replies.send(id=self._number, failed=code, text=text)

    def _flush(self):
        if self._printed:
            self._room += 1
            self.print("\n")


def print_beside(text):
    """Of nobody knows which call."""
    os.write(2, text.encode("utf-8", "replace"))


class Printed(io.TextIOBase):
    """Standard output and standard error of all calls."""

    encoding, errors = "utf-8", "replace"

    @property
    def buffer(self):
        return Bytes()

    def write(self, text):
        call = CALL.get(None)
        if call is None:
            print_beside(text)
        else:
            call.print(text)
        return len(text)

    def writable(self):
        return True

    def fileno(self):
        return 1


class Bytes(io.RawIOBase):
    def write(self, text):
        sys.stdout.write(bytes(text).decode("utf-8", "replace"))
        return len(text)

    def writable(self):
        return True


class Threads:
    """As many as there are calls at a time."""

    def __init__(self):
        self._calls, self._idle = queue.SimpleQueue(), threading.Semaphore(0)

    def run(self, call):
        if not self._idle.acquire(blocking=False):
            threading.Thread(target=self._serve, daemon=True).start()
        self._calls.put(call)

    def _serve(self):
        while True:
            contextvars.Context().run(self._calls.get().run)
            self._idle.release()


class Loop:
    """The loop of all functions that are awaited, in a thread of its own."""

    def __init__(self):
        import asyncio

        self._asyncio = asyncio
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, name="loop", daemon=True).start()

    def start(self, coroutine):
        self._asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def _run(self):
        self._asyncio.set_event_loop(self._loop)
        while True:
            try:
                self._loop.run_forever()
            except BaseException:
                # A task of a function ended the loop, not the function that others wait for.
                traceback.print_exc()


LOOPS = []


def asyncio_loop():
    with LOCK:
        if not LOOPS:
            LOOPS.append(Loop())
        return LOOPS[0]


def serve():
    jobs, replies = os.fdopen(os.dup(0), "rb"), Replies(os.dup(1))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr = Printed()
    threads = Threads()
    newest = 0
    for line in jobs:
        number, generation, text = line.split(b" ", 2)
        if int(generation) > newest:
            newest = int(generation)
            if changed():
                replies.send(id=int(number), stale=True)
                continue
        threads.run(Call(replies, int(number), text))
    os._exit(0)


serve()
