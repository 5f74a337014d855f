import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { check } from "prettier";
import { expect, onTestFinished, test } from "vitest";

import type { TestSource } from "../../src/index.ts";
import { expectedPath, type Pair, pairFolder, pairs, writePair } from "./pairs.ts";

const compiler = fileURLToPath(new URL("../../../../node_modules/typescript-7.0/bin/tsc", import.meta.url));
/** The first written test of each pair, cached because writing is slow. */
const written = new Map<Pair, Promise<TestSource>>();

test.each(pairs)("$name is imported as the test in its golden file", async (pair) => {
  const { source, envExample, dataFiles } = await firstWritten(pair);
  await expect(source).toMatchFileSnapshot(expectedPath(pair.name));
  if (envExample !== "")
    await expect(envExample).toMatchFileSnapshot(`${pairFolder}${pair.name}.expected.env`);
  for (const { name, text } of dataFiles) await expect(text).toMatchFileSnapshot(pairFolder + name);
});

test.each(pairs)("$name is written with the same bytes each time, in prettier's format", async (pair) => {
  const { source, dataFiles } = await firstWritten(pair);
  expect((await writePair(pair)).source).toBe(source);
  expect(await check(source, { filepath: "test.ts" })).toBe(true);
  for (const { name, text } of dataFiles) expect(await check(text, { filepath: name })).toBe(true);
});

/**
 * The check has just built the SDK's declarations, which users' compilers read. Otherwise the compiler reads the
 * sources, which takes longer.
 */
const customConditions = process.env["BEARHUG_PACKED"] === undefined ? ["bearhug-source"] : [];
const nodeTypes = fileURLToPath(new URL("../../../../node_modules/@types", import.meta.url));

test.each([
  ["the types of the language and the SDK", false, {}],
  [
    "the types of the language, the SDK and Node, if it reads a file",
    true,
    { types: ["node"], typeRoots: [nodeTypes] },
  ],
])("every test type-checks in strict mode with only %s", (_what, readsFiles, ambient) => {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-pairs-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const compilerOptions = {
    target: "es2024",
    lib: ["es2024"],
    module: "nodenext",
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    customConditions,
    skipLibCheck: true,
    ...ambient,
  };
  const files = pairs
    .map(({ name }) => expectedPath(name))
    .filter((path) => readFileSync(path, "utf8").includes('from "node:fs"') === readsFiles);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const line = [compiler, "--project", folder, "--pretty", "false", "--singleThreaded"];
  const { status, stdout } = spawnSync(process.execPath, line, { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

function firstWritten(pair: Pair): Promise<TestSource> {
  const source = written.get(pair) ?? writePair(pair);
  written.set(pair, source);
  return source;
}
