import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runFileProblem, testFileProblem } from "../../../src/commands/command-line/test-file-problem.ts";
import { temporaryFolder } from "../../end-to-end/run-bearhug.ts";

test.each(["shop.ts", "shop.js", "shop.mjs", "shop.mts", "shop.har", "shop.har.gz", "load/Shop.TS"])(
  "%s that is a file belongs to run",
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
  "%s that is no file is said to be missing",
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

test("a name longer than the system's names is no file either", () => {
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

test("a name without its ending is told with it, and a folder is no test", () => {
  const folder = temporaryFolder();
  const path = join(folder, "shop");
  writeFileSync(`${path}.js`, "");
  expect(runFileProblem(path)).toBe(`There is no file ${path}. Did you mean ${path}.js?`);
  expect(runFileProblem(folder)).toBe(
    `${folder} is a folder; a test is a .ts or .js file, a capture a .har file.`,
  );
});

test.skipIf(process.platform === "win32")("a device is not told to be a folder", () => {
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
])("%s that is a file is pointed to the page about porting it", (name, where) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, "");
  const problem = `${path} cannot be run; a test is a .ts or .js file, a capture a .har file. If it is ${where} shows how to port it.`;
  expect(runFileProblem(path)).toBe(problem);
  expect(testFileProblem(path)).toBe(problem);
  expect(testFileProblem(`http://shop.example/${name}`)).toBeNull();
});
