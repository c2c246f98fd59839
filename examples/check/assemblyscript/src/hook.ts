// The check that every language has, in AssemblyScript.

import { Answer, Event, ask, deny, events, fail, hook, http, json, kv, log, none, settings } from "../hookbox/hookbox";

hook((event: Event): Answer => {
  log.info("saw " + event.name);
  if (event.name == events.SESSION_START) return greet();
  const command = event.command;
  if (event.name != events.TOOL_BEFORE || command === null) return none();
  const own = settings();
  if (own.isNumberAt("/most")) {
    const most = own.integerAt("/most");
    const calls = kv.increment(kv.Scope.Session, "calls");
    const error = calls.error;
    if (error !== null) return fail("the store: " + error);
    if (calls.value > most) return ask("too-many-calls", "call " + calls.value.toString() + " of " + most.toString());
  }
  return judge(command, own.textAt("/server"));
});

function greet(): Answer {
  const greeting = settings().textAt("/greeting");
  return greeting === null ? none() : none().withContext(greeting);
}

function judge(command: string, server: string | null): Answer {
  if (command.trim() == "rm -rf /") return deny("removes-root", "rm -rf / removes everything");
  if (command.startsWith("npm ")) return none().withMember("command", "p" + command).withNotice("pnpm instead of npm");
  if (command.startsWith("deploy ") && server !== null) return askServer(server, command.slice("deploy ".length));
  return none();
}

function askServer(server: string, what: string): Answer {
  const response = http.get(server + "/may?what=" + http.percentEncode(what));
  const error = response.error;
  if (error !== null) return fail("the server: " + error);
  if (response.status == 403) return deny("server-said-no", response.text);
  if (response.status != 200) return fail("the server answered " + response.status.toString());
  return none();
}
