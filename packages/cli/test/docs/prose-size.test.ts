import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const repository = join(import.meta.dirname, "../../../..");

/** Pages that are generated from the code or meant for contributors. */
const notProse = ["cli", "test-reference", "result-reference", "errors", "decisions"].map(
  (name) => `docs/${name}.md`,
);

test("the pages that people read stay short: 320 kB in all", () => {
  const pages = globSync(["README.md", "docs/**/*.md"], { cwd: repository })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !notProse.includes(path));
  const sizes = pages.map((path) => readFileSync(join(repository, path)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(320_000);
});
