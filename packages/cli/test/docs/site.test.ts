import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { contributorPages, navigation } from "../../../../site/navigation.ts";
import { siteAddress } from "../../../../site/site-address.ts";

const docs = join(import.meta.dirname, "../../../../docs");

test("the site's sidebar has every page of docs/ once, except contributors', and no other (site/navigation.ts)", () => {
  const files = globSync("**/*.md", { cwd: docs }).map((file) => file.replaceAll("\\", "/").slice(0, -3));
  const listed = [...navigation.flatMap(({ pages }) => Object.keys(pages)), ...contributorPages];
  expect(listed.toSorted()).toEqual(files.toSorted());
});

test("the sidebar shows each page under its own title, except for questions and other tools' names", () => {
  const pages = navigation.flatMap(({ title, pages }) =>
    ["Answer questions", "Coming from"].includes(title) ? [] : Object.entries(pages),
  );
  const titles = pages.map(([page]) => /^# (.*)$/m.exec(readFileSync(join(docs, `${page}.md`), "utf8"))?.[1]);
  expect(titles.map((title) => (title === "Cookbook" ? "Recipes" : title))).toEqual(
    pages.map(([, title]) => title),
  );
});

test("README.md leads to every page of the sidebar, except the recipes", () => {
  const readme = readFileSync(join(docs, "../README.md"), "utf8");
  const pages = navigation.flatMap(({ pages }) => Object.keys(pages));
  const missing = pages.filter((page) => !readme.includes(`(docs/${page}.md`));
  expect(missing.filter((page) => !/^cookbook\/(?!index)/.test(page))).toEqual([]);
});

test.each([
  ["README.md", "/"],
  ["docs/cli.md", "/cli"],
  ["docs/cookbook/index.md", "/cookbook/"],
  ["docs/cookbook/cached-blog.md", "/cookbook/cached-blog"],
  ["examples/README.md", "/examples/"],
  ["examples/github/gate.yml", "/examples/github-gate-yml"],
  ["bench/README.md", "/bench"],
  ["packages/cli/CHANGELOG.md", "/changelog"],
  ["ARCHITECTURE.md", null],
  ["docs/demo.har", null],
])("%s is %j on the site", (file, address) => {
  expect(siteAddress(file)).toBe(address);
});
