import { posix } from "node:path";

import { packageOf, readBundleMap, sourcePath } from "@bearhug/plan/test-file/source-lines";

import type { JobFolder } from "./job-folder.ts";

/** The paths of the sources that the test's author wrote. */
export function ownSources(bundlePath: string): string[] {
  const { sources } = readBundleMap(bundlePath);
  return sources
    .filter((source) => packageOf(bundlePath, source) === null && !isMadeUp(source))
    .map((source) => sourcePath(bundlePath, source));
}

/** The same source map for a bundle in the folder `bundle` of a job. Without the sources of packages: nobody looks into them. */
export function makeMapPortable(bundlePath: string, folder: JobFolder): string {
  const map = readBundleMap(bundlePath);
  const isOfPackage = map.sources.map((source) => packageOf(bundlePath, source) !== null);
  const sources = map.sources.map((source, index) => {
    if (isMadeUp(source)) return source;
    const path = sourcePath(bundlePath, source);
    if (folder.has(path)) return encodeURI(posix.join("..", folder.pathOf(path)));
    // Told from the author's own files by this folder, there as here.
    const around = isOfPackage[index] === true ? "../elsewhere/node_modules" : "../elsewhere";
    return posix.join(around, source.replace(/^(?:\.\.\/)+/, ""));
  });
  const sourcesContent = map.sourcesContent.map((text, index) => (isOfPackage[index] === true ? null : text));
  return JSON.stringify({ ...map, sources, sourcesContent });
}

/** The sources that a map holds, by their paths. */
export function* heldSources(
  bundlePath: string,
): Generator<{ readonly path: string; readonly text: string }> {
  const { sources, sourcesContent } = readBundleMap(bundlePath);
  for (const [index, source] of sources.entries()) {
    const text = sourcesContent[index] ?? null;
    if (text !== null && !isMadeUp(source)) yield { path: sourcePath(bundlePath, source), text };
  }
}

/** esbuild's own: `<define:import.meta>`. */
function isMadeUp(source: string): boolean {
  return source.startsWith("<");
}
