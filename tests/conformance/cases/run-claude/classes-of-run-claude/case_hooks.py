def say(ctx, word):
    ctx.messages = ctx.messages + [{"role": "user", "content": word}]
    return ctx


from run_claude.hooks import HookContext, HookEvent


def typed(ctx: HookContext) -> HookContext:
    assert isinstance(ctx, HookContext)
    return say(ctx, str(ctx.event is HookEvent.PRE_REQUEST))
