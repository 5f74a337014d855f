import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload, type SourceMapping } from "node:module";
import { dirname, isAbsolute, relative, resolve } from "node:path";

import { once, type SourcePosition } from "@bearhug/sdk/internal";

import type { BundlePosition } from "../metrics/error-log.ts";

/** A place in a test's source, with the lines around it. */
export interface LocatedSource {
  readonly source: SourcePosition;
  /** Null when the file cannot be read. */
  readonly frame: string | null;
}

/** Finds places of a bundle in the sources that its author wrote. */
export class SourceLines {
  readonly #bundleFolder: string;
  readonly #readMap: () => SourceMap;

  constructor(bundlePath: string) {
    this.#bundleFolder = dirname(bundlePath);
    this.#readMap = once(() => readSourceMap(bundlePath));
  }

  /** Returns true for a place in the test and its modules, and false for one in an npm package. */
  isOwn(position: BundlePosition): boolean {
    const entry = this.#entryAt(position);
    return entry !== null && !entry.originalSource.includes("node_modules/");
  }

  /** Null where the map knows no line. */
  locate(position: BundlePosition): LocatedSource | null {
    const entry = this.#entryAt(position);
    if (entry === null) return null;
    const imported = position.isForImport === true ? this.#importOf(entry.originalSource) : null;
    const source = imported ?? {
      file: this.#fileOf(entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
    return { source, frame: codeFrame(source) };
  }

  /** Sources stand in the map as relative addresses. */
  #fileOf(address: string): string {
    return shownPath(resolve(this.#bundleFolder, decodeURIComponent(address)));
  }

  /** Returns the first line in the test's own files that imports the package of a file; null if another package does. */
  #importOf(address: string): SourcePosition | null {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(address)?.[1];
    if (name === undefined) return null;
    const { sources, sourcesContent } = this.#readMap().payload;
    for (const [index, source] of sources.entries()) {
      if (source.includes("node_modules/")) continue;
      const lines = (sourcesContent[index] ?? "").split("\n");
      const line = lines.findIndex((text) => imports(text, name));
      if (line >= 0) return { file: this.#fileOf(source), line: line + 1, column: 1 };
    }
    return null;
  }

  #entryAt({ line, column }: BundlePosition): SourceMapping | null {
    const entry = this.#readMap().findEntry(line - 1, column - 1);
    return "originalSource" in entry ? entry : null;
  }
}

/** A source map as esbuild writes it. */
export type WrittenMap = Omit<SourceMapPayload, "sourcesContent"> & {
  /** Null for sources that a package's own map names and its archive leaves out. */
  readonly sourcesContent: readonly (string | null)[];
};

/** The source map that lies beside a bundle. */
export function readBundleMap(bundlePath: string): WrittenMap {
  const map: unknown = JSON.parse(readFileSync(`${bundlePath}.map`, "utf8"));
  if (!isWrittenMap(map)) throw new TypeError(`${bundlePath}.map is not a source map`);
  return map;
}

function readSourceMap(bundlePath: string): SourceMap {
  const map = readBundleMap(bundlePath);
  const sourcesContent = map.sourcesContent.map((text) => text ?? "");
  return new SourceMap({ ...map, sourcesContent, file: bundlePath, sourceRoot: "" });
}

function isWrittenMap(map: unknown): map is WrittenMap {
  if (typeof map !== "object" || map === null) return false;
  const { mappings, sources, sourcesContent }: { [Name in keyof WrittenMap]?: unknown } = map;
  return typeof mappings === "string" && Array.isArray(sources) && Array.isArray(sourcesContent);
}

/** Returns true for a line that imports a package, or a module of it. */
function imports(line: string, name: string): boolean {
  const [, imported = ""] = /(?:\bfrom|\bimport|\brequire\()\s*\(?\s*["']([^"']+)["']/.exec(line) ?? [];
  return imported === name || imported.startsWith(`${name}/`);
}

/** Relative to the working folder where it lies within: as people read it, and an editor's terminal opens it. */
export function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") || isAbsolute(fromHere) ? path : fromHere;
}

/** The lines around a place, the place marked; null when the file cannot be read. */
function codeFrame({ file, line, column }: SourcePosition): string | null {
  let lines: string[];
  try {
    lines = readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return null;
  }
  const first = Math.max(1, line - 2);
  const shown = lines.slice(first - 1, line + 1);
  const width = String(first + shown.length - 1).length;
  return shown
    .flatMap((text, index) => {
      const number = first + index;
      const marked = `${number === line ? ">" : " "} ${String(number).padStart(width)} | ${text}`;
      return number === line ? [marked, `  ${" ".repeat(width)} | ${" ".repeat(column - 1)}^`] : [marked];
    })
    .join("\n");
}
