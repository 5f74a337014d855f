import { pathToFileURL } from "node:url";

import type { BundlePosition } from "../metrics/error-log.ts";
import type { Thrown } from "../protocol/thrown.ts";

/** What a test threw, with the first place in its bundle that the stack names. Reading it may throw again: that is no reason to fail. */
export function describeThrown(error: unknown, bundlePath: string | null): Thrown {
  return {
    message: attempt(() => thrownMessage(error)) ?? "something was thrown that cannot be written as text",
    position: bundlePath === null ? null : attempt(() => bundlePosition(error, bundlePath)),
  };
}

function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Some libraries put a whole response into their messages; each kind of error is kept, and told, with its own. */
const longestMessage = 2000;

function thrownMessage(error: unknown): string {
  const message = fullMessage(error);
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;
}

function fullMessage(error: unknown): string {
  if (!(error instanceof Error)) return `something that is no Error was thrown: ${String(error)}`;
  return error.message === "" ? error.name : `${error.name}: ${error.message}`;
}

/** Stacks name modules by their address, in which blanks and letters beyond ASCII are encoded, or by their path. */
function bundlePosition(error: unknown, bundlePath: string): BundlePosition | null {
  if (!(error instanceof Error) || typeof error.stack !== "string") return null;
  const names = [pathToFileURL(bundlePath).href, bundlePath];
  for (const line of error.stack.split("\n", 50)) {
    for (const name of names) {
      const at = line.indexOf(name);
      if (at < 0) continue;
      const position = /^:(\d+):(\d+)/.exec(line.slice(at + name.length));
      if (position !== null) return { line: Number(position[1]), column: Number(position[2]) };
    }
  }
  return null;
}
