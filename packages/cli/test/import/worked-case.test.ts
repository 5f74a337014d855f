import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";

const docs = fileURLToPath(new URL("../../../../docs/", import.meta.url));
const capture = join(docs, "demo.har");
const page = readFileSync(join(docs, "har-import.md"), "utf8");

/** Returns the first code block in this language after a text of the page. */
function blockAfter(text: string, language: string): string {
  const [, rest = ""] = page.split(text);
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(rest)?.[1] ?? "";
}

test("docs/har-import.md shows the output of import --explain for docs/demo.har", async () => {
  const { exitCode, stdout, stderr } = await runBearhug(["import", capture, "--explain"]);
  expect(exitCode, stderr).toBe(0);
  expect(blockAfter("demo.har --explain` prints:", "")).toBe(stdout);
});

test("docs/har-import.md shows a part of the imported test, which passes against a fresh demo site", async () => {
  const folder = temporaryFolder();
  const imported = await runBearhug(["import", capture, "-o", "demo.ts", "--with-values"], folder);
  expect(imported.exitCode, imported.stderr).toBe(0);
  const source = readFileSync(join(folder, "demo.ts"), "utf8");
  expect(source.replaceAll(/^ {8}/gm, "")).toContain(blockAfter("This part of the test logs in:", "ts"));
  const demo = await startDemo({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => demo.close());
  const out = join(folder, "result.json");
  const run = ["run", "demo.ts", "--env-from", ".env", "--target", demo.url, "--out", `json=${out}`];
  const ended = await runBearhug(run, folder);
  const { checks, thresholds } = readResult(out, ended);
  expect(checks.filter(({ fails }) => fails > 0)).toEqual([]);
  expect(new Set(checks.map(({ name }) => name))).toEqual(
    new Set(["status is 200", "is HTML", "is not HTML", "has a new cookie session", "redirects to /account"]),
  );
  // Thresholds on page times may fail: they need a quiet machine.
  const others = thresholds.filter(({ metric }) => !metric.startsWith("page_duration"));
  expect(others.map(({ metric, passed }) => [metric, passed])).toEqual([
    ["checks", true],
    ["http_req_failed", true],
    ["iteration_failed", true],
  ]);
});
