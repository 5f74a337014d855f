import type { BundlePosition } from "../metrics/error-log.ts";
import { readProperty, readThrown } from "../protocol/read-thrown.ts";
import type { Mask } from "../secret-mask.ts";
import type { Thrown } from "../protocol/messages.ts";
import type { ForeignText } from "../foreign-text.ts";
import { bundlePositions, deepestFrame } from "../test-file/bundle-positions.ts";

/** Something thrown, before it went through the mask. */
export interface DescribedThrown {
  readonly message: ForeignText;
  /** The place in the bundle; null if the stack names none. */
  readonly position: BundlePosition | null;
}

/** Describes what a test threw, with the first place in its bundle that its stack names, or that of a cause. Never throws. */
export function describeThrown(error: unknown, bundlePath: string | null): DescribedThrown {
  const { message } = readThrown(error);
  return { message, position: bundlePath === null ? null : positionOf(error, bundlePath) };
}

/** Longer chains of causes are not followed: they may be circular. */
const mostCauses = 8;

/** An error of `fetch` that nobody awaited does not name the call; its cause does. */
function positionOf(error: unknown, bundlePath: string): BundlePosition | null {
  let cause = error;
  for (let depth = 0; depth <= mostCauses && cause !== undefined; depth++) {
    const [position] = bundlePositions(readThrown(cause).stack ?? "", bundlePath);
    if (position !== undefined) return position;
    cause = readProperty(cause, "cause");
  }
  return null;
}

/** The same for another thread. */
export function tellThrown(error: unknown, bundlePath: string | null, mask: Mask): Thrown {
  const { message, position } = describeThrown(error, bundlePath);
  return { message: message.shown(mask), position };
}

/**
 * Has errors keep enough frames to reach the test's line where they are thrown deep in the engine or in a package, until
 * the returned function is called. Only who throws pays for it.
 */
export function keepDeepStacks(): () => void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Math.max(stackTraceLimit, deepestFrame);
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
}

/** The places in the bundle that the stack of the caller names, the innermost first. */
export function positionsHere(bundlePath: string): BundlePosition[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = deepestFrame;
  const { stack }: { stack?: unknown } = new Error("where");
  Error.stackTraceLimit = stackTraceLimit;
  return typeof stack === "string" ? bundlePositions(stack, bundlePath) : [];
}
