import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { readResult, type Reported, startBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { hasChromium } from "./chromium.ts";
import { recordDemo, visitor } from "./record-demo.ts";
import { readTokens, type RecordedTokens } from "./recorded-tokens.ts";
import { watchDemo, type WatchedDemo } from "./watch-demo.ts";

const password = `PASSWORD=${visitor.password}`;
let folder: string;
let capture: string;
let tokens: RecordedTokens;

describe.skipIf(!hasChromium)("a visit of the demo site, recorded in Chromium", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bearhug-chromium-"));
    capture = join(folder, "capture.har");
    const demo = await startDemo({ port: 0, host: "127.0.0.1" });
    await recordDemo(demo.url, capture);
    await demo.close();
    tokens = readTokens(capture);
  }, 90_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("has what only correlation gets past: cookies, tokens of forms and scripts, ids, fresh values", () => {
    expect(tokens.cookies).toHaveLength(2);
    // Of the forms to log in, to review, to log out; the form's id, the script's token, the review's number.
    expect(tokens.handedOut).toHaveLength(6);
    expect(tokens.fresh).toHaveLength(3);
  });

  test("imports, and passes against a site that was just started, every check and every iteration", async () => {
    const test = await importCapture();
    const site = await openSite();
    const { exitCode, stdout, stderr, result } = await run(
      [test, "--iterations", "2", "--env", password],
      site,
    );
    expect(exitCode, stdout + stderr).toBe(0);
    expectChecksToHold(result);
    expectVisits(site, 2);
  });

  test("runs as it is, without a file in between", async () => {
    const site = await openSite();
    const { exitCode, stdout, stderr, result } = await run([capture, "--env", password], site);
    expect(exitCode, stdout + stderr).toBe(0);
    expectChecksToHold(result);
    expectVisits(site, 1);
  });

  test("asks for the password and nothing else, and none of its tokens is in what was written", async () => {
    const test = await importCapture();
    const written = readFolder(join(test, ".."));
    expect([...(written.get(".env.example") ?? "").matchAll(/^(\w+)=/gm)].map(([, name]) => name)).toEqual([
      "PASSWORD",
    ]);
    const secrets = [...tokens.cookies, ...tokens.handedOut, ...tokens.fresh, visitor.password];
    for (const [name, text] of written) {
      const found = secrets.filter(
        (secret) => new RegExp(`\\b${secret}\\b`).test(text) && secret !== "honey",
      );
      expect([name, found]).toEqual([name, []]);
    }
  });
});

/** Writes the test with the real command line. */
async function importCapture(): Promise<string> {
  const test = join(temporaryFolder(), "shop.ts");
  const { exitCode, stdout, stderr } = await startBearhug(["import", capture, "-o", test]);
  expect(exitCode, stdout + stderr).toBe(0);
  return test;
}

async function openSite(): Promise<WatchedDemo> {
  const site = await watchDemo();
  onTestFinished(() => site.close());
  return site;
}

async function run(arguments_: readonly string[], site: WatchedDemo): Promise<Reported> {
  const out = join(temporaryFolder(), "result.json");
  const ended = await startBearhug(["run", ...arguments_, "--target", site.url, "--out", `json=${out}`]);
  return { ...ended, result: readResult(out, ended) };
}

function expectChecksToHold({ checks }: Reported["result"]): void {
  expect(checks.length).toBeGreaterThan(10);
  expect(checks.filter(({ fails }) => fails > 0)).toEqual([]);
}

/** The site saw so many visitors log in, shop and leave, each with a session and ids of their own. */
function expectVisits({ exchanges }: WatchedDemo, visits: number): void {
  const seen = (route: string) => exchanges.filter((exchange) => exchange.route === route);
  for (const [route, status] of [
    ["POST /login", 303],
    ["POST /api/cart", 201],
    ["POST /products/22/reviews", 303],
    ["POST /api/reviews/:id/publish", 200],
    ["POST /logout", 303],
  ] as const) {
    expect([route, seen(route).map((exchange) => exchange.status)]).toEqual([
      route,
      Array(visits).fill(status),
    ]);
  }
  const carts = seen("POST /api/cart").map(({ headers }) => headers);
  expect(new Set(carts.map((headers) => headers.cookie)).size).toBe(visits);
  const sent = new Set(exchanges.flatMap(({ headers, url }) => [...Object.values(headers).flat(), url]));
  for (const token of [
    ...tokens.cookies.map((value) => `session=${value}`),
    ...tokens.handedOut,
    ...tokens.fresh,
  ]) {
    expect([...sent].filter((text) => text?.includes(token))).toEqual([]);
  }
}

function readFolder(path: string): ReadonlyMap<string, string> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), "utf8")]));
}
