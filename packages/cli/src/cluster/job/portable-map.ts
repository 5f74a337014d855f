import { dirname, posix, resolve } from "node:path";

import { readBundleMap } from "../../test-file/source-lines.ts";
import type { JobFolder } from "./job-folder.ts";

const isOfPackage = (source: string): boolean => source.includes("node_modules/");

/** The paths of the sources that the test's author wrote. */
export function ownSources(bundlePath: string): string[] {
  const { sources } = readBundleMap(bundlePath);
  return sources.filter((source) => !isOfPackage(source) && !isMadeUp(source)).map(pathFrom(bundlePath));
}

/** The same source map for a bundle in the folder `bundle` of a job. Without the sources of packages: nobody looks into them. */
export function makeMapPortable(bundlePath: string, folder: JobFolder): string {
  const map = readBundleMap(bundlePath);
  const absolute = pathFrom(bundlePath);
  const sources = map.sources.map((source) => {
    if (isMadeUp(source)) return source;
    const path = absolute(source);
    if (folder.has(path)) return encodeURI(posix.join("..", folder.pathOf(path)));
    return posix.join("../elsewhere", source.replace(/^(?:\.\.\/)+/, ""));
  });
  const sourcesContent = map.sourcesContent.map((text, index) =>
    isOfPackage(map.sources[index] ?? "") ? null : text,
  );
  return JSON.stringify({ ...map, sources, sourcesContent });
}

/** The sources that a map holds, by their paths. */
export function* heldSources(
  bundlePath: string,
): Generator<{ readonly path: string; readonly text: string }> {
  const { sources, sourcesContent } = readBundleMap(bundlePath);
  for (const [index, source] of sources.entries()) {
    const text = sourcesContent[index] ?? null;
    if (text !== null && !isMadeUp(source)) yield { path: pathFrom(bundlePath)(source), text };
  }
}

/** esbuild's own: `<define:import.meta>`. */
function isMadeUp(source: string): boolean {
  return source.startsWith("<");
}

function pathFrom(bundlePath: string): (source: string) => string {
  return (source) => resolve(dirname(bundlePath), decodeURIComponent(source));
}
