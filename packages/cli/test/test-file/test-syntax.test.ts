import { expect, test } from "vitest";

import { parseOwn, positionOf, propertiesOf } from "../../src/test-file/test-syntax.ts";

/** As esbuild writes a bundle. */
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

function linesOfRates(code: string): (number | undefined)[] {
  const program = parseOwn(code);
  return program === null ? [] : propertiesOf(program, "rate").map((node) => positionOf(node)?.line);
}

test("finds what the author wrote where it stands in the bundle, and nothing of packages", () => {
  const lines = bundle("").split("\n");
  const own = ["var rates", "var test_default"].map(
    (start) => lines.findIndex((line) => line.startsWith(start)) + 1,
  );
  expect(linesOfRates(bundle(""))).toEqual(own);
});

test("reads the whole bundle where a package's text looks like the beginning of a module", () => {
  const found = linesOfRates(bundle("\n    exports.text = `\n// load/test.ts\n`;"));
  expect(found).toHaveLength(4);
});

test("is null for what the parser does not know", () => {
  expect(parseOwn("var a = ;")).toBeNull();
});
