import { posix } from "node:path";

import { packageOf, readBundleMap, sourcePath } from "@bearhug/plan/test-file/source-lines";

import type { JobFolder } from "./job-folder.ts";

/** Returns the paths of the sources written by the test's author. */
export function ownSources(bundlePath: string): string[] {
  const { sources } = readBundleMap(bundlePath);
  return sources
    .filter((source) => packageOf(bundlePath, source) === null && !isSynthetic(source))
    .map((source) => sourcePath(bundlePath, source));
}

/**
 * Returns the source map for a bundle in the folder `bundle` of a job, without the content of packages'
 * sources, which no one inspects.
 */
export function makeMapPortable(bundlePath: string, folder: JobFolder): string {
  const map = readBundleMap(bundlePath);
  const isFromPackage = map.sources.map((source) => packageOf(bundlePath, source) !== null);
  const sources = map.sources.map((source, index) => {
    if (isSynthetic(source)) return source;
    const path = sourcePath(bundlePath, source);
    if (folder.has(path)) return encodeURI(posix.join("..", folder.pathOf(path)));
    // This folder keeps other sources apart from the author's own files, on both machines.
    const around = isFromPackage[index] === true ? "../elsewhere/node_modules" : "../elsewhere";
    return posix.join(around, source.replace(/^(?:\.\.\/)+/, ""));
  });
  const sourcesContent = map.sourcesContent.map((text, index) =>
    isFromPackage[index] === true ? null : text,
  );
  return JSON.stringify({ ...map, sources, sourcesContent });
}

/** Yields the sources whose content is in the source map, with their paths. */
export function* embeddedSources(
  bundlePath: string,
): Generator<{ readonly path: string; readonly text: string }> {
  const { sources, sourcesContent } = readBundleMap(bundlePath);
  for (const [index, source] of sources.entries()) {
    const text = sourcesContent[index] ?? null;
    if (text !== null && !isSynthetic(source)) yield { path: sourcePath(bundlePath, source), text };
  }
}

/** True for sources that esbuild generates: `<define:import.meta>`. */
function isSynthetic(source: string): boolean {
  return source.startsWith("<");
}
