import { describe, expect, test } from "vitest";

import { describeTransfer } from "../src/transfer.ts";
import { counterMetric, resultOf } from "./result-of.ts";

const plan = { scenarios: [], workers: 1, warmupMs: 0, maxDataBytes: null };
const received = (bytes: number, iterations: number, durationMs: number) =>
  resultOf({
    durationMs,
    metrics: {
      data_received: counterMetric(bytes, 10, "bytes"),
      data_sent: counterMetric(1_100_000, 10, "bytes"),
      ...(iterations === 0 ? {} : { iterations: counterMetric(iterations, 10) }),
    },
  });

describe("the description of a run's transfer", () => {
  test("has figures for the run, an iteration and an hour", () => {
    expect(describeTransfer(received(12_300_000, 502, 10_000))).toEqual([
      "12.3 MB received",
      "1.10 MB sent",
      "24.5 kB per iteration",
      "at this rate: 4.43 GB per hour",
    ]);
  });

  test("omits figures without iterations, for less than a second, or without data", () => {
    expect(describeTransfer(received(12_300_000, 0, 999))).toEqual(["12.3 MB received", "1.10 MB sent"]);
    expect(describeTransfer(received(0, 5, 10_000))).toEqual([]);
    expect(describeTransfer(resultOf({}))).toEqual([]);
  });

  test("names the limit of received data, even if nothing was received", () => {
    expect(describeTransfer(resultOf({ plan: { ...plan, maxDataBytes: 10e9 } }))).toEqual([
      "stops at 10.0 GB (--max-data)",
    ]);
    const shard = { ...resultOf({ plan: { ...plan, maxDataBytes: 10e9 } }), shard: { index: 0, count: 4 } };
    expect(describeTransfer(shard)).toEqual(["stops at 2.50 GB (its part of --max-data)"]);
  });
});
