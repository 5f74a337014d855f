import type { TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { renderSummary } from "../src/terminal/summary.ts";
import { latencies, resultOf, trendMetric } from "./result-of.ts";
import { stalled } from "./stalled-result.ts";

/** Returns the summary as one line, so that a test can search for a sentence. */
const summaryOf = (result: TestResult): string =>
  renderSummary(result, { colors: false, width: 120, unicode: true }).replaceAll(/\s+/g, " ");

const visitors = stalled.plan.scenarios.slice(0, 1);
const orders = stalled.plan.scenarios.slice(1);

describe("requests that waited before they were sent", () => {
  const own = latencies(1000, 10);
  const withGap = (gapMs: number, scenarios = visitors): string =>
    summaryOf(
      resultOf({
        plan: { ...stalled.plan, scenarios },
        metrics: {
          http_req_duration: trendMetric(own),
          http_req_response_time: trendMetric(own.map((ms) => ms + gapMs)),
          http_req_blocked: trendMetric(own.map(() => gapMs)),
        },
      }),
    );

  test("are reported with both figures and with what they waited for", () => {
    const text = summaryOf(stalled);
    expect(text).toMatch(/p99 is 1\.3\d s; http_req_duration, .* shows 1\d\.\d ms, as a closed model would/);
    expect(text).toMatch(/Waiting for a free VU: p99 1\.30 s; generator lag: p99 400 µs\./);
    expect(text).not.toContain("waiting for a connection");
  });

  test("are reported with p95 if both p99s include a stall", () => {
    const stall = (index: number): number => (index >= 980 ? 2000 : 0);
    const metrics = {
      http_req_duration: trendMetric(own.map((ms, index) => ms + stall(index))),
      http_req_response_time: trendMetric(own.map((ms, index) => ms + (index >= 900 ? 2000 : 0))),
      vu_wait: trendMetric(own.map((_, index) => (index >= 900 && index < 980 ? 1990 : 0))),
    };
    const text = summaryOf(resultOf({ plan: { ...stalled.plan, scenarios: visitors }, metrics }));
    expect(text).toMatch(/p95 is 2\.0\d s; http_req_duration, .* shows \d\d\.\d ms/);
    expect(text).toContain("Waiting for a free VU: p95 1.99 s.");
  });

  test("are reported as waiting for a connection if they did", () => {
    expect(withGap(60)).toContain("as a closed model would. Waiting for a connection: p99 60.0 ms.");
  });

  test.each([0, 0.9, 4])("are not reported if a wait of %d ms makes no difference", (gapMs) => {
    expect(withGap(gapMs)).not.toContain("Requests waited before they were sent");
  });

  test("are not attributed to a closed loop if the generator itself was late", () => {
    const [worker] = stalled.generator.workers;
    const summaryWith = (verdict: "strained" | "saturated", scheduleLagP99Ms: number): string => {
      const workers = [{ ...worker!, scheduleLagP99Ms }];
      const generator = { ...stalled.generator, verdict, workers };
      return summaryOf(resultOf({ plan: stalled.plan, metrics: stalled.metrics, generator }));
    };
    const late = summaryWith("saturated", 900);
    expect(late).not.toContain("closed loop");
    expect(late).toMatch(
      /shows 1\d\.\d ms\. Neither measures the target alone: the generator fell behind \(saturated, see Generator\)\. Waiting/,
    );
    expect(summaryWith("strained", 1)).toContain("the generator did not keep up (strained, see Generator).");
  });

  test("are not reported in closed models", () => {
    expect(withGap(60, orders)).not.toContain("Requests waited before they were sent");
  });

  test("have a row of waits in the table of times if there were any", () => {
    expect(summaryOf(stalled)).toMatch(/ vu_wait 0 .* schedule_lag 0\.4/);
    const { metrics } = stalled;
    expect(summaryOf(resultOf({ metrics: { ...metrics, vu_wait: trendMetric([0, 0]) } }))).not.toContain(
      "vu_wait",
    );
  });
});

describe("a window", () => {
  const failedAt = (widthMs: number, failedAtMs: number): string => {
    const [first] = stalled.thresholds;
    return summaryOf(resultOf({ thresholds: [{ ...first!, window: { widthMs, failedAtMs } }] }));
  };

  test("that failed is reported with its end", () => {
    expect(failedAt(30_000, 90_000)).toContain("in the 30 s up to 1 m 30 s");
  });

  test("that held is reported with its width if the run was at least as long", () => {
    const threshold = stalled.thresholds[2]!;
    const held = (durationMs: number): string => summaryOf(resultOf({ durationMs, thresholds: [threshold] }));
    expect(held(2000)).toContain("1.41 s in any 2 s");
    expect(held(1999)).not.toContain("in any");
  });

  test("that covered the whole run is reported as such", () => {
    expect(failedAt(30_000, 12_345)).toContain("over the whole run, which was shorter than 30 s");
  });
});

describe("the precision of percentiles", () => {
  const withSamples = (count: number): string =>
    summaryOf(resultOf({ metrics: { http_req_duration: trendMetric(latencies(count, 5)) } }));

  test("is reported as unknown if there are too few samples", () => {
    expect(withSamples(562)).toContain("p99 has 562 samples; a 95 % confidence interval needs 563");
    expect(withSamples(1)).toContain("p99 has 1 sample;");
    expect(withSamples(563)).not.toContain("too few");
  });

  test("is mentioned only below thresholds whose percentiles have too few samples", () => {
    const text = summaryOf(stalled);
    expect(text).toContain("only 43 samples: p(95) needs 110 for a 95 % confidence interval");
    expect(text).toContain("only 7 samples: med needs 8 for a 95 % confidence interval");
    expect(text).not.toContain("only 110");
  });
});
