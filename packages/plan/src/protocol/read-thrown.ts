import { inspect, types } from "node:util";

import { foreignSentence, foreignLines, type ForeignText } from "@bearhug/text/foreign-text";

/** A thrown value as text, read without trusting it; its texts may contain secrets. */
export interface ReadThrown {
  /** The error's class and message: `TypeError: x is not a function`. */
  readonly message: ForeignText;
  /**
   * The message without the name of the error's class, unmasked and uncut: for messages of other errors,
   * which are read here in turn.
   */
  readonly reason: string;
  /** Null if it has none, or none that can be read. */
  readonly stack: string | null;
}

/**
 * Some libraries put a whole response into their messages, and each error is kept and reported with its
 * message.
 */
const longestText = 2000;
/** Longer texts are not searched: that may take more memory than the worker has. */
const longestReadable = 10_000_000;

const noError = "a value that is not an Error was thrown: ";
const unreadable = "a value that cannot be shown was thrown";

/**
 * Describes any thrown value. Never throws: properties may be getters that throw, and the value may be a
 * proxy whose traps never return, a revoked proxy, or no error at all. Does not use `instanceof`: a proxy
 * could throw there, or never return.
 */
export function readThrown(value: unknown): ReadThrown {
  const message = readProperty(value, "message");
  const stack = readProperty(value, "stack");
  const isError = isNativeError(value) || (typeof message === "string" && typeof stack === "string");
  if (!isError) {
    const text = textOf(value);
    const description = text === null ? unreadable : `${noError}${text}`;
    return {
      message: foreignLines(description, longestText),
      reason: text ?? unreadable,
      stack: text === null ? stackBehind(value) : null,
    };
  }
  const readStack = typeof stack === "string" && stack.length <= longestReadable ? stack : null;
  if (typeof message !== "string")
    return { message: foreignSentence`${unreadable}`, reason: unreadable, stack: readStack };
  const name = nameOf(value);
  const reason = message === "" ? (name ?? "Error") : readable(withCause(message, value));
  const description = message === "" || name === null ? reason : `${name}: ${reason}`;
  return { message: foreignLines(description, longestText), reason, stack: readStack };
}

/** Some messages mean nothing without their cause: "fetch failed". */
function withCause(message: string, error: unknown): string {
  const cause = readProperty(error, "cause");
  const why = isNativeError(cause) ? readProperty(cause, "message") : null;
  if (typeof why !== "string" || why === "" || message.length + why.length > longestReadable) return message;
  return message.includes(why) ? message : `${message}: ${why}`;
}

/**
 * Returns an error to reject with: the value itself if it is an error, otherwise a new error that describes
 * it.
 */
export function asError(value: unknown): Error {
  return isNativeError(value)
    ? value
    : new Error(`${noError}${textOf(value) ?? unreadable}`, { cause: value });
}

/** True for errors, including those of another realm; false for a proxy of one. */
function isNativeError(value: unknown): value is Error {
  try {
    return Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** Returns any value as text, which may contain secrets; null if it cannot be converted. Never throws. */
export function textOf(value: unknown): string | null {
  try {
    return readable(String(value));
  } catch {
    return null;
  }
}

/** Returns the property of any value; undefined if there is none, or if reading it throws. */
export function readProperty(value: unknown, name: PropertyKey): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** Longer chains of causes are not followed: they may be circular. */
const maxCauses = 8;

/** Returns a thrown value, its cause, the cause's cause, and so on. */
export function withCauses(thrown: unknown): readonly unknown[] {
  const all: unknown[] = [];
  let next = thrown;
  while (next !== undefined && all.length <= maxCauses) {
    all.push(next);
    next = readProperty(next, "cause");
  }
  return all;
}

/** Returns the stack of an error behind a proxy, without calling the proxy's traps. */
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

/** The name under which errors of an unknown iteration are reported. */
export const outsideIterations = "(outside an iteration)";

const codes = ["UNHANDLED_REJECTION", "UNCAUGHT_EXCEPTION"] as const;

/** The code of an unhandled rejection or an uncaught exception. */
export type UnhandledErrorCode = (typeof codes)[number];

export const unhandledCodes: ReadonlySet<string> = new Set(codes);

/** Codes of errors in the test's own code that make an iteration fail. */
export const failingCodes: ReadonlySet<string> = new Set([
  "TEST_THREW",
  "PAUSE_NOT_AWAITED",
  ...unhandledCodes,
]);
