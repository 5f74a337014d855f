import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { findDeadLinks } from "./dead-links.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

test("no link in the repository's Markdown files is dead", () => {
  expect(findDeadLinks(repository)).toEqual([]);
});

describe("the search for dead links", () => {
  let folder = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bearhug-links-"));
    writeFileSync(
      join(folder, "other.md"),
      "# `--flag`: what's _new_?\n\n## Twice\n\n## Twice\n\n## Key_name (x)\n",
    );
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function deadIn(markdown: string): string[] {
    writeFileSync(join(folder, "page.md"), markdown);
    return findDeadLinks(folder);
  }

  test.each([
    "[file](other.md)",
    "[heading](other.md#--flag-whats-new)",
    "[second of two](other.md#twice-1)",
    "[underscore](other.md#key_name-x)",
    "# Here\n\n[own heading](#here)",
    '<a id="there"></a>\n\n[own anchor](#there)',
    "[elsewhere](https://example.invalid/none.md#none) and [mail](mailto:a@example.invalid)",
    "`[in code](none.md)`",
    "```md\n[in a fence](none.md)\n```",
  ])("accepts %j", (markdown) => {
    expect(deadIn(markdown)).toEqual([]);
  });

  test.each([
    ["[file](none.md)", "none.md"],
    ["[heading](other.md#none)", "other.md#none"],
    ["[third of two](other.md#twice-2)", "other.md#twice-2"],
    ["[own heading](#none)", "#none"],
    ["![image](none.png)", "none.png"],
    ["[reference][r]\n\n[r]: none.md", "none.md"],
    ['<img src="none.png">', "none.png"],
    ["[outside](../page.md)", "../page.md"],
    ["```md\n# Fenced\n```\n\n[heading in a fence](#fenced)", "#fenced"],
    ["`code` before [file](none.md) and `code` after", "none.md"],
  ])("finds the dead link in %j", (markdown, link) => {
    expect(deadIn(markdown)).toEqual([`page.md: ${link}`]);
  });
});
