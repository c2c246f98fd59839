def say(ctx, word):
    ctx.messages = ctx.messages + [{"role": "user", "content": word}]
    return ctx


def configured(ctx):
    return say(ctx, ctx.metadata.get("hook_config", {}).get("word", "no config"))
