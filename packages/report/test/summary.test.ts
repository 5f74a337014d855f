import { stripVTControlCharacters } from "node:util";

import type { TestResult } from "@bearhug/sdk";
import { testResultSchema } from "@bearhug/sdk/internal";
import { displayWidth } from "@bearhug/text/display-width";
import { describe, expect, test } from "vitest";

import { renderSummary } from "../src/terminal/summary.ts";
import * as results from "./results.ts";

const plain = { colors: false, width: 80, unicode: true };

/** Returns the lines that must fit the width. Commands are not wrapped, so that they can be copied. */
function wrappedLines(summary: string): string[] {
  return summary.split("\n").filter((line) => !/^ +curl -/.test(line));
}

describe("the summary matches its golden file exactly", () => {
  test.each(Object.entries(results))("%s", async (name, result: TestResult) => {
    expect(testResultSchema().parse(result)).toEqual(result);
    await expect(renderSummary(result, plain)).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test("in ASCII", async () => {
    const ascii = renderSummary(results.failed, { ...plain, unicode: false });
    expect(ascii).toMatch(/^[\x20-\x7e\n]*$/);
    await expect(ascii).toMatchFileSnapshot("golden/failed-ascii.txt");
  });

  test("on a narrow terminal", async () => {
    await expect(renderSummary(results.failed, { ...plain, width: 50 })).toMatchFileSnapshot(
      "golden/failed-narrow.txt",
    );
  });
});

describe.each(Object.entries(results))("%s", (_, result: TestResult) => {
  test.each([50, 80, 120])("fits %i columns", (width) => {
    for (const line of wrappedLines(renderSummary(result, { ...plain, width }))) {
      expect([line, displayWidth(line) <= width]).toEqual([line, true]);
    }
  });

  test("has the same text without colours", () => {
    const colored = renderSummary(result, { ...plain, colors: true });
    expect(colored).toContain("\u001b[");
    expect(stripVTControlCharacters(colored)).toBe(renderSummary(result, plain));
  });

  test("begins with the verdict, and repeats it at the end of a long summary", () => {
    const lines = renderSummary(result, plain).trimEnd().split("\n");
    const isBare = result === results.crowded || result === results.foundCapacity;
    const outcome = `${isBare ? "completed" : result.verdict}${result.partial === undefined ? "" : ", but partial"}`;
    const isDoubtful =
      result.partial !== undefined || result === results.crowded || result === results.monitored;
    const sign = result.verdict !== "passed" ? "✗" : isDoubtful ? "!" : "✓";
    expect(lines[0]?.startsWith(`${sign} ${outcome}`)).toBe(true);
    if (lines.length > 24) expect(lines.at(-1)).toBe(`${sign} ${outcome}, exit code ${result.exitCode}`);
  });
});

test("if a report was not written, the sign, reason and exit code change, but not the verdict", () => {
  const reason = "report not written: ENOSPC: no space left on device, write (json to r.json)";
  const unwritten = { ...results.passed, exitCode: 111, messages: [reason] };
  const [first, ...rest] = renderSummary(results.passed, { ...plain, width: 120 })
    .trimEnd()
    .split("\n");
  const shown = renderSummary(unwritten, { ...plain, width: 120 })
    .trimEnd()
    .split("\n");
  const outcome = /^✓ (\w+): (.*)$/.exec(first ?? "") ?? [];
  expect(shown).toEqual([
    `! ${outcome[1]}: ${reason}`,
    `  · ${outcome[2]}`,
    ...rest.slice(0, -1),
    rest.at(-1)?.replace("✓", "!").replace("exit code 0", "exit code 111"),
  ]);
});

test("connections and TLS handshakes come first if each request opened its own", () => {
  const counter = (count: number) =>
    ({ type: "counter", unit: null, values: { count, rate: count } }) as const;
  const linesOf = (opened: number): string[] => {
    const metrics = {
      http_reqs: counter(500),
      connections_opened: counter(opened),
      tls_handshakes: counter(opened),
    };
    const text = renderSummary({ ...results.passed, metrics }, plain);
    const lines = text.split("\n");
    return lines.slice(lines.indexOf("Traffic") + 1, lines.indexOf("Traffic") + 4);
  };
  expect(linesOf(500)).toEqual([
    expect.stringMatching(/connections_opened +500 +500\/s/),
    expect.stringMatching(/tls_handshakes +500 +500\/s/),
    expect.stringMatching(/http_reqs +500/),
  ]);
  expect(linesOf(20)).toEqual([
    expect.stringMatching(/http_reqs +500/),
    expect.stringMatching(/connections_opened +20/),
    "",
  ]);
});

test("if the load ended within its warm-up, the summary says that all requests were made then", () => {
  const { accounting } = results.warmedUp;
  const text = renderSummary(
    { ...results.empty, accounting: { ...results.empty.accounting, warmup: accounting.warmup } },
    plain,
  );
  expect(text).toContain("nothing measured: all 1220 requests were made during the warm-up");
  expect(text).not.toContain("no request was made");
});

describe("the beginning of the summary explains the figures", () => {
  const lines = (parts: Partial<TestResult>): string[] =>
    renderSummary({ ...results.passed, ...parts }, plain)
      .split("\n")
      .slice(0, 3);
  const failedRequests = {
    type: "rate",
    unit: null,
    values: { rate: 0.25, passes: 25, fails: 75 },
  } as const;
  const error = { cause: null, message: "", firstAtMs: 1, origin: "http://127.0.0.1:8080" };

  test("by the most frequent error, if many requests failed", () => {
    const metrics = { ...results.passed.metrics, http_req_failed: failedRequests };
    const errors = [
      { ...error, code: "HTTP_404", name: "GET /old", count: 5 },
      { ...error, code: "HTTP_503", name: "GET /cart", count: 20 },
    ];
    expect(lines({ metrics, errors })).toEqual([
      "✓ passed: all 4 thresholds held",
      "  · 25.00 % of requests failed, most often with HTTP_503 in GET /cart",
      "",
    ]);
  });

  test("by the most frequent error alone, if a threshold already states how many failed", () => {
    const metrics = { ...results.passed.metrics, http_req_failed: failedRequests };
    const errors = [{ ...error, code: "HTTP_503", name: "GET /cart", count: 25 }];
    const threshold = {
      metric: "http_req_failed",
      expression: "rate<1%",
      passed: false,
      actual: 0.25,
      samples: 100,
      abortOnFail: false,
      source: null,
      unit: null,
      window: null,
      allowEmpty: false,
    };
    const messages = ["threshold failed: http_req_failed: rate<1% (was 25.00 %)"];
    const failed = { verdict: "failed", exitCode: 99, thresholds: [threshold], messages } as const;
    expect(lines({ ...failed, metrics, errors })).toEqual([
      "✗ failed: threshold failed: http_req_failed: rate<1% (was 25.00 %)",
      "  · requests failed most often with HTTP_503 in GET /cart",
      "",
    ]);
  });

  test("by a check that never passed, even if others make up for it in a threshold on all checks", () => {
    const [check] = results.passed.checks;
    const never = {
      ...check,
      name: "is\nlogged in",
      scenario: "readers",
      page: null,
      group: null,
      exception: null,
    } as const;
    const thresholds = results.passed.thresholds.map((threshold) => ({ ...threshold, metric: "checks" }));
    const checks = [...results.passed.checks, { ...never, passes: 0, fails: 20 }];
    expect(lines({ checks, thresholds })).toEqual([
      '! passed: check "is logged in" failed in all 20 evaluations',
      "  · 0.20 % of requests failed",
      "  · all 4 thresholds held",
    ]);
    const two = [
      { ...never, passes: 0, fails: 1 },
      { ...never, name: "is shown", passes: 0, fails: 3 },
    ];
    expect(lines({ checks: two })[0]).toBe(
      '! passed: check "is logged in" failed in its only evaluation, and 1 more never',
    );
  });

  test("by a check that never passed in one group, although one of its name passed in another", () => {
    const check = { name: "status is 200", scenario: "readers", page: null, exception: null };
    const checks = [
      { ...check, group: "GET /cart", passes: 300, fails: 0 },
      { ...check, group: "POST /cart", passes: 0, fails: 3 },
    ];
    expect(lines({ checks })[0]).toBe(
      '! passed: check "status is 200" in group POST /cart failed in all 3 evaluations',
    );
  });

  test("but not by a check that never passed within a threshold of its own", () => {
    const [check] = results.passed.checks;
    const [threshold] = results.passed.thresholds;
    if (check === undefined || threshold === undefined) throw new Error("an exemplary result has both");
    const name = "is sold out, in red";
    const never = { ...check, name, page: "home", passes: 0, fails: 20, exception: null };
    const judgedBy = (metric: string): string | undefined =>
      lines({ checks: [never], thresholds: [{ ...threshold, metric }] })[0];
    const doubted = '! passed: check "is sold out, in red" in page home failed in all 20 evaluations';
    expect(judgedBy("checks{check:is sold out\\, in red}")).toMatch(/^✓ passed/);
    expect(judgedBy("checks{page:home,check:is sold out\\, in red}")).toMatch(/^✓ passed/);
    for (const other of [
      "checks",
      "checks{page:home}",
      "checks{check:is new}",
      "checks{check!:is new}",
      "checks{page:basket,check:is sold out\\, in red}",
      "checks{check:is sold out\\, in red",
      "orders{check:is sold out\\, in red}",
    ])
      expect(judgedBy(other)).toBe(doubted);
  });

  test("by setup or vuState, if none of its requests succeeded", () => {
    const [row] = results.passed.accounting.requests;
    if (row === undefined) throw new Error("an exemplary result has requests");
    const notes = ["2 of 2 requests of vuState failed: POST /login"];
    const first = (counts: Partial<typeof row>, stage: string): string | undefined => {
      const accounting = { ...results.passed.accounting, [stage]: { requests: [{ ...row, ...counts }] } };
      return lines({ accounting, notes })[0];
    };
    for (const stage of ["setup", "vuState"]) {
      const mark = first({ succeeded: 0, failed: 2 }, stage);
      expect(mark).toBe("! passed: 2 of 2 requests of vuState failed: POST /login");
      expect(first({ succeeded: 1, failed: 2 }, stage)).toMatch(/^✓ passed/);
    }
    expect(first({ succeeded: 0, failed: 2 }, "teardown")).toMatch(/^✓ passed/);
  });

  test("by the load generator, if it was saturated", () => {
    const generator = { ...results.passed.generator, verdict: "saturated" } as const;
    expect(lines({ generator })).toEqual([
      "! passed: the load generator was saturated: the times measure it as much as the",
      "  target",
      "  · all 4 thresholds held",
    ]);
  });
});

test("a missing part of the load comes first, even if the generator was saturated", () => {
  const generator = { ...results.partial.generator, verdict: "saturated" } as const;
  const [first] = renderSummary({ ...results.partial, generator }, { ...plain, width: 200 }).split("\n");
  expect(first).toMatch(/^! passed, but partial: shard 2 of 2 was lost after 12 s of load/);
});
