def say(ctx, word):
    ctx.messages = ctx.messages + [{"role": "user", "content": word}]
    return ctx


import asyncio


async def wait(ctx):
    await asyncio.sleep(0)
    return say(ctx, "awaited")
