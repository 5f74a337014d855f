import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { version } from "../../../../tools/published-packages.mjs";
import { repositoryName } from "../../../../tools/repository.mjs";
import { root } from "../../../../tools/workspace.mjs";

/** From 1.0 on, the release workflow moves the tag of each major version to its latest release. */
const major = Math.max(1, Number.parseInt(version, 10));

/** Replaces the names of the action and the image in a page by those that follow from package.json. */
function withAddress(page: string): string {
  return page
    .replaceAll(/[\w.-]+\/bearhug@v\d[\d.]*/g, `${repositoryName}@v${major}`)
    .replaceAll(/\bghcr\.io\/[\w.-]+\/bearhug\b/g, `ghcr.io/${repositoryName.toLowerCase()}`);
}

test("docs and examples name the action and the image by `repository` of package.json (vitest --update rewrites them)", async () => {
  const files = globSync(["README.md", "Dockerfile", "docs/**/*.md", "examples/**/*.{md,yml}"], {
    cwd: root,
  });
  const named = files.filter((file) =>
    /\/bearhug@v\d|ghcr\.io\//.test(readFileSync(join(root, file), "utf8")),
  );
  expect(named).toContain(join("docs", "ci.md"));
  for (const file of named) {
    const path = join(root, file);
    await expect(withAddress(readFileSync(path, "utf8"))).toMatchFileSnapshot(path);
  }
});
