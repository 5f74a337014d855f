import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { startBearhug, temporaryFolder } from "./run-bearhug.ts";

function source(statement: string): string {
  return `import { writeFileSync } from "node:fs";
import { defineTest } from "@bearhug/sdk";
const literal = "sk-0123456789abcdef";
export default defineTest({
  scenarios: { s: { executor: "shared-iterations", expectNoRequests: true, exec: async ({ sleep }) => { ${statement} } } },
});`;
}

test("the next run removes the bundle of a killed run, but not that of a run in progress", async () => {
  const folder = temporaryFolder();
  const cache = join(folder, "node_modules", ".cache", "bearhug");
  mkdirSync(join(folder, "node_modules"));
  const begun = (name: string): string => join(folder, name);
  writeFileSync(join(folder, "killed.ts"), source(`writeFileSync("killed", ""); await sleep("60s");`));
  writeFileSync(join(folder, "long.ts"), source(`writeFileSync("long", ""); await sleep("60s");`));
  writeFileSync(join(folder, "short.ts"), source(""));
  const killed = startBearhug(["run", "killed.ts"], folder);
  await expect.poll(() => existsSync(begun("killed")), { timeout: 30_000 }).toBe(true);
  killed.child.kill("SIGKILL");
  await killed;
  expect(readdirSync(cache)).toHaveLength(1);
  const long = startBearhug(["run", "long.ts"], folder);
  await expect.poll(() => existsSync(begun("long")), { timeout: 30_000 }).toBe(true);
  const left = readdirSync(cache);
  expect(left).toHaveLength(1);
  const short = await startBearhug(["run", "short.ts"], folder);
  expect(short.exitCode, short.stderr).toBe(0);
  expect(readdirSync(cache)).toEqual(left);
  long.child.kill("SIGKILL");
  await long;
}, 300_000);
