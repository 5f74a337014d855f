import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { root } from "../../../../tools/workspace.mjs";
import { describeExports } from "./describe-exports.ts";

const manifestSchema = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.object({ "bearhug-source": z.string() })])),
});

/** Returns the entry points of a package that users import. */
function publicEntries(folder: string): { name: string; file: string }[] {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.entries(manifestSchema.parse(manifest).exports).flatMap(([name, target]) =>
    typeof target === "string" || name === "./internal"
      ? []
      : [{ name, file: join(folder, target["bearhug-source"]) }],
  );
}

test.for([
  ["@bearhug/sdk", "sdk"],
  ["bearhug", "cli"],
] as const)("%s exports what its api.md lists (vitest --update rewrites it)", async ([name, folder]) => {
  const home = join(root, "packages", folder);
  const sections = publicEntries(home).map(
    (entry) => `## \`${join(name, entry.name)}\`\n\n\`\`\`ts\n${describeExports(entry.file)}\n\`\`\`\n`,
  );
  const introduction = `# Exports of ${name}\n\nWritten by packages/cli/test/packaging/public-api.test.ts; a change here is a change for users.\n`;
  await expect([introduction, ...sections].join("\n")).toMatchFileSnapshot(join(home, "api.md"));
});
