def change(ctx):
    ctx.tool_args["command"] += " -la"
    return ctx
