import { readProperty } from "@bearhug/plan/protocol/read-thrown";

/** Returns the error code set by the system or Node; null if there is none that looks like a code. */
export function codeOf(thrown: unknown): string | null {
  const code = textAt(thrown, "code");
  return code !== null && /^[\w/.-]{1,100}$/.test(code) ? code : null;
}

/** Returns the name of an error's class; null if it has none. */
export function nameOf(thrown: unknown): string | null {
  return textAt(thrown, "name");
}

/** Returns the unmasked message of any thrown value, which may contain anything; null if it has none. */
export function messageOf(thrown: unknown): string | null {
  return textAt(thrown, "message");
}

function textAt(thrown: unknown, property: string): string | null {
  const value = readProperty(thrown, property);
  return typeof value === "string" && value !== "" ? value : null;
}
