import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { type Bounds, readBounds, usage } from "./bounds.ts";
import { DocsSearch } from "./search-docs.ts";
import { serve } from "./serve.ts";

/** The exit code of bearhug's commands for invalid options. */
const invalidInput = 104;

function start(bounds: Bounds): void {
  const home = dirname(fileURLToPath(import.meta.resolve("bearhug/package.json")));
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  let docs: DocsSearch | null = null;
  const parts = {
    version,
    bounds,
    command: [join(home, "bin/bearhug.js")],
    config: fileURLToPath(new URL("../assets/no-config.mjs", import.meta.url)),
    docs: () => (docs ??= new DocsSearch(join(home, "docs"))),
  };
  serve(parts, warn);
}

function warn(sentence: string): void {
  process.stderr.write(`bearhug-mcp: ${sentence}\n`);
}

/** @throws {TypeError} with a sentence about the problem */
function checkFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new TypeError(`--directory ${path}: there is no such folder.`);
  if (!found.isDirectory()) throw new TypeError(`--directory ${path}: is not a folder.`);
}

try {
  const bounds = readBounds(process.argv.slice(2), process.cwd());
  if (bounds === null) process.stdout.write(usage);
  else {
    checkFolder(bounds.directory);
    start(bounds);
  }
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  warn(error.message);
  process.exitCode = invalidInput;
}
