import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import {
  readResult,
  type Reported,
  runBearhug,
  temporaryFolder,
  writeTest,
} from "../end-to-end/run-bearhug.ts";
import { hasChromium, launchChromium } from "../chromium.ts";
import { recordDemo, visitor } from "./record-demo.ts";
import { readTokens, type RecordedTokens } from "./recorded-tokens.ts";
import { watchDemo, type WatchedDemo } from "./watch-demo.ts";

let browser: Browser;
let folder: string;
let capture: string;
let tokens: RecordedTokens;
/** The route and status of each request that the browser sent. */
let recordedRoutes: readonly string[];

/** Long, because a visit is replayed at its recorded pace. */
const timeout = 120_000;

describe.skipIf(!hasChromium)("a visit of the demo site, recorded in Chromium", { timeout }, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bearhug-chromium-"));
    capture = join(folder, "capture.har");
    browser = await launchChromium();
    const site = await watchDemo();
    await recordDemo(browser, site.url, capture);
    await site.close();
    recordedRoutes = routesOf(site);
    tokens = readTokens(capture);
  }, timeout);
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("sends values that a replay must not: cookies, form and script tokens, ids, values that the browser made", () => {
    const counts = Object.entries(tokens).map(([kind, values]) => [kind, values.length]);
    const expected = { cookies: 2, csrf: 3, formIds: 1, scriptTokens: 1, reviewNumbers: 1, fresh: 3 };
    expect(Object.fromEntries(counts)).toEqual(expected);
  });

  test("is imported without hand-editing, and the test passes against a fresh site", async () => {
    const site = await openSite();
    expectToPass(await run(await importedFile(), site));
    expectVisits(site, 1);
    expect(routesOf(site)).toEqual(recordedRoutes);
  });

  test("runs directly from the capture, without an imported file", async () => {
    const site = await openSite();
    expectToPass(await run(capture, site));
    expectVisits(site, 1);
    expect(routesOf(site)).toEqual(recordedRoutes);
  });

  test("runs from an archive that keeps each body in its own file", async () => {
    const archive = join(folder, "capture.zip");
    await recordDemo(browser, (await openSite()).url, archive, () => Promise.resolve());
    const site = await openSite();
    expectToPass(await run(archive, site));
    expectVisits(site, 1);
  });

  test("can be replayed by any number of visitors, each with their own tokens and ids", async () => {
    const site = await openSite();
    expectToPass(await run(await copyWithoutPauses(), site, "--vus", "3", "--iterations", "9"));
    expectVisits(site, 9);
  });

  test("requires the login as variables, and the import writes no secret to a file", async () => {
    const written = readFolder(dirname(await importedFile()));
    const example = written.get(".env.example") ?? "";
    expect([...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)).toEqual(["SITE_USER", "PASSWORD"]);
    for (const secret of [visitor.password, visitor.user, ...Object.values(tokens).flat()]) {
      const holders = [...written].filter(([, text]) => text.includes(secret)).map(([name]) => name);
      expect([secret, holders]).toEqual([secret, []]);
    }
  });

  test.each([
    ["login form’s token", /extract\(\w+, \{ field: "csrf" \}\)/, () => tokens.csrf[0], "POST /login", 403],
    [
      "review form’s token",
      /(?<=csrf: )csrf\d*(?=,\s+form_id)/,
      () => tokens.csrf[1],
      "POST /products/22/reviews",
      403,
    ],
    [
      "review form’s id",
      /extract\(\w+, \{ field: "form_id" \}\)/,
      () => tokens.formIds[0],
      "POST /products/22/reviews",
      403,
    ],
    [
      "script’s token",
      /extract\(\w+, \{ json: "csrf" \}\)/,
      () => tokens.scriptTokens[0],
      "POST /api/cart",
      403,
    ],
    [
      "review’s number",
      /extract\(\w+, \{\s*(?:between|segment): .*?\}\)/s,
      () => tokens.reviewNumbers[0],
      "POST /api/reviews/:id/publish",
      404,
    ],
  ] as const)(
    "fails when it sends the recorded %s, which proves that the site checks it",
    async (_, place, recorded, route, status) => {
      const site = await openSite();
      const file = await copyWithoutPauses();
      edit(file, place, JSON.stringify(recorded()));
      const { exitCode, result } = await run(file, site);
      expect(exitCode).toBe(99);
      expect(result.checks.some(({ fails }) => fails > 0)).toBe(true);
      expect(site.exchanges.filter((exchange) => exchange.route === route)).toMatchObject([{ status }]);
    },
  );
});

