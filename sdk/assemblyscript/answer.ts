// What a hook says.

import { quote } from "./json";

/** May it happen? */
export enum Verdict {
  /** No opinion, which is not `Allow`. */
  None,
  /** Yes; it may skip a prompt. */
  Allow,
  /** Only if the person says so. */
  Ask,
  /** No. */
  Deny,
}

/** What a hook makes of an event. Every part is optional. */
export class Answer {
  /** Stable: lower-case words joined by hyphens, at most 64 bytes. */
  code: string = "";
  /** Why, for people. */
  text: string = "";
  replacement: string | null = null;
  patch: string | null = null;
  context: string | null = null;
  notice: string | null = null;
  why: string | null = null;
  extra: string | null = null;
  failure: string | null = null;

  constructor(public verdict: Verdict) {}

  /** Adds text for the model. */
  withContext(text: string): Answer {
    this.context = text;
    return this;
  }

  /** Adds text for the person. */
  withNotice(text: string): Answer {
    this.notice = text;
    return this;
  }

  /** Ends the run, and says why. */
  withStop(why: string): Answer {
    this.why = why;
    return this;
  }

  /** Puts this JSON in the place of the event's rewritable part, such as a tool's arguments. */
  withReplacement(json: string): Answer {
    this.replacement = json;
    this.patch = null;
    return this;
  }

  /** Changes the rewritable part by this merge patch (RFC 7396). */
  withPatch(json: string): Answer {
    this.patch = json;
    this.replacement = null;
    return this;
  }

  /** Changes one text of the rewritable part: `none().withMember("command", "pnpm install")`. */
  withMember(name: string, value: string): Answer {
    return this.withPatch("{" + quote(name) + ":" + quote(value) + "}");
  }

  /** Adds a JSON object with fields that only this event knows. */
  withExtra(json: string): Answer {
    this.extra = json;
    return this;
  }
}

/** No opinion. */
export function none(): Answer {
  return new Answer(Verdict.None);
}

/** Yes; it may skip a prompt. */
export function allow(code: string, text: string): Answer {
  return decided(Verdict.Allow, code, text);
}

/** Only if the person says so. */
export function ask(code: string, text: string): Answer {
  return decided(Verdict.Ask, code, text);
}

/** No. */
export function deny(code: string, text: string): Answer {
  return decided(Verdict.Deny, code, text);
}

/** The hook has failed, and why. The configuration decides what that means, by default a deny. */
export function fail(why: string): Answer {
  const answer = none();
  answer.failure = why;
  return answer;
}

function decided(verdict: Verdict, code: string, text: string): Answer {
  const answer = new Answer(verdict);
  answer.code = code;
  answer.text = text;
  return answer;
}
