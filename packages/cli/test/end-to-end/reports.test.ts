import { readFileSync } from "node:fs";
import { join } from "node:path";

import { ParseOption, XmlDocument } from "libxml2-wasm";
import { expect, test } from "vitest";

import { runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Writes a test whose check and threshold fail; the name of the check is hostile. */
function failingTest(url: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "shop",
  baseUrl: ${JSON.stringify(url)},
  scenarios: {
    s: { executor: "shared-iterations", vus: 1, iterations: 5, exec: async ({ http, check }) => {
      check(await http.get("/"), { "]]> <is> | \`fine\` %0A ::error::": () => false });
    } },
  },
  thresholds: { checks: ["rate>99%"], http_reqs: ["count>=5"] },
});
`);
}

test("--out junit=PATH writes thresholds and checks as test cases, and those that failed as failures", async () => {
  const server = await startServer();
  const path = join(temporaryFolder(), "out", "load.xml");
  const { exitCode, stderr } = await runBearhug(["run", failingTest(server.url), "--out", `junit=${path}`]);
  expect(exitCode, stderr).toBe(99);
  using document = XmlDocument.fromString(readFileSync(path, "utf8"), {
    option: ParseOption.XML_PARSE_DEFAULT,
  });
  const names = (xpath: string): string[] => document.find(xpath).map(({ content }) => content);
  expect(names("//testcase/@name")).toEqual([
    "the run completed as planned",
    "checks: rate>99%",
    "http_reqs: count>=5",
    "]]> <is> | `fine` %0A ::error::",
  ]);
  expect(names("//failure/@message")).toEqual(["was 0 %", "5 of 5 evaluations failed (0 % passed)"]);
  expect(names("//failure")[0]).toMatch(/at .*your-test\.ts:10:\d+$/);
});
