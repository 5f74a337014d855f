import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Ended } from "../kept-process/command-line.ts";
import { readResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Runs five iterations of a test with this summary and module code, in its own folder. */
async function summarize(
  summary: string,
  arguments_: readonly string[] = [],
  parts = "",
  module = "",
): Promise<Ended & { readonly folder: string }> {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk"; ${module}
export default defineTest({
  baseUrl: "${server.url}",
  env: { SHOP_TOKEN: { default: "hunter2-hunter2" } },
  ${parts}
  scenarios: { s: { executor: "shared-iterations", vus: 1, iterations: 5, exec: ({ http }) => http.get("/") } },
  summary: ${summary},
  summaryTimeout: "500ms",
});`);
  const folder = temporaryFolder();
  const out = ["--out", "json=result.json"];
  return { ...(await runBearhug(["run", file, ...out, ...arguments_], folder)), folder };
}

test("a test's summary replaces the ordinary one and writes files; the verdict stays, and secrets are masked", async () => {
  const { exitCode, stdout, stderr, folder } = await summarize(
    `async ({ verdict, exitCode, thresholds, metrics }) => ({
      stdout: \`\${verdict} (\${exitCode}): \${thresholds[0].metric}, hunter2-hunter2\`,
      files: { "out/count.json": JSON.stringify(metrics.http_reqs.values.count) + " hunter2-hunter2" },
    })`,
    [],
    `thresholds: { http_reqs: ["count>1000"] }, teardown: () => undefined,`,
  );
  expect({ exitCode, stdout }, stderr).toEqual({
    exitCode: 99,
    stdout: "failed (99): http_reqs, ***\n",
  });
  expect(readFileSync(join(folder, "out/count.json"), "utf8")).toBe("5 ***");
});

const broken: readonly [string, string, RegExp][] = [
  ["throws", `() => { throw new Error("no template"); }`, /no template at \S*your-test\.ts:7:\d+ /],
  ["never ends", `() => { for (;;) {} }`, /it was still running after 500 ms; see summaryTimeout /],
  [
    "returns nothing",
    `() => undefined`,
    /summary must return a string or \{ stdout, files \}, but returned nothing /,
  ],
  ["exits", `() => process.exit(3)`, /summary ended its worker with process\.exit\(3\) /],
];

test.each(broken)(
  "a summary that %s is replaced by the ordinary one, with a warning and exit code 111",
  async (_, summary, why) => {
    const { exitCode, stdout, stderr, folder } = await summarize(summary);
    expect(exitCode, stderr).toBe(111);
    expect(stdout).toContain("5 iterations");
    const warning = /^bearhug: report not written: (.*) \(the test's summary\)$/m.exec(stderr)?.[0] ?? stderr;
    expect(warning).toMatch(why);
    const result = readResult(join(folder, "result.json"), { exitCode, stdout, stderr });
    expect(result).toMatchObject({ verdict: "passed", exitCode: 0 });
  },
);

test("a test's summary runs with --workers 0, too", async () => {
  const { exitCode, stdout, stderr } = await summarize(
    `({ verdict }) => { console.log("hunter2-hunter2"); return verdict; }`,
    ["--workers", "0"],
  );
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 0, stdout: "passed\n" });
  expect(stderr).toMatch(/^\*\*\*$/m);
});

test("ab-test does not call the test's summary, which would replace its answer", async () => {
  const [base, other] = [await startServer(), await startServer()];
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  scenarios: { s: { executor: "constant-vus", vus: 2, duration: "2s",
    exec: async ({ http, sleep }) => { await http.get("/"); await sleep("20ms"); } } },
  summary: () => ({ stdout: "its own summary", files: { "own.txt": "its own file" } }),
});`);
  const folder = temporaryFolder();
  const sides = ["--base", base.url, "--new", other.url];
  const { stdout, stderr } = await runBearhug(["ab-test", file, ...sides], folder);
  expect(stdout, stderr).toMatch(/^(?:✓ OK|✗ REGRESSED|\? UNDECIDED): /);
  expect(stdout).not.toContain("its own summary");
  expect(existsSync(join(folder, "own.txt"))).toBe(false);
});

test("code of the module that throws does not cost the summary", async () => {
  const module = `let isFirst = true;
setInterval(() => { if (isFirst) { isFirst = false; throw new Error("module broke"); } }, 100);`;
  const summary = `async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "the summary";
  }`;
  const { stdout, stderr } = await summarize(summary, [], "", module);
  expect(stdout, stderr).toBe("the summary\n");
});
