def say(ctx, word):
    ctx.messages = ctx.messages + [{"role": "user", "content": word}]
    return ctx


def leave(ctx):
    ctx.metadata["left"] = {"word": "reached"}
    del ctx.metadata["old"]
    return ctx


def take(ctx):
    return say(ctx, ctx.metadata["left"]["word"] + " " + str("old" in ctx.metadata))
