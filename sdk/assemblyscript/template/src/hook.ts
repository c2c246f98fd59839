// Denies to remove everything, and what the settings protect: `config = { protected = ["/srv"] }`.

import { Answer, Event, deny, events, hook, none, settings } from "../hookbox/hookbox";

hook((event: Event): Answer => {
  const line = event.command;
  if (event.name != events.TOOL_BEFORE || line === null) return none();
  const command = line.trim();
  if (command == "rm -rf /") return deny("removes-root", "rm -rf / removes everything");
  if (command.startsWith("rm -rf ") && isProtected(command.slice("rm -rf ".length))) {
    return deny("removes-protected", command + " removes what is protected");
  }
  return none();
});

function isProtected(folder: string): bool {
  const own = settings();
  const count = own.countAt("/protected");
  for (let i: i64 = 0; i < count; i++) {
    if (own.textAt("/protected/" + i.toString()) == folder) return true;
  }
  return false;
}
