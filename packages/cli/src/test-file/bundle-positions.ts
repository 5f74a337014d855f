import { pathToFileURL } from "node:url";

import type { BundlePosition } from "../metrics/error-log.ts";

/** Enough to find the author's line behind what it calls. */
export const deepestFrame = 50;

/**
 * Returns the places in a bundle that a stack names, the innermost first. Stacks name modules by their address, in which
 * blanks and letters beyond ASCII are encoded, or by their path.
 */
export function bundlePositions(stack: string, bundlePath: string): BundlePosition[] {
  const names = [pathToFileURL(bundlePath).href, bundlePath];
  return stack.split("\n", deepestFrame).flatMap((line) => {
    for (const name of names) {
      const at = line.indexOf(name);
      if (at < 0) continue;
      const position = /^:(\d+):(\d+)/.exec(line.slice(at + name.length));
      if (position !== null) return [{ line: Number(position[1]), column: Number(position[2]) }];
    }
    return [];
  });
}
