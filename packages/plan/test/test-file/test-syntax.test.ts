import { expect, test } from "vitest";

import { nameOf, nodesIn, parsesOf, positionOf, type Program } from "../../src/test-file/test-syntax.ts";

/** Returns a bundle as esbuild writes it. */
const bundle = (packageCode: string): string => `import { createRequire } from "node:module";
var __commonJS = (cb) => cb;

// ../node_modules/a/index.js
var require_a = __commonJS({
  "../node_modules/a/index.js"(exports) {
    exports.rate = { rate: 1 };${packageCode}
  }
});

// load/rates.ts
var rates = { rate: 5 };

// ../node_modules/b/index.js
var b = { rate: 2 };

// load/test.ts
var test_default = { rate: 6 };
export {
  test_default as default
};
`;

const linesOfRates = (program: Program | null | undefined): (number | undefined)[] | null =>
  program
    ? [...nodesIn(program)]
        .filter((node) => node.type === "Property" && nameOf(node) === "rate")
        .map((node) => positionOf(node)?.line)
    : null;

/** Returns the lines of rates in the author's own code, and in the whole bundle. */
const ratesOf = (code: string): unknown => parsesOf(() => code).map((parse) => linesOfRates(parse()));

test("parses the author's own code first, then the whole bundle, both with the positions in the bundle", () => {
  const lines = bundle("").split("\n");
  const [own, all] = [
    ["var rates", "var test_default"],
    ["exports.rate", "var rates", "var b ", "var test_default"],
  ].map((starts) => starts.map((start) => lines.findIndex((line) => line.trim().startsWith(start)) + 1));
  expect(ratesOf(bundle(""))).toEqual([own, all]);
});

test("parses only the whole bundle if a package's text looks like the beginning of a module", () => {
  expect(ratesOf(bundle("\n    exports.text = `\n// load/test.ts\n`;"))).toEqual([null, expect.any(Array)]);
});

test("parses a bundle without packages once", () => {
  expect(ratesOf("// load/test.ts\nvar rates = { rate: 5 };\n")).toEqual([null, [2]]);
});

test("is null for code that the parser does not understand", () => {
  expect(ratesOf("var a = ;")).toEqual([null, null]);
});
