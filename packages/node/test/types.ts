// Read by the type checker, never run.
import * as hookbox from "hookbox";
import { Host, HookboxError, type HookboxEvent, type HookState, type Outcome, type Response, deny, rewrite } from "hookbox";

const host = new Host({ hooks: false, home: "/home/dev", environment: process.env });
const hook = host.hook("tool.before", { tool: { class: "shell" }, timeoutMs: 500 }, (event: HookboxEvent) =>
  event.tool?.command === "ls" ? undefined : deny("no-shell", "not here"),
);
host.hook(["tool.before"], { role: "transform" }, async (event) => rewrite({ ...event.tool?.input, why: "b" }, { merge: true }));
host.hook("prompt.submit", { name: "a", config: { words: ["rm"] }, priority: 1, onFailure: "ask", limits: { output: "1MiB" } }, (event) => ({
  ...hookbox.ask("code", String(event.config?.words)),
  ...hookbox.context("c"),
  ...hookbox.notice("n"),
  ...hookbox.stop("s"),
}));
host.hook("prompt.submit", () => hookbox.allow());
const removed: boolean = hook.remove();

async function ask(): Promise<string> {
  const response: Response = await host.answer("claude-code", Buffer.from("{}"), { agentTimeoutMs: 1000, signal: AbortSignal.timeout(1) });
  const outcome: Outcome = await host.dispatch({ event: "custom:x", payload: { a: [1, null] } });
  if (typeof outcome.verdict === "object" && "deny" in outcome.verdict) {
    return outcome.verdict.deny.text;
  }
  return response.reason ?? String(removed);
}

async function askMore(): Promise<void> {
  const failed: { hook: string; code: string }[] = await host.prepare({ cwd: "/" });
  const states: HookState[] = host.hooks();
  const number: number = host.setEnabled(hook.name, false);
  const events: string[] = host.events();
  const [[event, becomes]]: [string, string][] = hookbox.agentEvents("codex");
  const timeouts: number[] = hookbox.agentSdkEvents().filter(({ usual }) => usual).map(({ timeout }) => timeout);
  const { stdout, stderr, exitCode, outcome } = host.answerSync(null, { event: "custom:x" });
  const output = (await host.answer("claude-code", "{}")).agentSdkOutput("PreToolUse");
  const said: Outcome = host.dispatchSync({ event: "custom:x" });
  host.reload();
  console.log(failed, states, number + exitCode, events, event, becomes, timeouts, stdout, stderr, outcome?.reports, output, said);
}

askMore();
ask().catch((error: unknown) => error instanceof HookboxError && error.code === "bad-event");
// @ts-expect-error a verdict that there is not
host.hook("tool.before", () => ({ verdict: "block" }));

const bus = host.bus({ session: "s", cwd: "/code" });
const unsubscribe: () => void = bus.subscribe("HOOK_EXECUTION_RESPONSE", ({ payload }) => {
  const decision = payload.output?.finalOutput?.decision;
  return payload.success ? decision : payload.error?.message;
});
bus.publish({
  type: "HOOK_EXECUTION_REQUEST",
  payload: { eventName: "BeforeTool", input: { tool_name: "a", tool_input: {} }, correlationId: "1" },
});
async function listen(): Promise<boolean> {
  for await (const { payload } of bus.messages("HOOK_EXECUTION_RESPONSE")) {
    unsubscribe();
    return payload.success;
  }
  const { shouldStop, stopReason } = await bus.fire("BeforeTool", { tool_name: "a" });
  return shouldStop && stopReason !== undefined && bus.getAllHooks().some((hook) => hook.enabled);
}
listen().finally(() => bus.dispose());
// @ts-expect-error a message has a type
bus.publish({ payload: {} });
