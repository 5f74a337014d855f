import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseResult } from "../../src/index.ts";
import { sampleResult } from "./sample-result.ts";

describe("parseResult", () => {
  // The sample has all properties of the type: the result would miss one that the schema lacks.
  test("reads a whole result back as it was written", () => {
    const read = parseResult(JSON.parse(JSON.stringify(sampleResult)));
    expect(read.problems).toEqual([]);
    expect(read.result).toEqual(sampleResult);
  });

  test("leaves out properties that a later release may add", () => {
    const later = { ...sampleResult, weather: "fine", tool: { ...sampleResult.tool, commit: "cafe" } };
    expect(parseResult(later)).toEqual({ problems: [], result: sampleResult });
  });

  test("reads a result of a release that had fewer phases, where a missing one took no time", () => {
    const phases = { blocked: 3, connecting: 2, sending: 0.1, waiting: 20, receiving: 0.4 };
    const exchange = {
      name: "GET /",
      method: "GET",
      url: "http://shop.example/",
      status: 200,
      code: null,
      protocol: "http/1.1",
      atMs: 5,
      phases,
      bytesSent: 90,
      bytesReceived: 400,
    };
    const visit = { page: "Home", scenario: "main", kind: "median", atMs: 0, durationMs: 30, leftOut: 0 };
    const earlier = {
      ...sampleResult,
      exemplars: { pages: [{ ...visit, exchanges: [exchange] }], errors: [] },
    };
    const { problems, result } = parseResult(earlier);
    expect(problems).toEqual([]);
    expect(result?.exemplars?.pages[0]?.exchanges[0]?.phases).toMatchObject({
      ...phases,
      lookingUp: 0,
      tlsHandshaking: 0,
    });
  });

  test("lists every problem with its place", () => {
    const { problems, result } = parseResult({
      ...sampleResult,
      schema: "bearhug/result@2",
      seed: "4242",
      verdict: "pased",
      accounting: { ...sampleResult.accounting, requests: [{ name: "GET /", started: -1 }] },
      metrics: { http_reqs: { type: "count" } },
      errors: undefined,
    });
    expect(result).toBeUndefined();
    expect(problems.map(({ message }) => message)).toEqual([
      'schema must be "bearhug/result@1", but is "bearhug/result@2": did you mean "bearhug/result@1"?',
      'seed must be a number, but is "4242".',
      'verdict must be one of "passed", "failed", "aborted", "interrupted", "errored", but is "pased": did you mean "passed"?',
      "accounting.requests[0].started must be 0 or more, but is -1.",
      "accounting.requests[0].sent must be a number, but is missing.",
      "accounting.requests[0].succeeded must be a number, but is missing.",
      "accounting.requests[0].failed must be a number, but is missing.",
      "accounting.requests[0].interrupted must be a number, but is missing.",
      "accounting.requests[0].lost must be a number, but is missing.",
      'metrics.http_reqs.type must be one of "counter", "gauge", "rate", "trend", but is "count": did you mean "counter"?',
      "errors must be an array, but is missing.",
    ]);
  });

  test.for([undefined, null, 5, "{}", []])("refuses %j as a whole", (value) => {
    const { problems } = parseResult(value);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      path: "",
      message: expect.stringMatching(/^The result must be an object, but is .+\.$/) as string,
    });
  });

  test("accepts any value without throwing", () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...Object.keys(sampleResult)), (anything, key) => {
        parseResult({ ...sampleResult, [key]: anything });
      }),
    );
  });
});
