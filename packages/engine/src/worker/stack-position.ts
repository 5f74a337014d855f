import { getSourceMapsSupport, setSourceMapsSupport } from "node:module";

import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { Thrown } from "@bearhug/plan/protocol/messages";
import { readThrown, withCauses } from "@bearhug/plan/protocol/read-thrown";
import { bundlePositions, deepestFrame } from "@bearhug/plan/test-file/bundle-positions";
import { SourceLines } from "@bearhug/plan/test-file/source-lines";
import type { ForeignText } from "@bearhug/text/foreign-text";
import type { Mask } from "@bearhug/text/secret-mask";

/** A thrown value, described before masking. */
export interface DescribedThrown {
  readonly message: ForeignText;
  /** The place in the bundle; null if the stack names none. */
  readonly position: BundlePosition | null;
}

/**
 * Describes a value that a test threw, with the innermost place in the author's files in its stack or that of
 * a cause. Never throws.
 */
export function describeThrown(error: unknown, bundlePath: string | null): DescribedThrown {
  const { message } = readThrown(error);
  return { message, position: bundlePath === null ? null : positionOf(error, bundlePath) };
}

/**
 * Searches the causes, too: an unawaited error of `fetch` names the call only in its cause. The bundle
 * includes packages, whose lines count only if the author's files have none.
 */
function positionOf(error: unknown, bundlePath: string): BundlePosition | null {
  let innermost: BundlePosition | null = null;
  for (const cause of withCauses(error)) {
    const positions = bundlePositions(readThrown(cause).stack ?? "", bundlePath);
    const own = positions.find((position) => isOwn(position, bundlePath));
    if (own !== undefined) return own;
    innermost ??= positions[0] ?? null;
  }
  return innermost;
}

/**
 * The latest bundle: a thread has one test at a time. Its map is read only when an error or a bypassing
 * request needs it.
 */
let latest: { readonly bundlePath: string; readonly lines: SourceLines } | null = null;

/** True for a place in the author's files. Without a source map, every place counts as one. */
function isOwn(position: BundlePosition, bundlePath: string): boolean {
  if (latest?.bundlePath !== bundlePath) latest = { bundlePath, lines: new SourceLines(bundlePath) };
  try {
    return latest.lines.isOwn(position);
  } catch {
    return true;
  }
}

/** Describes and masks a thrown value for another thread. */
export function serializeThrown(error: unknown, bundlePath: string | null, mask: Mask): Thrown {
  const { message, position } = describeThrown(error, bundlePath);
  return { message: message.masked(mask), position };
}

/**
 * Makes errors thrown deep in the engine or a package keep enough frames to reach the test's line, as a place
 * in the bundle, until the returned function is called. Only code that throws pays for it.
 */
export function keepBundleStacks(): () => void {
  const { stackTraceLimit } = Error;
  const sourceMaps = getSourceMapsSupport();
  Error.stackTraceLimit = Math.max(stackTraceLimit, deepestFrame);
  // If NODE_OPTIONS enables source maps, Node replaces places in the bundle with source paths in its own
  // format.
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
 * Returns the innermost line of the author's files in the caller's stack. A package that connects in its own
 * callback leaves none there: then its import is the place. Null if the stack names no place in the bundle.
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
