// Read by the type checker, never run.
import { query, type Options } from "@anthropic-ai/claude-agent-sdk";
import { Host } from "hookbox";
import { NoAnswer, hookboxHooks, hookboxOptions } from "hookbox-agent-sdk";

const host = new Host({ hooks: false });
const plain: Options = hookboxOptions();
const options: Options = hookboxOptions({ ...plain, cwd: "/tmp" }, { host, events: ["PreToolUse"], timeout: 5, onFailure: "continue" });
const files: Options = { hooks: hookboxHooks({ config: "hooks.toml", home: "/home/dev" }) };

async function ask(): Promise<void> {
  for await (const message of query({ prompt: "?", options: { ...options, ...files } })) {
    console.log(message.type);
  }
}

ask().catch((error: unknown) => error instanceof NoAnswer && error.message);
// @ts-expect-error an event that there is not
hookboxHooks({ host, events: ["PreToolUs"] });
// @ts-expect-error a host, and what one is made of
hookboxHooks({ host, config: "hooks.toml" });
