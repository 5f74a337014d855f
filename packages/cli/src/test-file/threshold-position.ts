import { readFileSync } from "node:fs";

import type { SourcePosition } from "@bearhug/sdk";

/**
 * Where a threshold's expression is written in a test's file: the first string of that text after its metric's key.
 * Null where it is not written as such, but put together by the test's code.
 */
export function findThreshold(
  source: string,
  key: string,
  expression: string,
): Pick<SourcePosition, "line" | "column"> | null {
  const keyOffset = findString(source, key, 0) ?? findProperty(source, key);
  if (keyOffset === null) return null;
  const offset = findString(source, expression, keyOffset);
  if (offset === null) return null;
  const before = source.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Finds thresholds in one file, which is read when the first is asked for. */
export function createThresholdFinder(
  file: string,
): (key: string, expression: string) => SourcePosition | null {
  let source: string | null = null;
  return (key, expression) => {
    source ??= readFileSync(file, "utf8");
    const position = findThreshold(source, key, expression);
    return position === null ? null : { file, ...position };
  };
}

/** The offset of a text between quotes of one kind. */
function findString(source: string, text: string, from: number): number | null {
  const offsets = [`"`, `'`, "`"]
    .map((quote) => source.indexOf(quote + text + quote, from))
    .filter((offset) => offset >= 0);
  return offsets.length === 0 ? null : Math.min(...offsets);
}

/** The offset of a property whose name needs no quotes. */
function findProperty(source: string, name: string): number | null {
  if (!/^\w+$/.test(name)) return null;
  const offset = source.search(new RegExp(`\\b${name}\\s*:`));
  return offset < 0 ? null : offset;
}
