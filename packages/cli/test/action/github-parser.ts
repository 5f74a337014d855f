import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { parseAction } from "@actions/workflow-parser/actions/action-parser";
import type { NoOperationTraceWriter } from "@actions/workflow-parser";
import { build } from "esbuild";

import { temporaryFolder } from "../end-to-end/run-bearhug.ts";

interface GithubParser {
  readonly parseAction: typeof parseAction;
  readonly NoOperationTraceWriter: typeof NoOperationTraceWriter;
}

/**
 * Returns a function that finds errors with GitHub's own parser of action.yml. It is bundled because of its
 * JSON imports.
 */
export async function createParser(): Promise<(content: string) => string[]> {
  const outfile = join(temporaryFolder(), "parser.cjs");
  await build({
    stdin: {
      contents: `export { parseAction } from "@actions/workflow-parser/actions/action-parser";
export { NoOperationTraceWriter } from "@actions/workflow-parser/templates/trace-writer";`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile,
    logLevel: "error",
  });
  const parser = createRequire(import.meta.url)(outfile) as GithubParser;
  return (content) => {
    const { context } = parser.parseAction(
      { name: "action.yml", content },
      new parser.NoOperationTraceWriter(),
    );
    return context.errors.getErrors().map(({ message }) => message);
  };
}
