def change(ctx):
    ctx.response = {"usage": {"total_tokens": ctx.response["usage"]["total_tokens"] + 1}}
    return ctx
