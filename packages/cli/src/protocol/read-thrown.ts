import { inspect, types } from "node:util";

/** A thrown value as text, read without trusting it. */
export interface ReadThrown {
  /** Why it was thrown, as an error says it: `TypeError: x is not a function`. */
  readonly message: string;
  /** The same without the name of the error's class. */
  readonly reason: string;
  /** Null where it has none, or none that can be read. */
  readonly stack: string | null;
}

/** Some libraries put a whole response into their messages; each kind of error is kept, and told, with its own. */
const longestText = 2000;
/** To look into a longer text may take more memory than the worker has. */
const longestReadable = 10_000_000;

const unreadable = "something was thrown that cannot be written as text";

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
    const said = text === null ? unreadable : `something that is no Error was thrown: ${text}`;
    return { message: said, reason: text ?? unreadable, stack: text === null ? stackBehind(value) : null };
  }
  const readStack = typeof stack === "string" && stack.length <= longestReadable ? stack : null;
  if (typeof message !== "string") return { message: unreadable, reason: unreadable, stack: readStack };
  const reason = shortened(message);
  const name = nameOf(value);
  if (reason === "") return { message: name ?? "Error", reason: name ?? "Error", stack: readStack };
  return { message: name === null ? reason : `${name}: ${reason}`, reason, stack: readStack };
}

/** An error to reject with: the value itself where it is an error, else one that says what it was. */
export function asError(value: unknown): Error {
  return isNativeError(value) ? value : new Error(readThrown(value).message, { cause: value });
}

/** True for errors, also of another realm; false for a proxy of one. */
function isNativeError(value: unknown): value is Error {
  try {
    return Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** Any value as text, shortened; null where it cannot be written as text. Never throws. */
export function textOf(value: unknown): string | null {
  try {
    return shortened(String(value));
  } catch {
    return null;
  }
}

/** The property of any value; undefined where it has none, or reading it throws. */
export function readProperty(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** Of an error behind a proxy, whose traps are not asked. */
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
  return typeof name === "string" && name !== "" ? shortened(name) : null;
}

function shortened(text: string): string {
  if (text.length > longestReadable) return `a text of ${text.length} characters`;
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}
