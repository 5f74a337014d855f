import type { BundlePosition } from "../metrics/error-log.ts";
import type { Thrown } from "../protocol/thrown.ts";

/** What a test threw, with the first place in its bundle that the stack names. */
export function describeThrown(error: unknown, bundlePath: string | null): Thrown {
  return {
    message: thrownMessage(error),
    position: bundlePath === null ? null : bundlePosition(error, bundlePath),
  };
}

function thrownMessage(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : `${error.name}: ${error.message}`;
  try {
    return `something that is no Error was thrown: ${String(error)}`;
  } catch {
    return "something was thrown that cannot be written as text";
  }
}

function bundlePosition(error: unknown, bundlePath: string): BundlePosition | null {
  if (!(error instanceof Error) || typeof error.stack !== "string") return null;
  for (const line of error.stack.split("\n", 50)) {
    const at = line.indexOf(bundlePath);
    if (at < 0) continue;
    const position = /^:(\d+):(\d+)/.exec(line.slice(at + bundlePath.length));
    if (position !== null) return { line: Number(position[1]), column: Number(position[2]) };
  }
  return null;
}
