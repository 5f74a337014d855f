import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { serveStdio } from "@modelcontextprotocol/server/stdio";

import { type Bounds, readBounds, usage } from "./bounds.ts";
import { DocsSearch } from "./search-docs.ts";
import { createServer } from "./server.ts";

/** As bearhug's own commands do for options that they cannot use. */
const invalidInput = 104;

function start(bounds: Bounds): void {
  const home = dirname(fileURLToPath(import.meta.resolve("bearhug/package.json")));
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  const results = mkdtempSync(join(tmpdir(), "bearhug-mcp-"));
  process.on("exit", () => {
    rmSync(results, { recursive: true, force: true });
  });
  let docs: DocsSearch | null = null;
  serveStdio(() =>
    createServer({
      version,
      bounds,
      command: [join(home, "bin/bearhug.js")],
      config: fileURLToPath(new URL("../assets/no-config.mjs", import.meta.url)),
      results,
      docs: () => (docs ??= new DocsSearch(join(home, "docs"))),
    }),
  );
}

try {
  const bounds = readBounds(process.argv.slice(2), process.cwd());
  if (bounds === null) process.stdout.write(usage);
  else if (!existsSync(bounds.directory))
    throw new TypeError(`--directory ${bounds.directory}: there is no such folder.`);
  else start(bounds);
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`bearhug-mcp: ${error.message}\n`);
  process.exitCode = invalidInput;
}
