import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { TestResult } from "@bearhug/sdk";
import { beforeEach, describe, expect, test } from "vitest";

import { simulateResult, type SimulatedResult } from "../../../metrics/test/comparison/simulated-results.ts";
import { documentErrors, schemaErrors } from "../published-schema.ts";
import { runBearhug, temporaryFolder } from "./run-bearhug.ts";

const quiet: SimulatedResult = { seed: 1, seconds: 20, requestsPerSecond: 200 };
let folder = "";

function write(name: string, result: TestResult): string {
  writeFileSync(join(folder, name), JSON.stringify(result));
  return name;
}

const plain = simulateResult(quiet);
const slow = simulateResult({ ...quiet, seed: 2, factor: 1.5 });
const [base, slower] = ["base.json", "slower.json"];

beforeEach(() => {
  folder = temporaryFolder();
  write(base, plain);
  write(slower, slow);
});

const compare = (...rest: readonly string[]): ReturnType<typeof runBearhug> =>
  runBearhug(["compare", ...rest], folder);

describe("bearhug compare", () => {
  test("shows a regression in 80 columns, writes it, and exits with 99", async () => {
    const outs = ["--out", "json=c.json", "--out", "markdown=c.md"];
    const { exitCode, stdout } = await compare(base, slower, ...outs);
    expect(exitCode).toBe(99);
    expect(stdout).toMatch(/^✗ REGRESSED, exit code 99\n/);
    expect(stdout).toMatch(/http_req_duration p\(95\) +\S+ ms +\S+ ms +\+\S+ % +\+\S+ to \+\S+ +REGRESSED/);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const document: unknown = JSON.parse(readFileSync(join(folder, "c.json"), "utf8"));
    expect(document).toMatchObject({ schema: "bearhug/comparison@1", verdict: "regressed", exitCode: 99 });
    expect(schemaErrors("comparison.schema.json", document)).toEqual([]);
    expect(readFileSync(join(folder, "c.md"), "utf8")).toMatch(/^## ❌ bearhug compare: REGRESSED\n/);
  });

  test("accepts several results for a side", async () => {
    const others = [3, 4].map((seed) => write(`${seed}.json`, simulateResult({ ...quiet, seed })));
    const { exitCode, stdout } = await compare(base, ...others, "--new", slower);
    expect(exitCode).toBe(99);
    expect(stdout).toContain("slower.json against base.json and 2 more");
  });

  test("refuses runs that are not comparable, and names the flag that allows each difference", async () => {
    const other = write("other.json", {
      ...plain,
      test: { ...plain.test, target: "http://127.0.0.1:9090" },
      verdict: "interrupted",
      exitCode: 105,
      messages: ["interrupted by SIGINT"],
      plan: { ...plain.plan, warmupMs: 5000 },
    });
    const { exitCode, stderr } = await compare(base, other);
    expect(exitCode).toBe(104);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "bearhug: The run of other.json was interrupted. To compare anyway, add --allow ending.",
      "bearhug: base.json loaded http://127.0.0.1:8080, other.json loaded http://127.0.0.1:9090. To compare anyway, add --allow target.",
      "bearhug: The load differs: base.json had no scenario; other.json had 5 s of warm-up. To compare anyway, add --allow load.",
    ]);
    const allowed = await compare(base, other, "--allow", "ending", "--allow", "target,load");
    expect(allowed.exitCode).toBe(0);
  });

  test("leaves times of a saturated load generator undecided, unless that is allowed", async () => {
    const reasons = ["worker 0 was busy 99 % of the time"];
    const late = write("late.json", {
      ...slow,
      generator: { ...slow.generator, verdict: "saturated", reasons },
    });
    const { exitCode, stdout } = await compare(base, late);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\? UNDECIDED/);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "In late.json the load generator was saturated, so its times are the generator's own: worker 0 was busy 99 % of the time. To compare anyway, add --allow generator.",
    );
    expect((await compare(base, late, "--fail-on", "undecided")).exitCode).toBe(99);
    expect((await compare(base, late, "--allow", "generator")).exitCode).toBe(99);
  });

  test("leaves times undecided if only the new run was redirected, unless that is allowed", async () => {
    const responding = (result: TestResult, status: string): TestResult => ({
      ...result,
      series: [
        ...result.series,
        {
          metric: "http_reqs",
          tags: { name: "GET /", status, expected_response: "true" },
          values: { count: 4000, rate: 200 },
          histogram: null,
        },
      ],
    });
    const pages = write("pages.json", responding(plain, "200"));
    const fast = simulateResult({ ...quiet, seed: 2, factor: 0.2 });
    const login = write("login.json", responding(fast, "302"));
    const { exitCode, stdout } = await compare(pages, login, "--fail-on", "undecided");
    expect(exitCode).toBe(99);
    expect(stdout).toMatch(/^\? UNDECIDED/);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "GET / was redirected (302) on the new side, but not in the base. To compare anyway, add --allow redirects.",
    );
    expect((await compare(pages, login, "--allow", "redirects")).stdout).toMatch(/^✓ OK/);
  });

  test("only warns of runs that are not comparable with --if-incomparable warn", async () => {
    const other = write("other.json", { ...plain, plan: { ...plain.plan, warmupMs: 5000 } });
    const { exitCode, stdout, stderr } = await compare(base, other, "--if-incomparable", "warn", "--json");
    expect(exitCode).toBe(0);
    const sentence = /The load differs: .* To compare anyway, add --allow load\./;
    expect(stderr).toMatch(sentence);
    const document = JSON.parse(stdout) as { schema: string };
    expect(documentErrors(document)).toEqual([]);
    expect(document).toMatchObject({
      schema: "bearhug/problems@1",
      exitCode: 0,
      problems: [{ code: "INCOMPARABLE", message: expect.stringMatching(sentence) as string }],
    });
    const refused = await compare(base, other, "--json");
    expect(refused.exitCode).toBe(104);
    expect(JSON.parse(refused.stdout)).toMatchObject({ exitCode: 104, problems: [{ code: "INCOMPARABLE" }] });
    expect((await compare(base, other, "--if-incomparable", "ignore")).exitCode).toBe(104);
  });

  test("names the files that it does not write for a changed test", async () => {
    const at = (fingerprint: string): TestResult => ({ ...plain, test: { ...plain.test, fingerprint } });
    const files = [write("old.json", at("aa")), write("edited.json", at("bb"))];
    const options = ["--if-incomparable", "warn", "--out", "markdown=c.md"];
    expect(await compare(...files, ...options)).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr:
        "bearhug: not compared: The code of the test changed between old.json and edited.json. To compare anyway, add --allow test.\n" +
        "bearhug: c.md was not written: the runs were not compared.\n",
    });
    expect(existsSync(join(folder, "c.md"))).toBe(false);
  });

  const warmed = { ...plain, plan: { ...plain.plan, warmupMs: 5000 } };
  test.each<[string, TestResult]>([
    ["ended with an error", { ...plain, verdict: "errored", exitCode: 107, messages: ["setup failed"] }],
    [
      "was interrupted",
      { ...plain, verdict: "interrupted", exitCode: 105, messages: ["interrupted by SIGINT"] },
    ],
    ["is partial", { ...plain, partial: ["part 2 is missing"] }],
    ["loaded http://127.0.0.1:9090", { ...plain, test: { ...plain.test, target: "http://127.0.0.1:9090" } }],
    ["ended with an error", { ...warmed, verdict: "errored", exitCode: 107, messages: ["setup failed"] }],
  ])("refuses a run that %s, even with --if-incomparable warn", async (reason, result) => {
    const other = write("other.json", result);
    const { exitCode, stdout, stderr } = await compare(base, other, "--if-incomparable", "warn", "--json");
    expect(exitCode).toBe(104);
    expect(stderr).toContain(reason);
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 104 });
    expect(stderr).not.toContain("not compared");
  });

  test("refuses a copy of a result, which would never be worse than the original", async () => {
    const copy = write("copy.json", plain);
    expect(await compare(base, copy)).toMatchObject({
      exitCode: 104,
      stderr: "bearhug: copy.json is the same result as base.json. Name each result once.\n",
    });
    expect(await compare(base, copy, "--new", slower)).toMatchObject({ exitCode: 104 });
  });

  test("refuses a test whose code changed", async () => {
    const at = (fingerprint: string): TestResult => ({ ...plain, test: { ...plain.test, fingerprint } });
    const files = [write("old.json", at("aa")), write("edited.json", at("bb"))];
    expect(await compare(...files)).toMatchObject({
      exitCode: 104,
      stderr:
        "bearhug: The code of the test changed between old.json and edited.json. To compare anyway, add --allow test.\n",
    });
  });

  test("reports every problem of its options, in one sentence each", async () => {
    const wrong = ["--tolerance", "5", "--fail-on", "luck", "--allow", "all", "--out", "pdf"];
    const { exitCode, stderr } = await compare(base, base, ...wrong);
    expect(exitCode).toBe(104);
    expect(stderr.trimEnd().split("\n").toSorted()).toEqual([
      "bearhug: --allow all: must be one of target, load, test, generator, ending, machine, redirects, sizes.",
      "bearhug: --fail-on luck: must be regressed or undecided.",
      'bearhug: --out pdf: a comparison has no report "pdf". Use json, html, or markdown.',
      "bearhug: --tolerance 5: must be a percentage from 0% to below 100%, such as 5%.",
      "bearhug: base.json is given twice. Name each result once.",
    ]);
    expect(await compare(base)).toMatchObject({
      exitCode: 104,
      stderr: "bearhug: compare needs two results: bearhug compare base.json new.json.\n",
    });
  });
});
