import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";

import type { SourcePosition } from "@bearhug/sdk";

import type { BundlePosition } from "../protocol/thrown.ts";

/** Finds places of a bundle in the sources that its author wrote. */
export class SourceLines {
  readonly #bundleFolder: string;
  readonly #map: SourceMap;

  constructor(bundlePath: string) {
    this.#bundleFolder = dirname(bundlePath);
    this.#map = new SourceMap(JSON.parse(readFileSync(`${bundlePath}.map`, "utf8")));
  }

  /** Relative to the working folder, as an editor's terminal can open it; null where the map knows no line. */
  locate({ line, column }: BundlePosition): SourcePosition | null {
    const entry = this.#map.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry)) return null;
    const file = relative(process.cwd(), resolve(this.#bundleFolder, entry.originalSource));
    return { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  }
}

/** The lines around a place, the place marked; null when the file cannot be read. */
export function codeFrame({ file, line, column }: SourcePosition): string | null {
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
