import { getSourceMapsSupport, setSourceMapsSupport } from "node:module";

import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { Thrown } from "@bearhug/plan/protocol/messages";
import { readProperty, readThrown } from "@bearhug/plan/protocol/read-thrown";
import { bundlePositions, deepestFrame } from "@bearhug/plan/test-file/bundle-positions";
import { SourceLines } from "@bearhug/plan/test-file/source-lines";
import type { ForeignText } from "@bearhug/text/foreign-text";
import type { Mask } from "@bearhug/text/secret-mask";

/** Something thrown, before it went through the mask. */
export interface DescribedThrown {
  readonly message: ForeignText;
  /** The place in the bundle; null if the stack names none. */
  readonly position: BundlePosition | null;
}

/** Describes what a test threw, with the innermost place in its own files that its stack names, or that of a cause. Never throws. */
export function describeThrown(error: unknown, bundlePath: string | null): DescribedThrown {
  const { message } = readThrown(error);
  return { message, position: bundlePath === null ? null : positionOf(error, bundlePath) };
}

/** Longer chains of causes are not followed: they may be circular. */
const mostCauses = 8;

/**
 * An error of `fetch` that nobody awaited does not name the call; its cause does. Packages are in the bundle, too: only
 * without a line of the author's own is one of theirs the place.
 */
function positionOf(error: unknown, bundlePath: string): BundlePosition | null {
  let innermost: BundlePosition | null = null;
  let cause = error;
  for (let depth = 0; depth <= mostCauses && cause !== undefined; depth++) {
    const positions = bundlePositions(readThrown(cause).stack ?? "", bundlePath);
    const own = positions.find((position) => isOwn(position, bundlePath));
    if (own !== undefined) return own;
    innermost ??= positions[0] ?? null;
    cause = readProperty(cause, "cause");
  }
  return innermost;
}

/** A thread has the bundle of one test at a time. Read only when something is thrown, or goes around the engine. */
let latest: { readonly bundlePath: string; readonly lines: SourceLines } | null = null;

/** True in the author's own files. Where no map is left, every place counts as one. */
function isOwn(position: BundlePosition, bundlePath: string): boolean {
  if (latest?.bundlePath !== bundlePath) latest = { bundlePath, lines: new SourceLines(bundlePath) };
  try {
    return latest.lines.isOwn(position);
  } catch {
    return true;
  }
}

/** The same for another thread. */
export function tellThrown(error: unknown, bundlePath: string | null, mask: Mask): Thrown {
  const { message, position } = describeThrown(error, bundlePath);
  return { message: message.shown(mask), position };
}

/**
 * Has errors keep enough frames to reach the test's line where they are thrown deep in the engine or in a package, and name
 * it by its place in the bundle, until the returned function is called. Only who throws pays for it.
 */
export function keepBundleStacks(): () => void {
  const { stackTraceLimit } = Error;
  const sourceMaps = getSourceMapsSupport();
  Error.stackTraceLimit = Math.max(stackTraceLimit, deepestFrame);
  // Node would put the source's place there, with a path of its own: NODE_OPTIONS may ask for it.
  if (sourceMaps.enabled) setSourceMapsSupport(false);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    Error.stackTraceLimit = stackTraceLimit;
    if (sourceMaps.enabled) setSourceMapsSupport(true, sourceMaps);
  };
}

/**
 * The innermost line of the author's own that the caller's stack names. A client that connects in a callback of its own leaves
 * none: then it is the line that imports its package. Null where the stack names no place in the bundle.
 */
export function positionHere(bundlePath: string): BundlePosition | null {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = deepestFrame;
  const { stack }: { stack?: unknown } = new Error("where");
  Error.stackTraceLimit = stackTraceLimit;
  const positions = typeof stack === "string" ? bundlePositions(stack, bundlePath) : [];
  const own = positions.find((position) => isOwn(position, bundlePath));
  const [innermost] = positions;
  return own ?? (innermost ? { ...innermost, isForImport: true } : null);
}
