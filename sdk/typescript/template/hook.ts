import { type Answer, type HookEvent, deny, log, settings } from "hookbox";

/** What the configuration may say: `config = { denied = ["rm -rf /"] }`. */
interface Settings {
  denied: string[];
}

export function handle(event: HookEvent): Answer | undefined {
  const command = event.tool?.command?.trim();
  if (command === undefined) {
    return undefined;
  }
  log.info(`saw ${command}`);
  const { denied = ["rm -rf /"] } = settings<Settings>();
  return denied.includes(command) ? deny("denied-command", `${command} is not run here`) : undefined;
}
