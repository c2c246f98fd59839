"""What the proxy needs after so many requests: memory, threads and descriptors, of a proxy with hooks and of one without a callback.

    python benches/soak.py [--requests 100000]

It needs an environment with litellm[proxy] and hookbox-litellm, and hours on a slow machine. The proxy's own memory grows, too: what is
flat, the second column shows.
"""

import argparse
import pathlib
import tempfile

from proxy import CHUNK, REQUEST, bed, proxy

STEPS = 20


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--requests", type=int, default=100_000)
    step = words.parse_args().requests // STEPS
    server, address = bed.models()
    with tempfile.TemporaryDirectory() as folder:
        kinds = {"hooks": REQUEST + CHUNK, "plain": None}
        proxies = [proxy(pathlib.Path(folder) / name, address, hooks) for name, hooks in kinds.items()]
        try:
            body = {"model": "alias", "messages": [bed.message("hi")]}
            for one in proxies:
                one.wait().many(step // 10, body)
            print("requests   with hooks: MiB, threads, descriptors   without a callback")
            for number in range(STEPS + 1):
                told = [f"{memory / 1024:8.1f} {threads:4} {files:4}" for memory, threads, files in map(bed.Proxy.uses, proxies)]
                print(f"{number * step:8}   " + "                        ".join(told), flush=True)
                if number < STEPS:
                    for one in proxies:
                        one.many(step, body)
                        one.many(step // 100, {**body, "stream": True})
        finally:
            for one in proxies:
                one.end()
            server.shutdown()


if __name__ == "__main__":
    main()
