import type { TestResult } from "@bearhug/sdk";
import type { VariantDifference, VariantFigure, VariantResult } from "@bearhug/sdk/result";

import { passed } from "./passed-result.ts";
import { resultOf } from "./result-of.ts";

const figure = (value: number, low = value, high = value): VariantFigure => ({
  value,
  interval: [low, high],
  isLowerBound: false,
});

const equal: VariantDifference = { change: 0.002, interval: [-0.01, 0.02], isReal: false };
const less: VariantDifference = { change: -0.313, interval: [-0.34, -0.281], isReal: true };

const raw: VariantResult = {
  name: "raw",
  requests: 30_095,
  failures: 0,
  differences: null,
  histogram: null,
  figures: {
    wireBytes: figure(35_276),
    decodedBytes: figure(35_276),
    failed: figure(0),
    requestsPerSecond: figure(19_131, 18_000, 20_300),
    bytesPerSecond: figure(679e6, 600e6, 700e6),
    p50: figure(0.318, 0.314, 0.323),
    p90: figure(0.468, 0.387, 1.1),
    p99: figure(4.77, 3.38, 12.1),
  },
};

/** Variants that took turns: a base, one with real differences, and one with failures and unknown times. */
export const varied: TestResult = resultOf({
  ...passed,
  variants: {
    turnMs: 250,
    changeoverMs: 50,
    blocks: 7,
    stretches: 7,
    leastStretches: 9,
    longIterationMs: 1240,
    variants: [
      raw,
      {
        ...raw,
        name: "Accept-Encoding: brotli",
        requests: 34_000,
        figures: { ...raw.figures, wireBytes: figure(11_281), p50: figure(0.219, 0.21, 0.229) },
        differences: {
          wireBytes: { change: -0.68, interval: [-0.68, -0.68], isReal: true },
          requestsPerSecond: equal,
          p50: less,
          p90: less,
          p99: equal,
          failed: equal,
        },
      },
      {
        ...raw,
        name: "min",
        requests: 0,
        figures: {
          ...raw.figures,
          p50: { value: null, interval: null, isLowerBound: false },
          failed: figure(0.02, 0.01, 0.03),
          p99: { value: 60_000, interval: null, isLowerBound: true },
        },
        differences: {
          wireBytes: equal,
          requestsPerSecond: equal,
          p50: equal,
          p90: equal,
          p99: equal,
          failed: { change: 0.02, interval: null, isReal: true },
        },
      },
    ],
  },
});
