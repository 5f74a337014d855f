import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/** Tests that readers may copy as they are: with their imports. */
function completeTests(): { readonly file: string; readonly source: string }[] {
  const pages = globSync(["README.md", "docs/*.md", "packages/*/README.md"], { cwd: repository });
  return pages.toSorted().flatMap((page) => {
    const snippets = readFileSync(join(repository, page), "utf8").matchAll(/^```ts\n(.*?)^```/gms);
    return [...snippets]
      .map(([, source = ""], index) => ({
        file: `${page.replaceAll(/\W/g, "-")}-${index + 1}.mts`,
        source,
      }))
      .filter(({ source }) => source.startsWith("import ") && source.includes("defineTest("));
  });
}

test("every complete test in the documentation compiles", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-snippets-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const tests = completeTests();
  expect(tests.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["README-md-1.mts", "docs-data-md-1.mts", "docs-k6-md-1.mts"]),
  );
  // Clients that the pages show.
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
    paths: Object.fromEntries(
      Object.entries({
        "@bearhug/sdk": "packages/sdk/src/index.ts",
        bearhug: "packages/cli/src/index.ts",
        "bearhug/vitest": "packages/cli/src/vitest.ts",
      }).map(([name, path]) => [name, [join(repository, path)]]),
    ),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }));
  const compiler = join(repository, "node_modules/typescript-7.0/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "--project", folder, "--pretty", "false"], {
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});
