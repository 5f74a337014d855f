import type { BuiltInMetricName } from "@bearhug/sdk";
import { builtInMetrics } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";
import { readGaugeName } from "../../src/gauge-name.ts";
import {
  checkThreshold,
  parseCondition,
  type JudgedMetric,
} from "../../src/thresholds/threshold-language.ts";

function checkOn(metric: JudgedMetric, expression: string): string | null {
  return checkThreshold(metric, { expression, condition: parseCondition(expression) });
}

function check(name: BuiltInMetricName, expression: string): string | null {
  return checkOn({ name, ...builtInMetrics[name] }, expression);
}

describe("checkThreshold", () => {
  test.for([
    ["http_reqs", "count>1k"],
    ["http_reqs", "rate>100"],
    ["vus", "value<100"],
    ["http_req_failed", "rate<1%"],
    ["http_req_failed", "rate<=1"],
    ["checks", "rate>0.99"],
    ["http_req_duration", "p(95)<300ms"],
    ["http_req_duration", "avg<0.3s"],
    ["http_req_duration", "med<1m"],
    ["http_req_duration", "max<1k"],
    ["http_req_duration", "count>100"],
    ["page_bytes", "p(95)<500k"],
    ["data_sent", "count<1000k"],
    ["data_sent", "count<1.5GB"],
  ] as const)("finds nothing wrong with %s: %s", ([name, expression]) => {
    expect(check(name, expression)).toBeNull();
  });

  test.for([
    ["http_req_failed", "p(95)<1s", "http_req_failed is a rate and has no p(95): use rate."],
    ["http_reqs", "avg<5", "http_reqs is a counter and has no avg: use count or rate."],
    ["vus", "max<5", "vus is a gauge and has no max: use value."],
    [
      "http_req_duration",
      "rate<1%",
      "http_req_duration is a trend and has no rate: use min, avg, med, max, p(N) or count.",
    ],
    [
      "http_reqs",
      "rate>1%",
      '"%" does not fit http_reqs, which is a counter: only rates are written in percent.',
    ],
    [
      "http_req_duration",
      "count>5s",
      '"s" does not fit the count of http_req_duration, which is a plain number.',
    ],
    [
      "page_bytes",
      "avg<5ms",
      '"ms" does not fit page_bytes, which is measured in bytes: leave the unit out, or use kB, MB or GB.',
    ],
    ["http_reqs", "count>5m", '"m" does not fit http_reqs, which is not a time: leave the unit out.'],
    ["http_reqs", "count>5MB", '"MB" does not fit http_reqs, which is a plain number.'],
    ["page_bytes", "count>5kB", '"kB" does not fit the count of page_bytes, which is a plain number.'],
    ["http_req_duration", "avg<5GB", '"GB" does not fit http_req_duration, which is a time.'],
    [
      "http_req_failed",
      "rate<5",
      'http_req_failed is a rate and lies between 0 and 1, so "rate<5" always or never holds: write 1% or 0.01.',
    ],
    [
      "checks",
      "rate>1ms",
      '"ms" does not fit checks, which is a rate: write its value as a fraction (0.01) or in percent (1%).',
    ],
  ] as const)("says what is wrong with %s: %s", ([name, expression, sentence]) => {
    expect(check(name, expression)).toBe(sentence);
  });

  test("says how a metric of the test's own becomes a time", () => {
    const metric = { name: "queue_time", type: "trend", unit: null } as const;
    expect(checkOn(metric, "avg<5ms")).toBe(
      '"ms" does not fit queue_time, which is not a time: leave the unit out, or declare it with time: true.',
    );
    expect(checkOn({ ...metric, unit: "ms" }, "avg<5ms")).toBeNull();
  });
});

describe("checkThreshold, on monitored gauges", () => {
  const checkGauge = (name: string, expression: string): string | null => {
    const unit = readGaugeName(name)?.unit ?? null;
    return checkOn({ name, type: "monitored gauge", unit }, expression);
  };

  test.for([
    ["server.cpu", "avg<80%"],
    ["db.process_cpu", "max<250%"],
    ["server.memory", "max<2GB"],
    ["server.network_sent", "avg<10MB"],
    ["server.descriptors", "value<1k"],
    ["server.node_load1", "max<4.5"],
    ["app.process_resident_memory_bytes", "max<500MB"],
  ] as const)("finds nothing wrong with %s: %s", ([name, expression]) => {
    expect(checkGauge(name, expression)).toBeNull();
  });

  test.for([
    [
      "server.cpu",
      "p(95)<80%",
      "server.cpu is a monitored gauge and has no p(95): use avg, min, max or value.",
    ],
    ["server.cpu", "avg<80", 'server.cpu is in percent: write its bound with "%", such as avg<80%.'],
    [
      "db.process_cpu",
      "max<=0.9",
      'db.process_cpu is in percent: write its bound with "%", such as max<80%.',
    ],
    ["server.memory", "max<80%", '"%" does not fit server.memory, which is measured in bytes.'],
    ["server.descriptors", "max<80%", '"%" does not fit server.descriptors, which is a plain number.'],
    ["server.descriptors", "max<1MB", '"MB" does not fit server.descriptors, which is a plain number.'],
    [
      "server.network_sent",
      "max<1m",
      '"m" does not fit server.network_sent, which is measured in bytes per second: leave the unit out, or use kB, MB or GB.',
    ],
    [
      "server.node_load1",
      "max<1ms",
      '"ms" does not fit server.node_load1, which is not a time: leave the unit out.',
    ],
  ] as const)("says what is wrong with %s: %s", ([name, expression, sentence]) => {
    expect(checkGauge(name, expression)).toBe(sentence);
  });
});
