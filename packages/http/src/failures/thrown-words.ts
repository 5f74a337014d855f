import { readProperty } from "@bearhug/plan/protocol/read-thrown";

/** The code that the system or Node gives an error; null where it has none that looks like one. */
export function codeOf(thrown: unknown): string | null {
  const code = wordsAt(thrown, "code");
  return code !== null && /^[\w/.-]{1,100}$/.test(code) ? code : null;
}

/** The name of an error's class; null where it has none. */
export function nameOf(thrown: unknown): string | null {
  return wordsAt(thrown, "name");
}

/** The message of whatever was thrown, as it came: it may hold anything. Null where it has none. */
export function messageOf(thrown: unknown): string | null {
  return wordsAt(thrown, "message");
}

function wordsAt(thrown: unknown, property: string): string | null {
  const value = readProperty(thrown, property);
  return typeof value === "string" && value !== "" ? value : null;
}
