def quiet(ctx):
    ctx.messages[0]["content"] = "changed"
