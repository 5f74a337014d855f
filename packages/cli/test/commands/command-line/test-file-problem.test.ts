import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runFileProblem, testFileProblem } from "../../../src/commands/command-line/test-file-problem.ts";
import { temporaryFolder } from "../../end-to-end/run-bearhug.ts";

test.each(["shop.ts", "shop.js", "shop.mjs", "shop.mts", "shop.har", "shop.har.gz", "load/Shop.TS"])(
  "bearhug run is suggested for %s if it is a file",
  (name) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "load"));
    const path = join(folder, name);
    writeFileSync(path, "");
    expect(testFileProblem(path)).toBe(
      `"${path}" is a file, not an address. Did you mean "bearhug run ${path}"?`,
    );
  },
);

test.each(["shop.ts", "./shop.ts", "/nowhere/shop.har", "~/shop.js", "..\\shop.mts"])(
  "%s is reported as a missing file",
  (path) => {
    expect(testFileProblem(path)).toContain(`There is no file ${path}. If it is an address, write http://`);
  },
);

test.each(["http://shop.ts", "127.0.0.1/app.js", "localhost:8080/app.js", "shop.example", "localhost"])(
  "%s is an address",
  (address) => {
    expect(testFileProblem(address)).toBeNull();
  },
);

test("a name that is too long for the file system is reported as a missing file", () => {
  const name = `${"x".repeat(300)}.ts`;
  expect(testFileProblem(name)).toContain(`There is no file ${name}.`);
  expect(runFileProblem(name)).toBe(`There is no file ${name}.`);
});

test.each(["shop.ts", "shop.cjs", "shop.tsx", "shop", "shop.har", "trace.zip"])("%s can be run", (name) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, "");
  expect(runFileProblem(path)).toBeNull();
});

test.each(["notes.txt", "result.json", "shop.ts.txt"])("%s cannot be run", (name) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, "");
  expect(runFileProblem(path)).toBe(
    `${path} cannot be run; a test is a .ts or .js file, a capture a .har file.`,
  );
});

test("a name without its extension is reported with it, and a folder is refused", () => {
  const folder = temporaryFolder();
  const path = join(folder, "shop");
  writeFileSync(`${path}.js`, "");
  expect(runFileProblem(path)).toBe(`There is no file ${path}. Did you mean ${path}.js?`);
  expect(runFileProblem(folder)).toBe(
    `${folder} is a folder; a test is a .ts or .js file, a capture a .har file.`,
  );
});

test.skipIf(process.platform === "win32")("a device is reported as a device, not as a folder", () => {
  expect(runFileProblem("/dev/null")).toBe(
    "/dev/null is a device or a pipe; a test is a .ts or .js file, a capture a .har file.",
  );
});

test.each([
  ["shop.yml", "an Artillery test, docs/artillery.md"],
  ["shop.yaml", "an Artillery test, docs/artillery.md"],
  ["locustfile.py", "a Locust test, docs/locust-jmeter-gatling.md"],
  ["plan.jmx", "a JMeter test, docs/locust-jmeter-gatling.md"],
  ["Simulation.scala", "a Gatling test, docs/locust-jmeter-gatling.md"],
])("the page about porting is named for %s if it is a file", (name, where) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, "");
  const problem = `${path} cannot be run; a test is a .ts or .js file, a capture a .har file. If it is ${where} shows how to port it.`;
  expect(runFileProblem(path)).toBe(problem);
  expect(testFileProblem(path)).toBe(problem);
  expect(testFileProblem(`http://shop.example/${name}`)).toBeNull();
});
