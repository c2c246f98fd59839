def say(ctx, word):
    ctx.messages = ctx.messages + [{"role": "user", "content": word}]
    return ctx


def first(ctx):
    return say(ctx, "first")


def second(ctx):
    return say(ctx, f"second after {ctx.messages[-1]['content']}")
