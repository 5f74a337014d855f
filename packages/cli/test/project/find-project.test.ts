import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { InvalidInput } from "@bearhug/sdk";
import { expect, onTestFinished, test } from "vitest";

import { findProject } from "../../src/project/find-project.ts";

/** Makes a folder with these files; a path that ends in a slash becomes a folder. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-project-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path.endsWith("/") ? path : dirname(path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(folder, path), text);
  }
  return folder;
}

const pnpmRuns = { npm_config_user_agent: "pnpm/10.1.0 npm/? node/v24.0.0 linux x64" };

test.for([
  [{}, {}, "npm"],
  [{}, pnpmRuns, "pnpm"],
  [{ "package.json": '{ "packageManager": "yarn@4.1.0" }' }, pnpmRuns, "yarn"],
  [{ "package.json": '{ "packageManager": "yarn@4.1.0" }', "bun.lock": "" }, pnpmRuns, "bun"],
  [{ "package-lock.json": "{}" }, pnpmRuns, "npm"],
] as const)("%j, run by %j, uses %s", ([files, environment, manager]) => {
  expect(findProject(folderOf(files), environment).packageManager).toBe(manager);
});

test("a folder within a repository belongs to the nearest package.json, and to the repository's editor files", () => {
  const root = folderOf({
    ".git/": "",
    "pnpm-lock.yaml": "",
    "apps/shop/package.json": "{}",
    "apps/shop/src/": "",
  });
  const project = findProject(join(root, "apps/shop/src"), {});
  expect(project).toMatchObject({ root, prefix: "apps/shop/", packageManager: "pnpm" });
  expect(project.read("apps/shop/package.json")).toBe("{}");
  expect(project.read("apps/shop/nothing")).toBeNull();
});

test("outside a repository, files above the folder do not belong to the project", () => {
  const above = folderOf({ "package.json": "{}", "pnpm-lock.yaml": "", "My Shop!/": "" });
  const root = join(above, "My Shop!");
  expect(findProject(root, {})).toMatchObject({ root, prefix: "", name: "my-shop", packageManager: "npm" });
});

test("a file that cannot be read is reported by name", () => {
  const { read, root } = findProject(folderOf({ "tsconfig.json/": "" }), {});
  expect(() => read("tsconfig.json")).toThrow(InvalidInput);
  expect(() => read("tsconfig.json")).toThrow(`${join(root, "tsconfig.json")}: cannot be read (EISDIR).`);
});
