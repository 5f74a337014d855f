import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

import {
  debugArguments,
  importArguments,
  listArguments,
  runArguments,
  testPathOf,
} from "../src/command-lines.ts";
import { configureDebugger } from "../src/debug-configuration.ts";
import { readOutcome } from "../src/findings.ts";
import { followLines, describeProgress } from "../src/run-progress.ts";
import { runCommand, type CommandEnd } from "../src/run-command.ts";
import { readTestList } from "../src/test-list.ts";

let folder: string;
let shop: Server;

beforeAll(async () => {
  shop = createServer((_, response) => response.end("hello"));
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  shop.close();
});

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "bearhug-vscode-test-")));
  cpSync(fileURLToPath(new URL("fixtures/workspace", import.meta.url)), folder, { recursive: true });
  // Variables of the developer or of CI would change what bearhug does.
  for (const name of Object.keys(process.env))
    if (/^(?:BEARHUG|GITHUB)_/.test(name)) vi.stubEnv(name, undefined);
  const { port } = shop.address() as AddressInfo;
  vi.stubEnv("SHOP_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("XDG_CACHE_HOME", join(folder, "cache"));
  return () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  };
});

/** Runs the command built from the sources, as the extension would. */
function bearhug(args: readonly string[], onOutput?: (text: string) => void): Promise<CommandEnd> {
  const program = process.env["COMMAND_UNDER_TEST"];
  if (program === undefined) throw new TypeError("tools/vitest/command-setup.ts has not run");
  const { signal } = new AbortController();
  return runCommand({ node: process.execPath, program, folder }, args, {
    signal,
    ...(onOutput && { onOutput }),
  });
}

test("lists tests, scenarios and problems with their places", async () => {
  const broken = join(folder, "broken.load.ts");
  const source = readFileSync(join(folder, "single.load.ts"), "utf8");
  writeFileSync(broken, source.replace("vus: 1", "vus: -1"));
  const files = ["shop.load.ts", "single.load.ts", "broken.load.ts"].map((name) => join(folder, name));
  const { stdout } = await bearhug(listArguments(files));
  const [shopTest, single] = ["shop.load.ts", "single.load.ts"].map((name) => join(folder, name));
  expect(readTestList(stdout, folder)).toEqual({
    tests: [
      {
        file: shopTest,
        name: "Shop",
        line: 3,
        column: 16,
        scenarios: [
          { file: shopTest, name: "browse", executor: "shared-iterations", line: 7, column: 5 },
          { file: shopTest, name: "buy", executor: "shared-iterations", line: 13, column: 5 },
        ],
      },
      {
        file: single,
        name: "Single",
        line: 3,
        column: 16,
        scenarios: [{ file: single, name: "visit", executor: "constant-vus", line: 7, column: 5 }],
      },
    ],
    problems: [
      {
        file: broken,
        line: 9,
        column: 7,
        message: "scenarios.visit.vus must be 1 or more, but is -1.",
      },
    ],
  });
});

test("reports the progress of a run every second", async () => {
  const target = { file: join(folder, "single.load.ts"), scenarios: null };
  const files = { progress: join(folder, "single.ndjson"), result: join(folder, "single.json") };
  const lines: string[] = [];
  const followed = followLines(files.progress, (line) => lines.push(line));
  await bearhug(runArguments(target, files, ["--duration", "2s"]));
  await followed.stop();
  expect(lines.map(describeProgress).find((text) => text !== null)).toMatch(
    /^\d+ s of \d+ s · 1 VU · \d+ requests\/s · p95 [\d.]+ ms · 0 % failed$/,
  );
  expect(JSON.parse(lines.at(-1) ?? "null")).toMatchObject({ type: "end", exitCode: 0 });
});

test("finds failed thresholds and exceptions at their places", async () => {
  const file = join(folder, "shop.load.ts");
  const files = { progress: join(folder, "shop.ndjson"), result: join(folder, "shop.json") };
  let shown = "";
  const args = runArguments({ file, scenarios: ["buy"] }, files, ["--seed", "7"]);
  const { exitCode } = await bearhug(args, (text) => {
    shown += text;
  });
  expect(exitCode).toBe(99);
  expect(shown).toContain("threshold failed");
  expect(readOutcome(readFileSync(files.result, "utf8"), folder)).toMatchObject({
    verdict: "failed",
    findings: [
      {
        message: "http_reqs: count>1000: was 3 (3 samples)",
        scenario: null,
        place: { file, line: 23, column: 29 },
      },
      { message: "Error: oops (3 times)", scenario: "buy", place: { file, line: 19, column: 15 } },
    ],
  });
});

test("debugs one iteration", async () => {
  const result = join(folder, "debugged.json");
  const args = debugArguments({ file: join(folder, "shop.load.ts"), scenarios: ["browse"] }, result);
  const launch = { node: process.execPath, program: "/bearhug.js", folder };
  const configured = configureDebugger(launch, { name: "browse", args, run: "1" });
  await bearhug(configured.args);
  expect(readOutcome(readFileSync(result, "utf8"), folder).findings).toMatchObject([
    { message: "http_reqs: count>1000: was 1 (1 sample)" },
  ]);
});

test("imports a capture into a test beside it, and replaces an existing test only if allowed", async () => {
  const capture = join(folder, "recorded.har");
  const target = testPathOf(capture);
  expect(target).toBe(join(folder, "recorded.load.ts"));
  const first = await bearhug(importArguments(capture, target, false));
  expect(first.exitCode, first.stderr).toBe(0);
  expect(readFileSync(target, "utf8")).toContain("defineTest");
  const second = await bearhug(importArguments(capture, target, false));
  expect(second.exitCode).toBe(104);
  expect(second.stderr).toContain("recorded.load.ts");
  const replaced = await bearhug(importArguments(capture, target, true));
  expect(replaced.exitCode, replaced.stderr).toBe(0);
});

test("every snippet makes code that bearhug accepts", async () => {
  const file = fileURLToPath(new URL("../snippets/tests.json", import.meta.url));
  const snippets = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    { readonly body: readonly string[] }
  >;
  const code = (name: string): string =>
    (snippets[name]?.body ?? [])
      .join("\n")
      .replace(/\$\{\d+:([^}]*)\}/g, "$1")
      .replaceAll("$0", "");
  const [vus, rate, ramp] = ["virtual users", "arrival rate", "ramp"].map((name) =>
    code(`Scenario: ${name}`),
  );
  const steps = `const response = await http.get("/");\n${code("Check")}\n${code("Page")}`;
  const tests = {
    "snippet.load.ts": code("Load test"),
    "snippets.load.ts": `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    ${vus?.replace("visit", "a")} ${rate?.replace("visit", "b")} ${ramp?.replace("visit", "c")}
    d: { executor: "per-vu-iterations", vus: 1, iterations: 1, exec: async ({ http, check, page }) => { ${steps} } },
  },
  ${code("Thresholds")}
});`,
  };
  for (const [name, source] of Object.entries(tests)) writeFileSync(join(folder, name), source);
  const { stdout } = await bearhug(listArguments(Object.keys(tests)));
  const { tests: listed, problems } = readTestList(stdout, folder);
  expect(problems).toEqual([]);
  expect(listed.map(({ scenarios }) => scenarios.map(({ executor }) => executor))).toEqual([
    ["constant-vus"],
    ["constant-vus", "constant-arrival-rate", "ramping-vus", "per-vu-iterations"],
  ]);
});
