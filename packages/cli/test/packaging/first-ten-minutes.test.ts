import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { root } from "../../../../tools/workspace.mjs";
import { startDemo } from "../../src/demo/start-demo.ts";
import { hasChromium } from "../chromium.ts";
import { type LocalRegistry, startRegistry } from "./local-registry.ts";
import { packedPackages } from "./packed-packages.ts";
import { type Ended, runProcess } from "./run-process.ts";

/** Long, because npm downloads packages and starts slowly on a busy machine. */
const slow = { timeout: 240_000 };

let folder: string;
/** The user's folder: empty at first. */
let shop: string;
let registry: LocalRegistry;
let site: Awaited<ReturnType<typeof startDemo>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bearhug-first-"));
  registry = await startRegistry(await packedPackages(mkdtempSync(join(folder, "packed-"))));
  site = await startDemo({ port: 0, host: "127.0.0.1" });
}, slow.timeout);

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the first code block of a page in this language that begins with this text. */
function blockOf(page: string, language: string, begin: string): string {
  const text = readFileSync(join(root, "docs", page), "utf8");
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  const found = blocks.find(([, name, block]) => name === language && block?.startsWith(begin) === true);
  return found?.[2] ?? "";
}

/** Runs a line of a page in a shell, in the user's folder, with the port of this test's site. */
function type(line: string): Promise<Ended> {
  const environment = {
    // Test machines are shared, so the generator may be saturated; that is not the subject here.
    BEARHUG_ALLOW_SATURATED: "true",
    npm_config_registry: registry.url,
    // A new cache keeps npm from using packages of an earlier run.
    npm_config_cache: join(folder, "npm-cache"),
    npm_config_yes: "true",
    // The local registry serves nothing but packages.
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
  };
  const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const here = line.replace("http://127.0.0.1:8080/", `${site.url}/`);
  // npm must not see the package manager that runs this test.
  return runProcess("env", ["-u", "npm_config_user_agent", ...words, "sh", "-c", here], shop);
}

/** Expects that nothing failed except thresholds on durations, which a busy machine may exceed. */
function expectOnlySlow(stdout = ""): void {
  expect(stdout).toMatch(/^ +http_req_failed +0 %/m);
  expect(stdout).toMatch(/^ +iteration_failed +0 %/m);
  expect(stdout).toMatch(/^Checks {2}100 % of \d+ passed/m);
  const crossed = [...stdout.matchAll(/^ +✗ +(\w+)/gm)].map(([, metric]) => metric);
  expect(crossed.filter((metric) => metric !== "page_duration" && metric !== "http_req_duration")).toEqual(
    [],
  );
}

const usesNode = `import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineTest } from "@bearhug/sdk";

const self = readFileSync(new URL("node.load.ts", import.meta.url), "utf8");
const digest = createHash("sha256").update(Buffer.from(self)).digest("hex");
console.log(digest, import.meta.dirname, process.env["HOME"], new URLSearchParams({ q: "1" }).toString());

export default defineTest({
  baseUrl: "http://127.0.0.1:9",
  scenarios: {
    s: { executor: "constant-vus", vus: 1, duration: "1s", exec: ({ http }) => http.get(\`/?\${digest}\`) },
  },
});
`;

describe("the first ten minutes, following the docs line by line", () => {
  test("work from an empty folder: init, check, try, run twice, compare", slow, async () => {
    shop = mkdtempSync(join(folder, "shop-"));
    const lines = blockOf("init.md", "sh", "npm create bearhug").trimEnd().split("\n");
    expect(lines).toHaveLength(7);
    const typed: Ended[] = [];
    for (const line of lines) typed.push(await type(line));
    const [created, installed, checked, tried, base, again, compared] = typed;
    expect(created).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Next:\n  npm install\n") as string,
    });
    expect(installed).toMatchObject({ code: 0 });
    expect(checked).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("1 test checked: no problems.\n") as string,
    });
    expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining("status is 200") as string });
    for (const run of [base, again]) {
      expect([0, 99]).toContain(run?.code);
      expectOnlySlow(run?.stdout);
    }
    // Chance may have made one of two short runs slower, which does not matter here.
    expect([0, 99]).toContain(compared?.code);
    expect(compared?.stdout).toMatch(/^. (?:OK|UNDECIDED|REGRESSED)\b/);
    expect(compared?.stdout).toContain("http_req_duration");
  });

  // Uses the folder of the test above, and adds the files of a CommonJS application.
  test("include check of a test that uses Node, whatever the application's options", slow, async () => {
    const compilerOptions = { target: "es2020", module: "commonjs", types: [] };
    writeFileSync(join(shop, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
    writeFileSync(join(shop, "load/node.load.ts"), usesNode);
    expect(await type("npx bearhug check")).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^[\da-f]{64}.*\n2 tests checked: no problems\.\n$/m) as string,
    });
  });

  // Uses the same folder.
  test.skipIf(!hasChromium)("work with a visit recorded in the browser: record, run", slow, async () => {
    // A retry of this test would find the file of its first attempt.
    rmSync(join(shop, "load/shop.load.ts"), { force: true });
    writeFileSync(join(shop, "flow.ts"), blockOf("record.md", "ts", "import type { Page }"));
    const [install = ""] = blockOf("record.md", "sh", "npm install").split("\n");
    expect(await type(install)).toMatchObject({ code: 0 });
    const [record = "", run = ""] = blockOf("record.md", "sh", "npx bearhug record").split("\n");
    expect(await type(record)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("wrote load/shop.load.ts") as string,
    });
    const ran = await type(run);
    expect([0, 99]).toContain(ran.code);
    expectOnlySlow(ran.stdout);
  });
});
