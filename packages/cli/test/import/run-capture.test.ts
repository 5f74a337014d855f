import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { readCaptureFile } from "../../src/capture-file/read-capture-file.ts";
import { readPagesPerSecond } from "../../src/commands/run/pages-per-second.ts";
import { type Mock, startMock } from "../../src/mock/start-mock.ts";
import { readResult, runBearhug, temporaryFolder, type Reported } from "../end-to-end/run-bearhug.ts";
import type { Ended } from "../kept-process/command-line.ts";
import { captureAt, describeCaptures } from "./recorded-captures.ts";
import { severalAtOnce } from "./several-at-once.ts";
import { entryOf, password, writeCapture } from "./shop-capture.ts";
import { writeTimedCapture } from "./timed-capture.ts";

/** Each capture has two runs at once, and at most four command processes are kept and reused. */
const atATime = 2;

describeCaptures("captures", (names) => {
  test(
    "run against their own mocks, imported or directly, with every check passing",
    { timeout: 600_000 },
    async () => {
      const outcomes = await severalAtOnce(names, atATime, async (name) => {
        await expectToRun(captureAt(name));
      });
      expect(outcomes).toEqual(Object.fromEntries(names.map((name) => [name, "passed"])));
    },
  );
});

/** Imports a capture with its recorded values and runs the test unedited, as a user would. */
async function expectToRun(capture: string): Promise<void> {
  const folder = temporaryFolder();
  const file = join(folder, "imported.ts");
  const imported = await runBearhug(["import", capture, "-o", file, "--with-values"]);
  expect(imported.exitCode, imported.stderr).toBe(0);
  const envFile = join(folder, ".env");
  const more = existsSync(envFile) ? ["--env-from", envFile] : [];
  const [asTest, asCapture] = await Promise.all([run(file, capture, more), run(capture, capture, [])]);
  expectAllPassed(asTest);
  expectAllAsRecorded(asCapture);
  expect(asCapture.mock.total).toBe(asTest.mock.total);
}

interface Run {
  readonly reported: Reported;
  readonly mock: ReturnType<Mock["stats"]>;
}

/** Runs a test or capture as one visitor, without a worker thread, against the capture's mock. */
async function run(file: string, capture: string, more: readonly string[]): Promise<Run> {
  const mock = await startMock(await readCaptureFile(capture));
  try {
    const out = join(temporaryFolder(), "result.json");
    const ended = await runBearhug([
      "run",
      file,
      "--target",
      mock.url,
      "--workers",
      "0",
      ...more,
      "--out",
      `json=${out}`,
    ]);
    return { reported: { ...ended, result: readResult(out, ended) }, mock: mock.stats() };
  } finally {
    await mock.close();
  }
}

function expectAllAsRecorded(run: Run): void {
  expectAllPassed(run);
  const { reported, mock } = run;
  const sent = reported.result.accounting.requests.map(({ name, sent: count }) => [name, count] as const);
  // A path may contain a secret, which the result masks.
  const asked = Object.entries(mock.byName).map(([name, count]) => [name.replaceAll("dummy", "***"), count]);
  expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(sent));
}

function expectAllPassed({ reported: { exitCode, result, stdout, stderr }, mock }: Run): void {
  // Thresholds on page times may fail: they need a quiet machine.
  const [pages, others] = [true, false].map((ofPages) =>
    result.thresholds.filter(
      ({ metric, passed }) => passed === false && metric.startsWith("page_duration") === ofPages,
    ),
  );
  expect(others, stdout + stderr).toEqual([]);
  expect(exitCode, stdout + stderr).toBe(pages?.length === 0 ? 0 : 99);
  expect(result.checks.filter(({ fails }) => fails > 0)).toEqual([]);
  expect(mock.unknown).toEqual({});
  expect(mock.total).toBe(result.accounting.requests.reduce((sum, { sent }) => sum + sent, 0));
  expect(mock.total).toBeGreaterThan(0);
}

