// The check that every language has, in TypeScript.
import { type Answer, type HookEvent, HookboxError, ask, context, deny, http, kv, log, rewrite, settings } from "hookbox";

interface Settings {
  greeting: string;
  most: number;
  server: string;
}

export function handle(event: HookEvent): Answer | undefined {
  log.info(`saw ${event.name}`);
  const { greeting, most, server } = settings<Settings>();
  switch (event.name) {
    case "session.start":
      return greeting === undefined ? undefined : context(greeting);
    case "tool.before": {
      const { class: kind, command } = event.tool;
      return kind === "shell" && command !== undefined ? (tooMany(most) ?? judge(command, server)) : undefined;
    }
    default:
      return undefined;
  }
}

function tooMany(most: number | undefined): Answer | undefined {
  if (most === undefined) {
    return undefined;
  }
  // What the store says no with is the hook's failure: "the store: not-granted".
  const calls = kv.session.increment("calls");
  return calls > most ? ask("too-many-calls", `call ${calls} of ${most}`) : undefined;
}

function judge(command: string, server: string | undefined): Answer | undefined {
  if (command.trim() === "rm -rf /") {
    return deny("removes-root", "rm -rf / removes everything");
  }
  if (command.startsWith("npm ")) {
    return rewrite({ command: `p${command}` }, { notice: "pnpm instead of npm" });
  }
  if (command.startsWith("deploy ") && server !== undefined) {
    return askServer(server, command.slice("deploy ".length));
  }
  return undefined;
}

function askServer(server: string, what: string): Answer | undefined {
  const response = sent(`${server}/may?what=${percentEncoded(what)}`);
  switch (response.status) {
    case 200:
      return undefined;
    case 403:
      return deny("server-said-no", response.text());
    default:
      throw new Error(`the server answered ${response.status}`);
  }
}

function sent(url: string) {
  try {
    return http.get(url);
  } catch (error) {
    throw error instanceof HookboxError ? new Error(`the server: ${error.code}`) : error;
  }
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[-_.!~*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