/** Returns the test that the real command line writes. It is never edited; tests edit copies. */
async function importedFile(): Promise<string> {
  const file = join(folder, "load", "shop.ts");
  if (existsSync(file)) return file;
  const { exitCode, stdout, stderr } = await runBearhug(["import", capture, "-o", file]);
  expect(exitCode, stdout + stderr).toBe(0);
  return file;
}

async function copyWithoutPauses(): Promise<string> {
  const file = writeTest(readFileSync(await importedFile(), "utf8"));
  edit(file, /await think\(.*\);/g, "");
  return file;
}

function edit(file: string, place: RegExp, text: string): void {
  const source = readFileSync(file, "utf8");
  expect(source).toMatch(place);
  writeFileSync(
    file,
    source.replace(place, () => text),
  );
}

async function openSite(): Promise<WatchedDemo> {
  const site = await watchDemo();
  onTestFinished(() => site.close());
  return site;
}

async function run(file: string, site: WatchedDemo, ...flags: readonly string[]): Promise<Reported> {
  const out = join(temporaryFolder(), "result.json");
  const login = ["--env", `SITE_USER=${visitor.user}`, "--env", `PASSWORD=${visitor.password}`];
  const ended = await runBearhug([
    "run",
    file,
    "--target",
    site.url,
    ...login,
    ...flags,
    "--out",
    `json=${out}`,
  ]);
  return { ...ended, result: readResult(out, ended) };
}

/** Expects every check to pass. Thresholds on page times may fail: a machine that runs tests may be busy. */
function expectToPass({ exitCode, stdout, stderr, result }: Reported): void {
  const failed = result.thresholds.filter(
    ({ passed, metric }) => !passed && !metric.startsWith("page_duration{"),
  );
  expect(failed, stdout + stderr).toEqual([]);
  expect(result.checks.length).toBeGreaterThan(10);
  expect(result.checks.filter(({ fails }) => fails > 0)).toEqual([]);
  if (result.thresholds.every(({ passed }) => passed)) expect(exitCode).toBe(0);
}

/**
 * Expects that so many visitors logged in, shopped and left, each in their own session, and that no recorded
 * token was sent.
 */
function expectVisits({ exchanges }: WatchedDemo, visits: number): void {
  const seen = (route: string) => exchanges.filter((exchange) => exchange.route === route);
  for (const [route, status] of [
    ["POST /login", 303],
    ["POST /api/cart", 201],
    ["POST /products/22/reviews", 303],
    ["POST /api/reviews/:id/publish", 200],
    ["POST /logout", 303],
  ] as const) {
    const statuses = seen(route).map((exchange) => exchange.status);
    expect([route, statuses]).toEqual([route, statuses.map(() => status)]);
    expect([route, statuses.length]).toEqual([route, visits]);
  }
  expect(new Set(seen("POST /api/cart").map(({ headers }) => headers.cookie)).size).toBe(visits);
  const sent = exchanges.flatMap(({ url, headers }) => [url, ...Object.values(headers).flat()]).join("\n");
  expect(
    Object.values(tokens)
      .flat()
      .filter((token) => sent.includes(token)),
  ).toEqual([]);
}

/** Returns the route and status of each exchange, sorted, because requests of one wave race each other. */
function routesOf({ exchanges }: WatchedDemo): string[] {
  return exchanges.map(({ route, status }) => `${route} ${status}`).sort();
}

function readFolder(path: string): ReadonlyMap<string, string> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), "utf8")]));
}
