def change(ctx):
    ctx.messages = [{"role": "system", "content": ctx.provider}]
    ctx.tools = [{"type": "function"}]
    return ctx
