import { pathToFileURL } from "node:url";

import type { BundlePosition } from "@bearhug/metrics/error-log";
import { writePosition } from "@bearhug/metrics/results/source-position";

import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { LocatedSource } from "./source-lines.ts";

/**
 * The most frames of a stack that are searched: enough to reach the author's line beneath the
 * functions that it calls.
 */
export const deepestFrame = 50;

/**
 * Returns the positions in a bundle that a stack contains, the innermost first. Stacks name modules by their
 * URL, in which spaces and non-ASCII letters are encoded, or by their path.
 */
export function bundlePositions(stack: string, bundlePath: string): BundlePosition[] {
  const names = namesOf(bundlePath);
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

function namesOf(bundlePath: string): [string, string] {
  return [pathToFileURL(bundlePath).href, bundlePath];
}

/** The most positions that are cached: a test may log the same stacks again and again. */
const maxCachedPlaces = 10_000;

/**
 * Returns a function that replaces positions of the bundle in a text, such as a stack that the test logs, by
 * the author's files and lines.
 */
export function createSourceNames(
  source: DefinitionSource,
  locate: (position: BundlePosition) => LocatedSource | null,
): (text: string) => string {
  if (source.kind !== "module") return (text) => text;
  const names = namesOf(source.bundlePath);
  const places = new Map<string, string | null>();
  const placeOf = ([written, line, column]: RegExpExecArray): string | null => {
    const known = places.get(written);
    if (known !== undefined) return known;
    const found = locate({ line: Number(line), column: Number(column) })?.source;
    const place = found ? writePosition(found) : null;
    if (places.size >= maxCachedPlaces) places.clear();
    places.set(written, place);
    return place;
  };
  return (text) => {
    let named = text;
    for (const name of names) {
      const [first = "", ...pieces] = named.split(name);
      const shown = pieces.map((piece) => {
        const position = /^:(\d+):(\d+)/.exec(piece);
        const place = position && placeOf(position);
        return place === null ? name + piece : place + piece.slice(position?.[0].length);
      });
      named = first + shown.join("");
    }
    return named;
  };
}
