import { pathToFileURL } from "node:url";

import type { BundlePosition } from "../metrics/error-log.ts";
import { readThrown } from "../protocol/read-thrown.ts";
import type { Thrown } from "../protocol/thrown.ts";

/** Describes what a test threw, with the first place in its bundle that the stack names. Never throws. */
export function describeThrown(error: unknown, bundlePath: string | null): Thrown {
  const { message, stack } = readThrown(error);
  return {
    message,
    position: bundlePath === null || stack === null ? null : bundlePosition(stack, bundlePath),
  };
}

/** Stacks name modules by their address, in which blanks and letters beyond ASCII are encoded, or by their path. */
function bundlePosition(stack: string, bundlePath: string): BundlePosition | null {
  const names = [pathToFileURL(bundlePath).href, bundlePath];
  for (const line of stack.split("\n", 50)) {
    for (const name of names) {
      const at = line.indexOf(name);
      if (at < 0) continue;
      const position = /^:(\d+):(\d+)/.exec(line.slice(at + name.length));
      if (position !== null) return { line: Number(position[1]), column: Number(position[2]) };
    }
  }
  return null;
}
