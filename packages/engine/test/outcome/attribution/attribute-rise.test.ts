import type { TestResult } from "@bearhug/sdk";
import type { MonitorResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { attributeRise } from "../../../src/outcome/attribution/attribute-rise.ts";
import { monitored } from "../../../../report/test/monitored-result.ts";
import { resultOf } from "../../../../report/test/result-of.ts";

const [server, db] = monitored.monitors;

function attribute(parts: Partial<TestResult>): string | null {
  return attributeRise(resultOf({ ...monitored, ...parts }));
}

function withPoints(
  monitor: MonitorResult | undefined,
  gauge: string,
  points: (number | null)[],
): MonitorResult {
  const { name = "server", source = "" } = monitor ?? {};
  const values = { value: 1, avg: 1, min: 1, max: 1 };
  return { name, source, gauges: [{ metric: `${name}.${gauge}`, unit: "%", values, points }], gaps: [] };
}

const flat = (value: number): number[] => Array.from({ length: 30 }, () => value);

describe("the sentence of attribution", () => {
  test("says how busy servers were when latency rose, and before", () => {
    expect(attribute({})).toBe(monitored.attribution);
    expect(attribute({})).toContain("server.cpu was at 97.7 % (before: 43.3 %)");
  });

  test("also says that a server was not busy", () => {
    expect(attribute({ monitors: [withPoints(server, "cpu", flat(12))] })).toContain(
      "server.cpu was at 12.0 % (before: 12.0 %);",
    );
  });

  test("names memory that is nearly used up", () => {
    const memory = withPoints(server, "memory_percent", flat(95));
    expect(attribute({ monitors: [memory] })).toContain("server.memory_percent was at 95.0 %");
    expect(attribute({ monitors: [withPoints(server, "memory_percent", flat(60))] })).toBeNull();
  });

  test("says that a server could not be read at that time", () => {
    const points = flat(12).map((value, second) => (second < 20 ? value : null));
    expect(attribute({ monitors: [withPoints(server, "cpu", points)] })).toContain(
      "server.cpu was not read;",
    );
  });

  test("leaves out a generator without known workers", () => {
    const generator = { ...monitored.generator, workers: [] };
    expect(attribute({ generator, monitors: db === undefined ? [] : [db] })).toMatch(
      /db\.process_cpu was at 27\.3 % \(before: 23\.5 %\)$/,
    );
  });

  test("is absent if nothing rose", () => {
    expect(attribute({ intervals: monitored.intervals.slice(0, 20) })).toBeNull();
  });

  test("is absent without a monitor, or if none was ever read", () => {
    expect(attribute({ monitors: [] })).toBeNull();
    expect(
      attribute({ monitors: monitored.monitors.filter(({ gauges }) => gauges.length === 0) }),
    ).toBeNull();
  });
});
