// The check that every language has, in JavaScript.
import { HookboxError, ask, context, deny, http, kv, log, rewrite, settings } from "hookbox";

/** @type {import("hookbox").Handle} */
export function handle(event) {
  log.info(`saw ${event.name}`);
  const { greeting, most, server } = settings();
  if (event.name === "session.start") {
    return greeting === undefined ? undefined : context(greeting);
  }
  if (event.name === "tool.before" && event.tool.class === "shell" && event.tool.command !== undefined) {
    return tooMany(most) ?? judge(event.tool.command, server);
  }
}

function tooMany(most) {
  if (most === undefined) {
    return undefined;
  }
  // What the store says no with is the hook's failure: "the store: not-granted".
  const calls = kv.session.increment("calls");
  return calls > most ? ask("too-many-calls", `call ${calls} of ${most}`) : undefined;
}

function judge(command, server) {
  if (command.trim() === "rm -rf /") {
    return deny("removes-root", "rm -rf / removes everything");
  }
  if (command.startsWith("npm ")) {
    return rewrite({ command: `p${command}` }, { notice: "pnpm instead of npm" });
  }
  if (command.startsWith("deploy ") && server !== undefined) {
    return askServer(server, command.slice("deploy ".length));
  }
}

function askServer(server, what) {
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

function sent(url) {
  try {
    return http.get(url);
  } catch (error) {
    throw error instanceof HookboxError ? new Error(`the server: ${error.code}`) : error;
  }
}

function percentEncoded(text) {
  return encodeURIComponent(text).replace(/[-_.!~*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
