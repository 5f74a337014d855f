import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { findProblems } from "../../../src/commands/reading.ts";
import { createCommand } from "../../../src/commands/trials/sweep.ts";
import { rephraseForSweep, readSweep, type SweepFlags } from "../../../src/commands/trials/sweep-options.ts";
import type { SweepRequest } from "../../../src/commands/trials/sweep-and-report.ts";
import { temporaryFolder } from "../../end-to-end/run-bearhug.ts";

function read(...line: readonly string[]): { request: SweepRequest; problems: string[] } {
  const command = createCommand();
  const problems: string[] = [];
  const { operands } = command.parseOptions([...line]);
  return { request: readSweep(operands, command.opts<SweepFlags>(), problems), problems };
}

function problemsOf(...line: readonly string[]): string[] {
  return read(...line).problems;
}

function loadsOf(...line: readonly string[]): Pick<SweepRequest, "loadUnit" | "loads"> {
  const { request, problems } = read("127.0.0.1", ...line);
  expect(problems).toEqual([]);
  const { loadUnit, loads } = request;
  return { loadUnit, loads };
}

describe("the loads of a sweep", () => {
  test("are the listed ones, in their unit", () => {
    expect(loadsOf("--connections", "6, 12,25")).toEqual({ loadUnit: "connections", loads: [6, 12, 25] });
    expect(loadsOf("--vus", "6,12")).toEqual({ loadUnit: "connections", loads: [6, 12] });
    expect(loadsOf("--rate", "50,100/s,30k/m")).toEqual({ loadUnit: "rate", loads: [50, 100, 500] });
  });

  test("double from one end to the other, and include both", () => {
    expect(loadsOf("--from", "6", "--to", "1600", "--double").loads).toEqual([
      6, 12, 24, 49, 98, 197, 396, 796, 1600,
    ]);
    expect(loadsOf("--from", "1", "--to", "2").loads).toEqual([1, 2]);
  });

  test("can rise by the same amount at each step", () => {
    expect(loadsOf("--from", "10", "--to", "45", "--add", "10").loads).toEqual([10, 20, 30, 40, 45]);
  });

  test("double from 1 to 256 by default", () => {
    expect(loadsOf().loads).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
    expect(read(import.meta.filename).request.loadUnit).toBe("vus");
  });
});

test("requests are given as for bearhug <url>: several URLs, lists with weights, bodies, users", () => {
  const folder = temporaryFolder();
  const [list, body] = [join(folder, "urls.txt"), join(folder, "body.txt")];
  writeFileSync(list, "3 127.0.0.1/a\nDELETE 127.0.0.1/b\n");
  writeFileSync(body, "hello");
  const line = ["-p", body, "-u", "me:secret", "--compressed", "--urls", list];
  const { request, problems } = read("127.0.0.1", ...line);
  expect(problems).toEqual([]);
  const [subject, ...others] = request.subjects;
  expect(others).toEqual([]);
  expect(subject).toMatchObject({ name: "http://127.0.0.1/ and 2 more" });
  expect(subject?.requests?.map(({ url, method, weight }) => [url, method, weight])).toEqual([
    ["http://127.0.0.1/", "POST", 1],
    ["http://127.0.0.1/a", "POST", 3],
    ["http://127.0.0.1/b", "DELETE", 1],
  ]);
  expect(subject?.requests?.[0]?.headers.map(([name]) => name)).toEqual(["authorization", "accept-encoding"]);
});

describe("the targets of a sweep", () => {
  test("are the URL, or the named targets", () => {
    expect(read("127.0.0.1:1/a").request.subjects).toMatchObject([{ name: "http://127.0.0.1:1/a" }]);
    const named = read("--target", "cached=http://127.0.0.1/", "--target", "uncached=127.0.0.1/?no=cache");
    expect(named.problems).toEqual([]);
    expect(named.request.subjects).toMatchObject([
      { name: "cached", address: "http://127.0.0.1/" },
      { name: "uncached", address: "http://127.0.0.1/?no=cache", requests: [{ method: "GET" }] },
    ]);
  });

  test("are shown without secrets", () => {
    const { subjects } = read("127.0.0.1/?api_key=supersecret123").request;
    expect(subjects).toMatchObject([
      {
        name: "http://127.0.0.1/?api_key=***",
        requests: [{ url: "http://127.0.0.1/?api_key=supersecret123" }],
      },
    ]);
    expect(subjects[0]?.address).toBe(subjects[0]?.name);
  });

  test("are a test's own site, or others", () => {
    const file = import.meta.filename;
    expect(read(file).request).toMatchObject({ file, subjects: [{ name: file, address: null }] });
    const { request, problems } = read(file, "--target", "next=http://127.0.0.1:2");
    expect(problems).toEqual([]);
    expect(request.subjects).toMatchObject([{ name: "next", address: "http://127.0.0.1:2", requests: null }]);
  });
});

