import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload, type SourceMapping } from "node:module";
import { dirname, isAbsolute, relative, resolve } from "node:path";

import type { BundlePosition } from "@bearhug/metrics/error-log";
import { once } from "@bearhug/sdk/internal";
import type { SourcePosition } from "@bearhug/sdk/result";
import { attempt } from "@bearhug/text/caught-error";

import { standardInput, standardInputName } from "./standard-input.ts";

/** A place in a test's source, with the lines around it. */
export interface LocatedSource {
  readonly source: SourcePosition;
  /** Null when the file cannot be read. */
  readonly frame: string | null;
}

/** Maps positions in a bundle to the sources that its author wrote. */
export class SourceLines {
  readonly #bundlePath: string;
  readonly #readWritten: () => WrittenMap;
  readonly #readMap: () => SourceMap;
  readonly #findOwnLines: () => ReadonlySet<number>;

  constructor(bundlePath: string) {
    this.#bundlePath = bundlePath;
    this.#readWritten = once(() => readBundleMap(bundlePath));
    this.#readMap = once(() => toSourceMap(this.#readWritten(), bundlePath));
    this.#findOwnLines = once(() => ownLines(this.#readWritten(), bundlePath));
  }

  /**
   * Returns true for a position in the test and its modules, and false for one in an npm package.
   * Reads little of the map.
   */
  isOwn({ line }: BundlePosition): boolean {
    return this.#findOwnLines().has(line);
  }

  /** Returns the source of a position; null if the map has no line for it. */
  locate(position: BundlePosition): LocatedSource | null {
    const source = this.sourceAt(position);
    return source === null ? null : { source, frame: codeFrame(source) };
  }

  /** Returns the source position without reading the source file; null if the map has no line for it. */
  sourceAt(position: BundlePosition): SourcePosition | null {
    const entry = this.#entryAt(position);
    if (entry === null) return null;
    const imported = position.isForImport === true ? this.#importOf(entry.originalSource) : null;
    return (
      imported ?? {
        file: this.#fileOf(entry.originalSource),
        line: entry.originalLine + 1,
        column: entry.originalColumn + 1,
      }
    );
  }

  #fileOf(address: string): string {
    return displayPath(sourcePath(this.#bundlePath, address));
  }

  /**
   * Returns the first line in the test's own files that imports the package of a file, or a package that
   * depends on it; null if there is none.
   */
  #importOf(address: string): SourcePosition | null {
    const { sources, sourcesContent } = this.#readWritten();
    const names = new Set([packageOf(this.#bundlePath, address)]);
    for (const name of names) {
      if (name === null) continue;
      for (const [index, source] of sources.entries()) {
        const lines = (sourcesContent[index] ?? "").split("\n");
        const line = lines.findIndex((text) => importsPackage(text, name));
        if (line < 0) continue;
        const importer = packageOf(this.#bundlePath, source);
        if (importer === null) return { file: this.#fileOf(source), line: line + 1, column: 1 };
        names.add(importer);
      }
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
  /** Null for sources that a package's own map lists but its archive leaves out. */
  readonly sourcesContent: readonly (string | null)[];
};

/** Reads the source map beside a bundle. */
export function readBundleMap(bundlePath: string): WrittenMap {
  const map: unknown = JSON.parse(readFileSync(`${bundlePath}.map`, "utf8"));
  if (!isWrittenMap(map)) throw new TypeError(`${bundlePath}.map is not a source map`);
  return map;
}

/** Returns the path of a source, which the map of a bundle lists by its relative URL. */
export function sourcePath(bundlePath: string, address: string): string {
  return resolve(dirname(bundlePath), decodeURIComponent(address));
}

/**
 * Returns the npm package that a source of a bundle belongs to; null for the author's own code. The bundle
 * may be inside `node_modules`, which relative addresses then leave out.
 */
export function packageOf(bundlePath: string, address: string): string | null {
  return packageAt(sourcePath(bundlePath, address));
}

/** Returns the npm package that a file belongs to; null for the author's own code. */
export function packageAt(path: string): string | null {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(path.replaceAll("\\", "/"))?.[1] ?? null;
}

/**
 * Returns the lines of a bundle that come from the test and its modules: no line has code of two modules.
 * Workers need this under load, and it takes a sixth of the time that a `SourceMap` of a large bundle takes.
 */
function ownLines({ mappings, sources }: WrittenMap, bundlePath: string): ReadonlySet<number> {
  const isOwn = sources.map((source) => packageOf(bundlePath, source) === null);
  const lines = new Set<number>();
  let [line, source, field, value, shift] = [1, 0, 0, 0, 0];
  for (let at = 0; at < mappings.length; at++) {
    const character = mappings.charAt(at);
    if (character === "," || character === ";") {
      field = 0;
      if (character === ";") line++;
      continue;
    }
    const digit = base64Digits.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit >= 32) continue;
    // The second number of a mapping is the source, relative to the source of the mapping before.
    if (field === 1) {
      source += value % 2 === 0 ? value >> 1 : -(value >> 1);
      if (isOwn[source] === true) lines.add(line);
    }
    [field, value, shift] = [field + 1, 0, 0];
  }
  return lines;
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function toSourceMap(map: WrittenMap, bundlePath: string): SourceMap {
  const sourcesContent = map.sourcesContent.map((text) => text ?? "");
  return new SourceMap({ ...map, sourcesContent, file: bundlePath, sourceRoot: "" });
}

function isWrittenMap(map: unknown): map is WrittenMap {
  if (typeof map !== "object" || map === null) return false;
  const { mappings, sources, sourcesContent }: { [Name in keyof WrittenMap]?: unknown } = map;
  return typeof mappings === "string" && Array.isArray(sources) && Array.isArray(sourcesContent);
}

/** Returns true for a line that imports a package, or a module of it. */
export function importsPackage(line: string, name: string): boolean {
  const [, imported = ""] = /(?:\bfrom|\bimport|\brequire\()\s*\(?\s*["']([^"']+)["']/.exec(line) ?? [];
  return imported === name || imported.startsWith(`${name}/`);
}

/**
 * Returns a path for display: relative to the working folder if it is inside, so that an editor's
 * terminal can open it.
 */
export function displayPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") || isAbsolute(fromHere) ? path : fromHere;
}

/** Returns the position of a problem with a whole file, which may be `-`. */
export function startOfFile(file: string): SourcePosition {
  return {
    file: file === standardInput ? standardInputName : displayPath(resolve(file)),
    line: 1,
    column: 1,
  };
}

/** Returns the lines around a position, with the position marked; null if the file cannot be read. */
function codeFrame({ file, line, column }: SourcePosition): string | null {
  const lines = attempt(() => readFileSync(file, "utf8").split(/\r?\n/));
  if (lines === null) return null;
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
