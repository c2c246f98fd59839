// Read by the type checker, never run.
import {
  type Answer,
  type EventName,
  type HookEvent,
  HookboxError,
  allow,
  ask,
  context,
  deny,
  extra,
  facts,
  http,
  kv,
  log,
  none,
  notice,
  now,
  random,
  replace,
  rewrite,
  settings,
  source,
  stop,
} from "hookbox";

interface Settings {
  most: number;
  server: string;
}

export function handle(event: HookEvent): Answer | undefined {
  switch (event.name) {
    case "prompt.submit": {
      const prompt: string = event.payload.prompt;
      return prompt === "" ? deny("empty", "say something") : undefined;
    }
    case "tool.before": {
      const command: string | undefined = event.tool.command;
      const input: unknown = event.tool.input.command;
      return command === input ? rewrite({ command: null, more: ["a"] }, { notice: "n" }) : none();
    }
    case "tool.after":
      return replace(event.tool.output);
    case "custom:mine":
      return context(event.payload.more === undefined ? "c" : "d");
    case "session.start":
      // @ts-expect-error not every event is about a tool
      log.info(event.tool.name);
      return context(event.tool?.name ?? "none");
    default:
      return other(event);
  }
}

const events: EventName[] = ["tool.before", "ui.status-line"];
// @ts-expect-error a name that there is not
const wrong: EventName = "tool.befor";

function other(event: HookEvent): Answer {
  const { most, server = "https://a" }: Partial<Settings> = settings<Settings>();
  // @ts-expect-error it may not be set
  const sure: number = most;
  const calls: number = kv.session.increment("calls") + kv.user.increment("calls", -1);
  const kept: string | undefined = kv.project.get(`${calls}`);
  const swapped: boolean = kv.session.swap("a", kept, new Uint8Array([1]));
  kv.session.set("a", new TextEncoder().encode("a"));
  kv.session.delete("a");
  try {
    const response = http.get(`${server}/may`, { timeout: 10, headers: { a: "b", c: ["d"] } });
    const { status, ok, headers } = http.send({ method: "PUT", url: server, json: { a: [1, null] } });
    log.warn(response.text(), response.json().a, response.bytes().length, status, ok, headers["a"], swapped, sure);
  } catch (error) {
    const code: string = error instanceof HookboxError ? error.code : "";
    return stop(code);
  }
  const hosts: string[] = facts()?.hosts.map(({ host }) => host) ?? [];
  // @ts-expect-error an access that there is not
  const removes = facts()?.paths.some(({ access }) => access === "remove");
  console.log(hosts, removes, now(), random(4), source()["a"], events, wrong, kv.session.keys("a"), kv.session.getBytes("b"));
  // @ts-expect-error a verdict that there is not
  const answer: Answer = { verdict: "block" };
  return [answer, allow("a", "b"), ask("a", "b", { context: "c", notice: "n" }), notice("n"), extra({ a: 1 })][0] ?? none();
}