test("a resumed sweep writes to the file that it reads, unless --out names another", () => {
  expect(read("127.0.0.1", "--resume", "a.json").request).toMatchObject({
    resume: "a.json",
    out: ["json=a.json"],
  });
  expect(read("127.0.0.1", "--resume", "a.json", "--out", "json=b.json").request.out).toEqual([
    "json=b.json",
  ]);
});

describe("one sentence reports", () => {
  test.for([
    [["--vus", "5", "--rate", "5"], "--vus, --rate: each of them sets the loads. Keep one."],
    [["--vus", "5", "--from", "5"], "--vus, --from: each of them sets the loads. Keep one."],
    [["--vus", "6,3"], "--vus 6,3: the loads must rise, but 3 does not."],
    [["--vus", "six"], "--vus six: must be whole numbers above 0, separated by commas: 6,12,25."],
    [["--rate", "fast"], "--rate fast: must be a rate above 0, such as 500, 500/s or 30k/m."],
    [["--from", "9", "--to", "3"], "--from 9, --to 3: --to must be greater than --from."],
    [["--from", "0"], "--from 0: must be a whole number from 1 to 1000000."],
    [["--add", "1", "--to", "500"], "--add 1: makes 500 steps; at most 100 are allowed. Use a larger --add."],
    [["--add", "5", "--double"], "--double, --add: choose one of them."],
    [["--measure", "0s"], "--measure 0s: must be longer than 0."],
    [["--target", "a"], "--target a: must be written NAME=URL."],
    [
      ["--target", "a=http://b"],
      '"127.0.0.1", --target: cannot be combined. Give each URL its own --target.',
    ],
    [["--warmup", "1s"], "--warmup: a sweep warms up at every step; set how long with --settle."],
    [["--latency"], "--latency: a sweep shows p50, p90 and p99 of each step. Leave it out."],
    [["--arrivals", "poisson"], "--arrivals: needs arrival rates. Set them with --rate."],
    [["--out", "recording"], "--out recording: only bearhug run, <url>, and ab-test support it."],
    [
      ["--env", "A=b", "--scenario", "s"],
      "--scenario, --env: only for a test. Leave it out, or sweep a test file.",
    ],
  ] as const)("%j", ([line, sentence]) => {
    expect(problemsOf("127.0.0.1", ...line)).toEqual([sentence]);
  });

  test("targets with the same name, a missing operand, and a missing file", () => {
    expect(problemsOf("--target", "a=http://b", "--target", "a=http://c")).toEqual([
      "--target a: was given several times; give each target its own name.",
    ]);
    expect(findProblems([], createCommand())).toEqual(["<url|test> is missing. See bearhug sweep --help."]);
    expect(problemsOf("nowhere.ts")).toEqual(["There is no file nowhere.ts."]);
  });
});

test("a test with several scenarios is refused without naming options that the user did not give", () => {
  const problems = [
    "--vus, --duration: the test has 2 scenarios. Select one, such as with --scenario a.",
    "warmup 2 s: the load lasts 1 s, including the warm-up, so nothing would be measured.",
  ];
  expect(rephraseForSweep(problems)).toEqual([
    "The test has 2 scenarios. Select one, such as with --scenario a.",
  ]);
  expect(rephraseForSweep(problems.slice(1))).toEqual(problems.slice(1));
});

describe("options that a sweep would ignore or only refuse later", () => {
  test("include those of a URL's request, for a test", () => {
    expect(problemsOf(import.meta.filename, "-H", "a: b", "-X", "PUT", "-b", "x")).toEqual([
      "-H, -X, -b: only for a URL. A test says itself what it sends.",
    ]);
  });

  test("include loads that no step could apply", () => {
    expect(problemsOf("127.0.0.1", "--vus", "1,99999999")).toEqual([
      "--vus 99999999: must be whole numbers, at most 1000000 each, separated by commas: 6,12,25.",
    ]);
    expect(problemsOf("127.0.0.1", "--to", "99999999")).toEqual([
      "--to 99999999: must be a whole number from 1 to 1000000.",
    ]);
    expect(problemsOf("127.0.0.1", "--vus", ",")).toEqual([
      "--vus ,: a load is missing. Write numbers, separated by commas: 6,12,25.",
    ]);
  });
});
