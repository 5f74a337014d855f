// Makes the source maps of the packages, which map stack traces to lines of files in the repository. Complete
// maps with their sources would be as large as the code, so published maps have neither sources nor columns,
// and exclude third-party packages.
import { posix } from "node:path";

import { decode, encode } from "@jridgewell/sourcemap-codec";

import { repository } from "./repository.mjs";

/** @typedef {import("@jridgewell/sourcemap-codec").SourceMapSegment} Segment */

/** Matches the path of one of our own sources in the repository. */
const own = /^packages\/[\w-]+\/src\//;

/**
 * Returns a source map of lines only, with the web addresses of the sources.
 * @param {string} text the bundler's map
 * @param {string} path of the map, relative to the package's folder
 * @param {string} folder of the package, relative to the repository's
 * @param {string} version whose tag is in the addresses
 */
export function mapLines(text, path, folder, version) {
  const map = /** @type {{ sources: string[], mappings: string }} */ (JSON.parse(text));
  const from = posix.join(folder, posix.dirname(path));
  const paths = map.sources.map((source) => posix.join(from, source));
  const sources = paths.filter((source) => own.test(source));
  const mappings = keepLines(decode(map.mappings), (index) => sources.indexOf(paths[index] ?? ""));
  const sourceRoot = `${repository}/blob/v${version}/`;
  return JSON.stringify({ version: 3, sourceRoot, sources, names: [], mappings: encode(mappings) });
}

/**
 * Keeps a segment wherever the source's line changes, and one without a source where foreign code begins.
 * @param {readonly (readonly Segment[])[]} lines
 * @param {(index: number) => number} renumber returns the new index of a source; -1 if it is foreign
 */
function keepLines(lines, renumber) {
  let isForeign = true;
  return lines.map((segments) => {
    /** @type {Segment[]} */
    const kept = [];
    for (const segment of segments) {
      const index = segment.length === 1 ? -1 : renumber(segment[1]);
      if (segment.length === 1 || index === -1) {
        if (!isForeign) kept.push([segment[0]]);
        isForeign = true;
        continue;
      }
      const [column, , line, from] = segment;
      const before = isForeign ? undefined : kept.at(-1);
      if (before?.[1] !== index || before[2] !== line) kept.push([column, index, line, from]);
      isForeign = false;
    }
    return kept;
  });
}
