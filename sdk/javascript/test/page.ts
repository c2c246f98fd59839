import { type Answer, type HookEvent, deny } from "hookbox";

export function handle(event: HookEvent): Answer | undefined {
  if (event.name === "prompt.submit" && event.payload.prompt.includes("password")) {
    return deny("secret", "This looks like a secret.");
  }
  return undefined;
}
