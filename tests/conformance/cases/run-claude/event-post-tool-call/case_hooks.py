def change(ctx):
    ctx.tool_result = [ctx.tool_result, ctx.tool_args["command"]]
    return ctx
