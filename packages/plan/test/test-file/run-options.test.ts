import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { readRunOptions, type WrittenOptions } from "../../src/test-file/run-options.ts";
import { readThresholdOption } from "../../src/test-file/thresholds.ts";
import { constantVus, optionsOf, plan, testOf } from "./tests-for-plans.ts";

function envFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-env-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, ".env");
  writeFileSync(path, text);
  return path;
}

describe("the options of a run", () => {
  test("are read", () => {
    const options = optionsOf({
      target: "http://127.0.0.1:99",
      vus: "5",
      duration: "1m30s",
      iterations: "7",
      scenario: ["readers", "buyers, signups"],
      env: ["A=1", "B=x=y", "C="],
      tag: ["team=web"],
      threshold: ["http_req_failed: rate<1%"],
      workers: "0",
      seed: "42",
    });
    expect(options).toMatchObject({
      vus: 5,
      durationMs: 90_000,
      iterations: 7,
      scenarios: ["readers", "buyers", "signups"],
      env: { A: "1", B: "x=y", C: "" },
      tags: { team: "web" },
      workers: 0,
      seed: 42,
    });
    expect(options.target?.href).toBe("http://127.0.0.1:99/");
    expect(options.thresholds).toHaveLength(1);
  });

  test("take whole numbers in thousands and millions, as wrk does", () => {
    const options = optionsOf({ vus: "1k", iterations: "2M", workers: "0" });
    expect(options).toMatchObject({ vus: 1000, iterations: 2_000_000, workers: 0 });
  });

  test("are absent if they are not given, except the seed, which is drawn at random", () => {
    const { seed, ...rest } = optionsOf();
    expect(Number.isSafeInteger(seed)).toBe(true);
    expect(rest).toEqual({
      target: null,
      vus: null,
      durationMs: null,
      iterations: null,
      rate: null,
      arrivals: null,
      overload: null,
      scenarios: [],
      env: {},
      envFile: {},
      tags: {},
      thresholds: [],
      workers: null,
      sharedConnections: null,
      limits: { hosts: null, vus: null, durationMs: null },
      linkBitsPerSecond: null,
      monitors: [],
      warmupMs: null,
      maxDataBytes: null,
      expectsFailures: false,
      isStrictGenerator: false,
      maxGracefulStopMs: null,
      sharding: { shard: null, startAtMs: null, setup: null, allowsPartial: false },
      variants: [],
      turnMs: null,
      http: { given: {}, insecure: false, ca: null, client: null, hosts: {} },
    });
  });

  test("for the verdict are taken over into the plan only if they are given", () => {
    const judging = (written: WrittenOptions) => plan(testOf([constantVus("readers")]), written).plan.judging;
    expect(judging({})).toBeUndefined();
    expect(judging({ maxFailed: "5%" })).toEqual({ maxFailed: 0.05 });
    expect(judging({ maxFailed: "0%", allowSaturated: true })).toEqual({
      maxFailed: 0,
      allowsSaturated: true,
    });
  });

  test("take variables of a file, and keep them apart from those of the command line", () => {
    const file = envFile('A=file\nB="two words"\n# comment\nC=file\n');
    expect(optionsOf({ envFile: file, env: ["A=flag"] })).toMatchObject({
      env: { A: "flag" },
      envFile: { A: "file", B: "two words", C: "file" },
    });
  });

  test("take variables of a file that a Windows editor wrote", () => {
    const file = envFile("\uFEFFA=1\r\nexport B = 2 # two\r\n\r\nD=`e`\r\n");
    expect(optionsOf({ envFile: file }).envFile).toEqual({ A: "1", B: "2", D: "e" });
  });

  test("refuse each line of the file that sets no variable, without displaying it", () => {
    const file = envFile('USERS 3\n# fine\nPASSWORD: hunter2\nA="two\nlines here"\n\n=x\n');
    const problems: string[] = [];
    readRunOptions({ envFile: file }, problems);
    expect(problems).toEqual(
      [1, 3, 7].map((line) => `--env-from ${file}: line ${line} must be written NAME=VALUE.`),
    );
  });

  const bad: [keyof WrittenOptions, string | string[]][] = [
    ["target", "127.0.0.1"],
    ["target", "ftp://host"],
    ["target", "http://127.0.0.1:99/x"],
    ["target", "http://127.0.0.1:99/x/"],
    ["target", "http://127.0.0.1:99/?x=1"],
    ["vus", "0"],
    ["vus", "-1"],
    ["vus", "1.5"],
    ["vus", "1e3"],
    ["vus", "k"],
    ["vus", "1kk"],
    ["iterations", "1G"],
    ["vus", ""],
    ["vus", "9007199254740993"],
    ["duration", "0s"],
    ["duration", "-5s"],
    ["duration", "10"],
    ["duration", "soon"],
    ["duration", "8761h"],
    ["warmup", "99999999h"],
    ["iterations", "0"],
    ["rate", "0"],
    ["rate", "0/s"],
    ["rate", "-5"],
    ["rate", "fast"],
    ["rate", "500/d"],
    ["rate", "30m"],
    ["rate", ""],
    ["arrivals", "random"],
    ["env", ["NAME"]],
    ["env", ["=value"]],
    ["env", ["A=1", "A=1"]],
    ["tag", ["team=a", "team=b"]],
    ["scenario", ["a,,b"]],
    ["scenario", [""]],
    ["envFile", "/no/such/file"],
    ["tag", ["x"]],
    ["workers", "many"],
    ["seed", "-1"],
    ["threshold", ["p(95)<1"]],
    ["protocol", "h3"],
    ["timeout", "0s"],
    ["timeout", "5"],
    ["proxy", "ftp://proxy.example"],
    ["resolve", ["shop.example:https:127.0.0.1"]],
    ["resolve", ["shop.example=localhost"]],
    ["resolve", ["shop.example:0=127.0.0.1"]],
    ["resolve", ["127.0.0.1=10.0.0.1"]],
    ["unixSocket", ""],
  ];
  test.each(bad)("refuse --%s %j in one sentence that names it", (option, value) => {
    const problems: string[] = [];
    readRunOptions({ [option]: value }, problems);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^--[a-z-]+/);
  });

  test.each([
    ["page=x", "--tag page: is a tag that bearhug sets itself."],
    ["group=x", "--tag group: is a tag that bearhug sets itself."],
    ["variant=x", "--tag variant: is a tag that bearhug sets itself."],
    ["name=x", "--tag name: is a tag that bearhug sets itself."],
    ["status=7", "--tag status: is a tag that bearhug sets itself."],
    ["scenario=x", "--tag scenario: is a tag that bearhug sets itself."],
    [
      "a b=x",
      "--tag a b: has a name with a space or one of { } , : ! ~ =, which can't be written in a threshold's key.",
    ],
  ])("refuse --tag %s, as a test does", (tag, problem) => {
    const problems: string[] = [];
    readRunOptions({ tag: ["team=web", tag] }, problems);
    expect(problems).toEqual([problem]);
  });

  test("allow durations of up to a year, as a test does", () => {
    const problems: string[] = [];
    expect(readRunOptions({ duration: "8760h" }, problems).durationMs).toBe(31_536_000_000);
    readRunOptions({ duration: "31536000001ms", warmup: "9000h" }, problems);
    expect(problems).toEqual([
      "--duration 31536000001ms: must be at most 8760h.",
      "--warmup 9000h: must be at most 8760h.",
    ]);
  });

  test.each([
    { text: "500", count: 500, timeUnitMs: 1000 },
    { text: "500/s", count: 500, timeUnitMs: 1000 },
    { text: "30k/m", count: 30_000, timeUnitMs: 60_000 },
    { text: "1.5K / min", count: 1500, timeUnitMs: 60_000 },
    { text: "0.5M/h", count: 500_000, timeUnitMs: 3_600_000 },
    { text: "0.1", count: 0.1, timeUnitMs: 1000 },
  ])("take the rate $text as $count in $timeUnitMs ms", ({ text, ...rate }) => {
    expect(optionsOf({ rate: text }).rate).toEqual(rate);
  });

  test("report every problem at once", () => {
    const problems: string[] = [];
    readRunOptions(
      {
        target: "x",
        vus: "x",
        duration: "x",
        iterations: "x",
        workers: "x",
        seed: "x",
        tag: ["x"],
        env: ["x"],
      },
      problems,
    );
    expect(problems).toHaveLength(8);
  });
});

