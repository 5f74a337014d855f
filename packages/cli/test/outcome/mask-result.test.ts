import { parseResult, type TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { maskResult } from "../../src/outcome/mask-result.ts";
import { createMask } from "../../src/secret-mask.ts";
import { crowded, empty, failed, interrupted, lostWorker, passed, refused } from "../reporters/results.ts";

const results = { crowded, empty, failed, interrupted, lostWorker, passed, refused };

/** Every path to a value that is not free text, with the value; free text as what kind of value it is. */
function structureOf(value: unknown, path = ""): Map<string, unknown> {
  if (typeof value !== "object" || value === null) {
    return new Map([[path, typeof value === "string" ? "a text" : value]]);
  }
  const parts = Object.entries(value).flatMap(([name, part]) => [...structureOf(part, `${path}/${name}`)]);
  return new Map([[`${path}/`, Array.isArray(value) ? "a list" : "an object"], ...parts]);
}

/** What readers of the document go by: none of it is anybody's secret. */
function fixedTexts(result: TestResult): unknown {
  return {
    schema: result.schema,
    tool: result.tool,
    startedAt: result.startedAt,
    verdict: result.verdict,
    generator: result.generator.verdict,
    metrics: Object.entries(result.metrics).map(([name, { type, unit }]) => [name, type, unit]),
    executors: result.plan.scenarios.map(({ executor }) => executor),
    series: result.series.map(({ metric, tags, histogram }) => [metric, Object.keys(tags), histogram]),
    codes: result.errors.map(({ code }) => code),
    units: result.thresholds.map(({ unit }) => unit),
  };
}

describe("a result whose secrets are words of its own", () => {
  const secrets = ["test", "count", "passed", "schema", "name", "trend", "http", "200", "readers", "null"];

  test.each(Object.entries(results))("keeps its structure, and is valid still: %s", (_name, result) => {
    for (const chosen of [...secrets.map((secret) => [secret]), secrets]) {
      const masked = maskResult(result, createMask(chosen).hide);
      const { problems, result: parsed } = parseResult(JSON.parse(JSON.stringify(masked)));
      expect(problems).toEqual([]);
      expect(parsed).toBeDefined();
      expect(structureOf(masked)).toEqual(structureOf(result));
      expect(fixedTexts(masked)).toEqual(fixedTexts(result));
    }
  });
});

describe("what a test or its target could have put into a result", () => {
  const secret = "s3cret-token";
  const text = `a ${secret} b`;
  const request = {
    name: `GET /${secret}`,
    started: 1,
    sent: 1,
    succeeded: 1,
    failed: 0,
    interrupted: 0,
    lost: 0,
  };
  const given: TestResult = {
    ...passed,
    test: { name: text, file: "t.ts", target: `http://${secret}/` },
    plan: {
      ...passed.plan,
      scenarios: [{ name: text, executor: "constant-vus", description: "1 VU", transport: "bearhug" }],
    },
    messages: [text],
    notes: [text],
    generator: {
      ...passed.generator,
      workers: [
        {
          id: 0,
          utilization: null,
          loopDelayP95Ms: null,
          loopDelayP99Ms: null,
          scheduleLagP95Ms: null,
          scheduleLagP99Ms: null,
          pauses: null,
          lost: text,
        },
      ],
    },
    accounting: {
      ...passed.accounting,
      requests: [request],
      setup: { requests: [request] },
      teardown: { requests: [request] },
    },
    thresholds: passed.thresholds.map((one) => ({
      ...one,
      metric: `checks{user:${secret}}`,
      expression: text,
    })),
    checks: [
      {
        ...{ name: text, scenario: text, page: text, passes: 1, fails: 1 },
        exception: { count: 1, message: text, firstAtMs: 1, source: null, frame: text },
      },
    ],
    series: [{ metric: "checks", tags: { user: text }, values: { rate: 1 }, histogram: null }],
    errors: [
      { code: "E", cause: null, message: text, count: 1, firstAtMs: 0, name: text, frame: `> 1 | ${text}` },
    ],
  };

  test("is masked wherever it stands, and nothing else is", () => {
    const before = structuredClone(given);
    const masked = maskResult(given, createMask([secret]).hide);
    expect(JSON.stringify(given)).toContain(secret);
    expect(given).toEqual(before);
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked).toEqual(JSON.parse(JSON.stringify(given).replaceAll(secret, "***")));
  });

  test("stays as it is where there are no secrets", () => {
    for (const result of Object.values(results))
      expect(maskResult(result, createMask([]).hide)).toEqual(result);
  });
});
