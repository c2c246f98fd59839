// Read by the type checker, never run.
import { Host, HookboxError, type HookboxEvent, type Outcome, type Response, deny, rewrite } from "hookbox";

const host = new Host({ hooks: false, home: "/home/dev", environment: process.env });
const hook = host.hook("tool.before", { tool: { class: "shell" }, timeoutMs: 500 }, (event: HookboxEvent) =>
  event.tool?.command === "ls" ? undefined : deny("no-shell", "not here"),
);
host.hook(["tool.before"], { role: "transform" }, async (event) => rewrite({ ...event.tool?.input, why: "b" }, { merge: true }));
const removed: boolean = hook.remove();

async function ask(): Promise<string> {
  const response: Response = await host.answer("claude-code", Buffer.from("{}"), { patienceMs: 1000, signal: AbortSignal.timeout(1) });
  const outcome: Outcome = await host.dispatch({ event: "custom:x", payload: { a: [1, null] } });
  if (typeof outcome.verdict === "object" && "deny" in outcome.verdict) {
    return outcome.verdict.deny.text;
  }
  return response.reason ?? String(removed);
}

ask().catch((error: unknown) => error instanceof HookboxError && error.code === "bad-event");
// @ts-expect-error a verdict that there is not
host.hook("tool.before", () => ({ verdict: "block" }));