describe("--abort-on-fail", () => {
  test("makes the thresholds of the command line end the run", () => {
    const threshold = ["http_reqs: count>1", "checks: rate>0.9"];
    const { thresholds } = optionsOf({ threshold, abortOnFail: true });
    expect(thresholds.map(({ metric, abortOnFail }) => [metric, abortOnFail])).toEqual([
      ["http_reqs", true],
      ["checks", true],
    ]);
  });

  test("is refused without --threshold", () => {
    const problems: string[] = [];
    readRunOptions({ abortOnFail: true }, problems);
    expect(problems).toEqual([
      "--abort-on-fail: has no effect without --threshold. A test's own thresholds have abortOnFail.",
    ]);
  });
});

describe("--threshold", () => {
  test.each([
    { text: "http_req_duration: p(95)<500ms", metric: "http_req_duration", expression: "p(95)<500ms" },
    { text: "  checks :rate>0.9 ", metric: "checks", expression: "rate>0.9" },
    { text: "http_reqs{page:home}: count>1", metric: "http_reqs{page:home}", expression: "count>1" },
    {
      text: "http_reqs{name~:^GET http://x,status!:500} : rate>1",
      metric: "http_reqs{name~:^GET http://x,status!:500}",
      expression: "rate>1",
    },
  ])("$text is read", ({ text, metric, expression }) => {
    const problems: string[] = [];
    const read = readThresholdOption(text, problems);
    expect(problems).toEqual([]);
    expect(read).toMatchObject({
      metric,
      expression,
      abortOnFail: false,
      allowEmpty: false,
      windowMs: null,
    });
    expect(structuredClone(read)).toEqual(read);
  });

  test.each([
    "",
    ":",
    "http_reqs",
    "http_reqs:",
    "http_reqs: count",
    "http_reqs{page}: count>1",
    "http_reqs: p(101)<1",
  ])("%j is refused", (text) => {
    const problems: string[] = [];
    expect(readThresholdOption(text, problems)).toBeUndefined();
    expect(problems).toHaveLength(1);
  });
});
