import { join } from "node:path";

import { DocsSearch } from "../src/search-docs.ts";
import { serve } from "../src/serve.ts";

/** Serves like the program, but with the command built from the sources. */
const [command = "", directory = ""] = process.argv.slice(2);
const parts = {
  version: "0.0.0",
  bounds: { hosts: ["127.0.0.1"], vus: 10, seconds: 60, directory },
  command: [command],
  config: join(import.meta.dirname, "../assets/no-config.mjs"),
  docs: () => new DocsSearch(join(import.meta.dirname, "../../../docs")),
};
serve(parts, (sentence) => process.stderr.write(`${sentence}\n`));
