import { inspect, types } from "node:util";

import { told, verbatim, type ForeignText } from "@bearhug/text/foreign-text";

/** A thrown value as text, read without trusting it; its texts may hold secrets. */
export interface ReadThrown {
  /** The error's class and message: `TypeError: x is not a function`. */
  readonly message: ForeignText;
  /** The same without the name of the error's class, as it came: for messages of errors, which are read here in turn. */
  readonly reason: string;
  /** Null where it has none, or none that can be read. */
  readonly stack: string | null;
}

/** Some libraries put a whole response into their messages; each kind of error is kept, and told, with its own. */
const longestText = 2000;
/** To look into a longer text may take more memory than the worker has. */
const longestReadable = 10_000_000;

const noError = "a value that is not an Error was thrown: ";
const unreadable = "a value that cannot be shown was thrown";

/**
 * Describes whatever was thrown. Never throws: properties may be getters that throw, the value a proxy that answers
 * nothing, a revoked one, or no error at all. `instanceof` is not asked: a proxy could throw there, or never answer.
 */
export function readThrown(value: unknown): ReadThrown {
  const message = readProperty(value, "message");
  const stack = readProperty(value, "stack");
  const isError = isNativeError(value) || (typeof message === "string" && typeof stack === "string");
  if (!isError) {
    const text = textOf(value);
    const said = text === null ? unreadable : `${noError}${text}`;
    return {
      message: verbatim(said, longestText),
      reason: text ?? unreadable,
      stack: text === null ? stackBehind(value) : null,
    };
  }
  const readStack = typeof stack === "string" && stack.length <= longestReadable ? stack : null;
  if (typeof message !== "string")
    return { message: told`${unreadable}`, reason: unreadable, stack: readStack };
  const name = nameOf(value);
  const reason = message === "" ? (name ?? "Error") : readable(withCause(message, value));
  const said = message === "" || name === null ? reason : `${name}: ${reason}`;
  return { message: verbatim(said, longestText), reason, stack: readStack };
}

/** Some messages say nothing without their cause: "fetch failed". */
function withCause(message: string, error: unknown): string {
  const cause = readProperty(error, "cause");
  const why = isNativeError(cause) ? readProperty(cause, "message") : null;
  if (typeof why !== "string" || why === "" || message.length + why.length > longestReadable) return message;
  return message.includes(why) ? message : `${message}: ${why}`;
}

/** An error to reject with: the value itself where it is an error, else one that says what it was. */
export function asError(value: unknown): Error {
  return isNativeError(value)
    ? value
    : new Error(`${noError}${textOf(value) ?? unreadable}`, { cause: value });
}

/** True for errors, also of another realm; false for a proxy of one. */
function isNativeError(value: unknown): value is Error {
  try {
    return Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** Any value as text, which may hold secrets; null where it cannot be written as text. Never throws. */
export function textOf(value: unknown): string | null {
  try {
    return readable(String(value));
  } catch {
    return null;
  }
}

/** The property of any value; undefined where it has none, or reading it throws. */
export function readProperty(value: unknown, name: PropertyKey): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** The stack of an error behind a proxy, without asking the proxy's traps. */
function stackBehind(value: unknown): string | null {
  if (!types.isProxy(value)) return null;
  try {
    return inspect(value, {
      customInspect: false,
      depth: 0,
      maxArrayLength: 0,
      maxStringLength: longestText,
    });
  } catch {
    return null;
  }
}

function nameOf(value: unknown): string | null {
  const name = readProperty(value, "name");
  return typeof name === "string" && name !== "" ? readable(name) : null;
}

function readable(text: string): string {
  return text.length > longestReadable ? `a string of ${text.length} characters` : text;
}

/** The name of errors whose iteration is not known. */
export const outsideIterations = "(outside an iteration)";

/** Codes of errors that nobody awaited or caught. */
export const strayCodes: ReadonlySet<string> = new Set(["UNHANDLED_REJECTION", "UNCAUGHT_EXCEPTION"]);

/** Codes of errors of the test's own code that make an iteration fail. */
export const failingCodes: ReadonlySet<string> = new Set(["TEST_THREW", "PAUSE_NOT_AWAITED", ...strayCodes]);
