import os
import subprocess


def loud(ctx):
    print("[REQ]", ctx.model)
    subprocess.run(["echo", "child"])
    os.write(1, b"raw\n")
    return ctx
