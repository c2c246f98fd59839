// Says what it reads in the payloads of some events, in AssemblyScript.

import { Answer, Event, hook, log, none, payloads } from "../hookbox/hookbox";

hook((event: Event): Answer => {
  log.info(said(event));
  return none();
});

function said(event: Event): string {
  const submit = payloads.PromptSubmit.of(event);
  if (submit !== null) return "the prompt is " + submit.prompt;
  const select = payloads.ModelSelectTools.of(event);
  if (select !== null) {
    const tools = select.toolConfig;
    return "the request is " + select.request + " with the tools " + (tools === null ? "none" : tools);
  }
  const route = payloads.ModelRoute.of(event);
  if (route !== null) return "the deployments are " + route.deployments;
  const changed = payloads.CwdChanged.of(event);
  if (changed !== null) return "from " + changed.oldCwd + " to " + changed.newCwd;
  const error = payloads.ModelError.of(event);
  if (error !== null) return "the error is " + error.error;
  return "read nothing of " + event.name;
}
