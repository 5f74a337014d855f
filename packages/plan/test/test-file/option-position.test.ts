import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { bundleTest } from "../../src/test-file/bundle.ts";
import { createOptionFinder } from "../../src/test-file/option-position.ts";
import { SourceLines } from "../../src/test-file/source-lines.ts";
import { parsesOf } from "../../src/test-file/test-syntax.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";

/** Returns a function that finds options, as `file:line:column`. */
async function finderOf(files: Readonly<Record<string, string>>): Promise<(path: string) => string | null> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const bundle = await bundleTest(join(folder, "test.ts"));
  onTestFinished(() => {
    bundle.remove();
  });
  const find = createOptionFinder(
    parsesOf(() => readFileSync(bundle.path, "utf8")),
    new SourceLines(bundle.path),
  );
  return (path) => {
    const found = find(path);
    return found === null ? null : `${found.file.slice(folder.length + 1)}:${found.line}:${found.column}`;
  };
}

test("an option is found where it is written, a missing one at the option that encloses it", async () => {
  const find = await finderOf({
    "test.ts": `import { defineTest } from "@bearhug/sdk";
const exec = async () => undefined;
export default defineTest({
  scenarios: {
    readers: { executor: "ramping-vus", stages: [{ duration: "1s", target: 1 },
      { duration: "2s", target: 2 }], exec },
    "heavy readers": { executor: "constant-vus", vus: -1, exec },
  },
  thresholds: { 'http_req_failed{name:"a.b[0]"}': ["rate<1%"] },
});`,
  });
  expect(find("")).toBe("test.ts:3:16");
  expect(find("scenarios.readers.stages[1].target")).toBe("test.ts:6:25");
  expect(find('scenarios["heavy readers"].vus')).toBe("test.ts:7:50");
  expect(find('scenarios["heavy readers"].duration')).toBe("test.ts:7:5");
  expect(find('thresholds["http_req_failed{name:\\"a.b[0]\\"}"][0]')).toBe("test.ts:9:52");
  expect(find("baseUrl")).toBe("test.ts:3:16");
});

test("an option is found in constants, in objects that are spread, and in other files", async () => {
  const find = await finderOf({
    "common.ts": `export const common = { executor: "constant-vus" as const, vus: 0 };`,
    "test.ts": `import { defineTest, type Test } from "@bearhug/sdk";
import { common } from "./common.ts";
const scenarios = {
  readers: { ...common, exec: () => undefined },
};
const definition = { scenarios };
const mine: Test = defineTest(definition);
export { mine as default };`,
  });
  expect(find("scenarios.readers")).toBe("test.ts:4:3");
  expect(find("scenarios.readers.vus")).toBe("common.ts:1:60");
  expect(find("")).toBe("test.ts:7:20");
});

test("no option is found in a module without a default export", async () => {
  const find = await finderOf({ "test.ts": "export const scenarios = {};" });
  expect(find("scenarios")).toBeNull();
});

test.each([
  {
    what: "the whole test",
    code: `export { default } from "acme";`,
    whole: "node_modules/acme/index.js:2:16",
  },
  {
    what: "its scenarios",
    code: `import test from "acme";\nexport default { ...test, name: "mine" };`,
    whole: "test.ts:2:16",
  },
])("an option is found in a package that has $what", async ({ code, whole }) => {
  const find = await finderOf({
    "node_modules/acme/index.js": `const exec = async () => undefined;
export default {
  scenarios: { readers: { executor: "constant-vus", vus: 0, exec } },
};`,
    "test.ts": code,
  });
  expect(find("")).toBe(whole);
  expect(find("scenarios.readers.vus")).toBe("node_modules/acme/index.js:3:53");
});
