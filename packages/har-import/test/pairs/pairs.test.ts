import { check } from "prettier";
import ts from "typescript";
import { expect, test } from "vitest";

import { expectedPath, pairFolder, pairs, writePair } from "./pairs.ts";

test.each(pairs)("$name becomes the test that a developer would have written", async (pair) => {
  const { source, envExample, dataFiles } = await writePair(pair);
  await expect(source).toMatchFileSnapshot(expectedPath(pair.name));
  if (envExample !== "")
    await expect(envExample).toMatchFileSnapshot(`${pairFolder}${pair.name}.expected.env`);
  for (const { name, text } of dataFiles) await expect(text).toMatchFileSnapshot(pairFolder + name);
});

test.each(pairs)(
  "$name is written in the same bytes each time, as prettier has them by itself",
  async (pair) => {
    const { source, dataFiles } = await writePair(pair);
    expect((await writePair(pair)).source).toBe(source);
    expect(await check(source, { filepath: "test.ts" })).toBe(true);
    for (const { name, text } of dataFiles) expect(await check(text, { filepath: name })).toBe(true);
  },
);

test("every test type-checks, as strictly as there is, with nothing but the language and the SDK", () => {
  const program = ts.createProgram(
    pairs.map(({ name }) => expectedPath(name)),
    {
      target: ts.ScriptTarget.ES2024,
      lib: ["lib.es2024.d.ts"],
      module: ts.ModuleKind.NodeNext,
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
      customConditions: ["bearhug-source"],
      skipLibCheck: true,
    },
  );
  const problems = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file?.fileName.includes("/golden/"))
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  expect(problems).toEqual([]);
});
