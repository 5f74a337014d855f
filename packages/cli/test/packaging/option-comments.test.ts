import { join } from "node:path";

import ts from "typescript";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../../src/run/run-test-options.ts");

test("editors show the comments of options that runTest shares with the project's configuration", () => {
  const program = ts.createProgram([source], {
    lib: ["lib.es5.d.ts"],
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    customConditions: ["bearhug-source"],
    types: [],
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(source) ?? expect.fail());
  const options = module?.exports?.get(ts.escapeLeadingUnderscores("RunTestOptions")) ?? expect.fail();
  const commentOf = (name: string): string =>
    ts.displayPartsToString(
      checker.getDeclaredTypeOfSymbol(options).getProperty(name)?.getDocumentationComment(checker),
    );
  expect(commentOf("maxData")).toBe('Stops a run gracefully after it has received this much: `"10GB"`.');
  expect(commentOf("seed")).toBe("Random seed; the same seed repeats a run.");
  expect(commentOf("vus")).toMatch(/^Number of virtual users\./);
});
