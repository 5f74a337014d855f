import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

interface Snippet {
  readonly file: string;
  readonly source: string;
}

function readSnippets(): Snippet[] {
  const pages = globSync(["README.md", "docs/*.md", "packages/*/README.md"], { cwd: repository });
  return pages.toSorted().flatMap((page) => {
    const snippets = readFileSync(join(repository, page), "utf8").matchAll(/^```ts\n(.*?)^```/gms);
    return [...snippets].map(([, source = ""], index) => ({
      file: `${page.replaceAll(/\W/g, "-")}-${index + 1}.mts`,
      source,
    }));
  });
}

/** Returns the snippets that are whole tests, with their imports, which readers may copy unchanged. */
function completeTests(): Snippet[] {
  return readSnippets().filter(
    ({ source }) => source.startsWith("import ") && source.includes("defineTest("),
  );
}

test("a block of the documentation that exports a test is complete: it has its imports and leaves nothing out", () => {
  const partial = readSnippets().filter(
    ({ source }) =>
      source.includes("export default define") && (!source.startsWith("import ") || source.includes("…")),
  );
  expect(partial.map(({ file }) => file)).toEqual([]);
});

/** Returns the paths of the packages' types: those that the check has just built, or the sources. */
function typesOfPackages(): Record<string, string[]> {
  const [folder, extension] =
    process.env["BEARHUG_PACKED"] === undefined ? ["src", ".ts"] : ["dist", ".d.ts"];
  const modules = { "@bearhug/sdk": "sdk/index", bearhug: "cli/index", "bearhug/vitest": "cli/vitest" };
  return Object.fromEntries(
    Object.entries(modules).map(([name, module]) => {
      const path = `${module.replace("/", `/${folder}/`)}${extension}`;
      return [name, [join(repository, "packages", path)]];
    }),
  );
}

test("every complete test in the documentation compiles", () => {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-snippets-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const tests = completeTests();
  expect(tests.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["README-md-1.mts", "docs-data-md-1.mts", "docs-k6-md-1.mts"]),
  );
  // The pages' tests import third-party clients, which are installed there.
  symlinkSync(join(repository, "packages/cli/node_modules"), join(folder, "node_modules"));
  for (const { file, source } of tests) writeFileSync(join(folder, file), source);
  const compilerOptions = {
    strict: true,
    target: "es2024",
    lib: ["es2024"],
    module: "nodenext",
    types: ["node"],
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    customConditions: ["bearhug-source"],
    paths: typesOfPackages(),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }));
  const compiler = join(repository, "node_modules/typescript-7.0/bin/tsc");
  const line = [compiler, "--project", folder, "--pretty", "false", "--singleThreaded"];
  const { status, stdout } = spawnSync(process.execPath, line, { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
