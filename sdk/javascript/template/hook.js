import { deny, log, settings } from "hookbox";

/**
 * Denies a command that the settings name: `config = { denied = ["rm -rf /"] }`.
 *
 * @type {import("hookbox").Handle}
 */
export function handle(event) {
  const command = event.tool?.command?.trim();
  if (command === undefined) {
    return;
  }
  log.info(`saw ${command}`);
  const { denied = ["rm -rf /"] } = settings();
  if (Array.isArray(denied) && denied.includes(command)) {
    return deny("denied-command", `${command} is not run here`);
  }
}
