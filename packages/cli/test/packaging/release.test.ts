import { describe, expect, test } from "vitest";
import { closeChangelog, findReleaseProblems } from "../../../../tools/release-plan.mjs";

const changelog = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n";

describe("preparing a release", () => {
  test("gives what is unreleased a heading with the version and the day", () => {
    expect(closeChangelog(changelog, "0.2.0", "2026-02-03")).toBe(
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n",
    );
  });

  test.for([
    ["0.2", changelog, '"0.2" is no version: write it like 1.2.3.'],
    ["0.1.0", changelog, 'CHANGELOG.md has a section "0.1.0" already: choose the next version.'],
    [
      "0.2.0",
      changelog.replace("- New.\n", ""),
      'CHANGELOG.md has nothing under "Unreleased": there is nothing to release.',
    ],
  ])("refuses %s where it cannot be released", ([version, text, message]) => {
    expect(() => closeChangelog(text!, version!, "2026-02-03")).toThrow(message);
  });
});

describe("a tag", () => {
  const manifest = { name: "bearhug", version: "0.1.0", repository: "https://example.test/bearhug" };

  test("may be published where each package has its version, and the changelog a section", () => {
    expect(findReleaseProblems("v0.1.0", [manifest, manifest], changelog)).toEqual([]);
  });

  test("may not be published otherwise; each reason is told", () => {
    const { name, version } = manifest;
    expect(findReleaseProblems("v0.2.0", [manifest, { name, version }], changelog)).toEqual([
      "bearhug has version 0.1.0, and the tag is v0.2.0.",
      "bearhug has version 0.1.0, and the tag is v0.2.0.",
      'bearhug has no "repository", which npm compares with where it was built.',
      "CHANGELOG.md says nothing about 0.2.0.",
    ]);
  });
});
