import { trialSchema } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { trialFigures } from "../../src/trials/trial-figures.ts";
import { counterMetric, rateMetric, resultOf, trendMetric } from "../../../report/test/result-of.ts";

const vus = { load: { kind: "vus", vus: 8 }, settleMs: 1000, measureMs: 2000, seed: 1 } as const;
const rate = { ...vus, load: { kind: "rate", perSecond: 100 } } as const;

const durations = [...Array<number>(30).fill(20), ...Array<number>(10).fill(60)];
const duration = trendMetric(durations);
const responseTime = {
  ...trendMetric(durations.map((ms) => ms + 5)),
  confidence: { "p(50)": [24, 26] as const },
  censored: { samples: 1, from: 65 },
};

const iterations = {
  iterations: counterMetric(20, 2),
  iteration_failed: rateMetric(1, 19),
  iteration_duration: trendMetric(Array<number>(20).fill(800)),
  iteration_response_time: trendMetric(Array<number>(20).fill(900)),
};

const measured = resultOf({
  durationMs: 2000,
  metrics: {
    ...iterations,
    http_reqs: counterMetric(40, 2),
    http_req_failed: rateMetric(10, 30),
    http_req_duration: duration,
    http_req_response_time: responseTime,
    data_received: counterMetric(80_000, 2, "bytes"),
  },
});

describe("the figures of a trial", () => {
  test("count its requests, with rates per second and the concurrency by Little's law", () => {
    expect(trialFigures(vus, measured)).toMatchObject({
      load: { kind: "vus", vus: 8 },
      operation: "request",
      count: 40,
      rate: 20,
      goodRate: 15,
      failedShare: 0.25,
      receivedRate: 40_000,
      // 30 × 20 ms and 10 × 60 ms, within 2 s; 20 × 800 ms, within 2 s.
      concurrency: 0.6,
      busyVus: 8,
      iterationRate: 10,
      offeredRate: null,
    });
  });

  test("take the rate of VUs over the planned time, and that of arrivals over the time that the target took", () => {
    const longer = { ...measured, durationMs: 4000 };
    expect(trialFigures(vus, longer)).toMatchObject({ rateMs: 2000, rate: 20, busyVus: 8 });
    expect(trialFigures(rate, longer)).toMatchObject({ rateMs: 4000, rate: 10 });
  });

  test("have the response times, with their confidence intervals and lower bounds", () => {
    expect(trialFigures(vus, measured).times).toEqual({
      avg: 35,
      p50: expect.closeTo(25, 1) as number,
      p90: 65,
      p95: 65,
      p99: 65,
      max: 65,
      confidence: { p50: [24, 26] },
      lowerBoundFrom: 65,
    });
  });

  test("count iterations if no request was sent", () => {
    const result = resultOf({ durationMs: 2000, metrics: iterations });
    expect(trialFigures(vus, result)).toMatchObject({
      operation: "iteration",
      count: 20,
      rate: 10,
      failedShare: 0.05,
      concurrency: 8,
      times: { p50: 900 },
    });
  });

  test("take the offered rate over the load alone, however long its last iteration lasts", () => {
    const { accounting } = measured;
    const offered = { ...accounting.iterations, scheduled: 200, dropped: 30 };
    const result = { ...measured, durationMs: 9000, accounting: { ...accounting, iterations: offered } };
    expect(trialFigures(rate, result)).toMatchObject({ offeredRate: 100, dropped: 30 });
    expect(trialFigures(rate, { ...result, durationMs: 1000 }).offeredRate).toBe(200);
  });

  test("add up failures by their code, the most frequent first", () => {
    const failure = { cause: null, message: "m", firstAtMs: 0 };
    const errors = [
      { ...failure, code: "TIMEOUT", count: 2, name: "GET /" },
      { ...failure, code: "HTTP_503", count: 4, name: "GET /" },
      { ...failure, code: "TIMEOUT", count: 3, name: "GET /b" },
    ];
    expect(trialFigures(vus, { ...measured, errors }).errors).toEqual([
      { code: "TIMEOUT", count: 5 },
      { code: "HTTP_503", count: 4 },
    ]);
  });

  test("name the thresholds that failed", () => {
    const judged = {
      metric: "http_req_failed",
      unit: null,
      samples: 40,
      window: null,
      allowEmpty: false,
      source: null,
      actual: 0.25,
    };
    const thresholds = [
      { ...judged, expression: "rate<0.1", passed: false },
      { ...judged, expression: "rate<0.5", passed: true },
    ];
    expect(trialFigures(vus, { ...measured, thresholds }).failedThresholds).toEqual([
      "http_req_failed: rate<0.1",
    ]);
  });

  test("of a run that never reached its load are zero, and valid", () => {
    const figures = trialFigures(vus, resultOf({}));
    expect(figures).toMatchObject({ count: 0, rate: 0, concurrency: 0, failedShare: 0, times: null });
    expect(trialSchema().parse(figures)).toEqual(figures);
  });

  test("fit the schema of the document", () => {
    const figures = trialFigures(vus, measured);
    expect(trialSchema().parse(figures)).toEqual(figures);
  });
});
