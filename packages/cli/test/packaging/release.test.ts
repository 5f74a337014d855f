import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { getReleaseLine, linksOfTag, sectionOf } from "../../../../tools/changelog.mjs";
import { findReleaseProblems, placeOfRelease } from "../../../../tools/release-plan.mjs";
import { publishedManifest, repository } from "../../../../tools/repository.mjs";
import { root } from "../../../../tools/workspace.mjs";

const changelog = "# Changelog\n\n## 0.2.0\n\n### Minor Changes\n\n- New.\n\n## 0.1.0\n\n- First.\n";

describe("a release tag", () => {
  const manifest = { name: "bearhug", version: "0.2.0" };
  const sources = { hasOwner: true, manifests: [manifest, manifest], pending: [], changelog };

  test("may be published if each package has its version and the changelog has a section for it", () => {
    expect(findReleaseProblems("v0.2.0", sources)).toEqual([]);
  });

  test("may not be published otherwise, and each reason is reported", () => {
    const others = { hasOwner: false, manifests: [manifest], pending: [".changeset/new.md"], changelog };
    expect(findReleaseProblems("v0.3.0", others)).toEqual([
      '"repository" in package.json still says OWNER: write the account that has the repository there.',
      "bearhug has version 0.2.0, and the tag is v0.3.0.",
      ".changeset/new.md is not in the changelog: run `pnpm changeset version`.",
      "The changelog says nothing about 0.3.0.",
    ]);
  });
});

test.for([
  ["1.0.0", [], "latest", true, true],
  ["1.10.0", ["1.0.0", "1.9.0"], "latest", true, true],
  ["2.0.0", ["1.9.0", "2.0.0-rc.1", "10.0.0-rc.1"], "latest", true, true],
  // A job that runs again finds its own version published.
  ["2.0.0", ["1.9.0", "2.0.0"], "latest", true, true],
  ["1.9.1", ["1.9.0", "2.0.0", "10.0.0"], "latest-1", true, true],
  ["1.8.1", ["1.8.0", "1.9.0", "1.10.0"], "latest-1.8", false, true],
  ["1.8.1", ["1.8.0", "1.8.2", "1.9.0"], "latest-1.8", false, false],
] as const)(
  "%s, published after %j, gets the tag %s",
  ([version, published, tag, isLatestOfMajor, isLatestOfMinor]) => {
    const isLatest = tag === "latest";
    expect(placeOfRelease(version, published)).toEqual({ tag, isLatest, isLatestOfMajor, isLatestOfMinor });
  },
);

describe("the changelog", () => {
  test.for([
    ["Adds `--x`.\nSee [X](../docs/x.md).", "- Adds `--x`.\n  See [X](../../docs/x.md)."],
    ["#### From 0.1\n\n- [X](../docs/x.md)", "#### From 0.1\n\n- [X](../../docs/x.md)"],
  ] as const)("lists a changeset as an item, or unchanged if it has headings: %j", ([summary, line]) => {
    expect(getReleaseLine({ summary })).toBe(line);
  });

  test("has a section for each version, which becomes the text of the release on GitHub", () => {
    expect(sectionOf(changelog, "0.2.0")).toBe("### Minor Changes\n\n- New.");
    expect(sectionOf(changelog, "0.1.0")).toBe("- First.");
    expect(sectionOf(changelog, "0.1")).toBe("");
    expect(linksOfTag("[X](../../docs/x.md)", "v0.2.0")).toBe(`[X](${repository}/blob/v0.2.0/docs/x.md)`);
  });

  test("gets every changeset, because each names only bearhug, whose changelog is the product's", () => {
    for (const file of globSync(join(root, ".changeset/*.md"))) {
      const [, names] = /^---\n(.*?)\n---\n/s.exec(readFileSync(file, "utf8")) ?? [];
      expect([file, names]).toEqual([file, expect.stringMatching(/^"?bearhug"?: (major|minor|patch)$/)]);
    }
  });
});

test("a published manifest names its repository and has no devDependencies", () => {
  const manifest = {
    name: "@bearhug/sdk",
    devDependencies: { zod: "1.0.0" },
    dependencies: { b: "1.0.0", a: "1.0.0" },
  };
  const published = publishedManifest(manifest, join(root, "packages/sdk"));
  // The same manifest gives the same bytes.
  expect(JSON.stringify(published["dependencies"])).toBe(`{"a":"1.0.0","b":"1.0.0"}`);
  expect(published).toEqual({
    name: "@bearhug/sdk",
    dependencies: { a: "1.0.0", b: "1.0.0" },
    homepage: `${repository}#readme`,
    repository: { type: "git", url: `git+${repository}.git`, directory: "packages/sdk" },
    bugs: { url: `${repository}/issues` },
  });
});