const visit = [
  { url: "/", atMs: 0, waitMs: 20, type: "document", page: "home" },
  { url: "https://ads.test/x.gif", atMs: 30, waitMs: 5, page: "home" },
  { url: "/next", atMs: 100, waitMs: 20, type: "document", page: "next" },
] as const;

test("an unset variable is reported by name and sent empty; a set one is not mentioned", async () => {
  const capture = writeCapture(temporaryFolder(), [
    entryOf("https://shop.test/"),
    entryOf("https://shop.test/login", { method: "POST", atMs: 200, form: { user: "jane", password } }),
  ]);
  const unset = await run(capture, capture, []);
  const names = [...unset.reported.stderr.matchAll(/^bearhug: (\w+) is not set, so it is empty: .+\.$/gm)];
  expect(names, unset.reported.stderr).not.toEqual([]);
  expect(unset.reported.stderr).not.toContain(password);
  const values = names.flatMap(([, name = ""]) => ["--env", `${name}=dummy`]);
  const set = await run(capture, capture, values);
  expect(set.reported.stderr).not.toContain("is not set");
  expectAllAsRecorded(set);
});

test("a capture's variables are not read from the environment, because the capture's author chose their names", async () => {
  const capture = writeCapture(temporaryFolder(), [
    entryOf("https://shop.test/"),
    entryOf("https://shop.test/stock?gh_token=abcdefgh123", { atMs: 200, type: "fetch", responseBody: "{}" }),
  ]);
  const targets: (string | undefined)[] = [];
  const site = createServer(({ url }, response) => {
    targets.push(url);
    response.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await once(site, "listening");
  const runAt = async (...more: readonly string[]): Promise<Ended> => {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    return runBearhug(["run", capture, "--target", url, ...more], temporaryFolder(), {
      GH_TOKEN: "mine-and-nobody-elses",
    });
  };
  const { stderr } = await runAt();
  expect(stderr).toContain("GH_TOKEN is not set, so it is empty:");
  expect(targets).toEqual(["/", "/stock?gh_token="]);
  await runAt("--env", "GH_TOKEN=for-this-site");
  expect(targets.at(-1)).toBe("/stock?gh_token=for-this-site");
});

describe("--pages-per-second", () => {
  test("starts that many page loads a second for --duration", async () => {
    const capture = writeTimedCapture(visit);
    const ran = await run(capture, capture, ["--pages-per-second", "8", "--duration", "2s"]);
    expectAllPassed(ran);
    const { reported, mock } = ran;
    // An iteration has two pages.
    expect(reported.result.accounting.iterations.started).toBe(8);
    expect(mock.total).toBe(16);
    expect(reported.stderr).toContain("1 request skipped: bearhug import --explain lists them");
  });

  test.each([
    [{ pagesPerSecond: "0" }, "--pages-per-second 0: must be a number above 0, such as 1.1."],
    [{ pagesPerSecond: "fast" }, "--pages-per-second fast: must be a number above 0, such as 1.1."],
    [
      { pagesPerSecond: "1", vus: "3" },
      "--pages-per-second 1: cannot be combined with --vus, --iterations or --rate; use --duration.",
    ],
    [
      { pagesPerSecond: "1", iterations: "3" },
      "--pages-per-second 1: cannot be combined with --vus, --iterations or --rate; use --duration.",
    ],
  ])("is refused with %j: %s", (flags, says) => {
    const problems: string[] = [];
    readPagesPerSecond(flags, "visit.har", problems);
    expect(problems).toEqual([says]);
  });

  test("is refused for a test", async () => {
    const { exitCode, stderr } = await runBearhug(["run", "shop.ts", "--pages-per-second", "1"]);
    expect(exitCode).toBe(104);
    expect(stderr).toContain(
      "--pages-per-second 1: works with recordings (.har) only; shop.ts is a test and sets its own rate.",
    );
  });
});
