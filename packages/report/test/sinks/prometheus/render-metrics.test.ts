import type { IntervalSeries } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { ClassicBuckets } from "../../../src/sinks/prometheus/classic-buckets.ts";
import { labelsOf, renderMetrics } from "../../../src/sinks/prometheus/render-metrics.ts";
import { Totals } from "../../../src/sinks/totals.ts";
import { counterOf, rateOf, trendOf } from "../series-of.ts";

function render(series: readonly IntervalSeries[], test: string | null = null): string {
  const totals = new Totals((unit) => new ClassicBuckets(unit), labelsOf);
  totals.add(series);
  return renderMetrics(totals, { test });
}

describe("Prometheus' text format", () => {
  test("has counters as totals, in base units", () => {
    expect(render([counterOf("http_reqs", 12, { status: "200", method: "GET" })])).toBe(
      `# HELP bearhug_http_requests_total Requests that were answered or failed.
# TYPE bearhug_http_requests_total counter
bearhug_http_requests_total{method="GET",status="200"} 12
`,
    );
    expect(render([{ ...counterOf("data_received", 5), unit: "bytes" }])).toContain(
      "\nbearhug_data_received_bytes_total 5\n",
    );
  });

  test("has a rate as two counters", () => {
    expect(render([rateOf("http_req_failed", 1, 4)])).toBe(
      `# HELP bearhug_http_request_failed_total Share of requests without an expected response. Samples by condition.
# TYPE bearhug_http_request_failed_total counter
bearhug_http_request_failed_total{condition="true"} 1
bearhug_http_request_failed_total{condition="false"} 3
`,
    );
  });

  test("has a trend as a classic histogram: cumulative buckets that include their bound", () => {
    const lines = render([trendOf("http_req_duration", [0, 0.5, 0.6, 100, 61_000])]).split("\n");
    const bucket = (bound: string) => lines.find((line) => line.includes(`{le="${bound}"}`))?.split(" ")[1];
    expect(lines[1]).toBe("# TYPE bearhug_http_request_duration_seconds histogram");
    expect([bucket("0.0005"), bucket("0.001"), bucket("0.075"), bucket("0.1")]).toEqual(["2", "3", "3", "4"]);
    expect([bucket("60"), bucket("+Inf")]).toEqual(["4", "5"]);
    const [name, sum] = lines.at(-3)?.split(" ") ?? [];
    expect(name).toBe("bearhug_http_request_duration_seconds_sum");
    expect(Number(sum)).toBeCloseTo(61.1011, 9);
    expect(lines.at(-2)).toBe("bearhug_http_request_duration_seconds_count 5");
  });

  test("escapes hostile names and values", () => {
    const tags = {
      'we"ird\\na\nme': "x",
      "1st": 'a"b\\c\nd',
      ähnlich: "é",
      le: "1",
      condition: "c",
      __name__: "n",
    };
    expect(render([counterOf('it"em{s}\n', 1, tags)])).toBe(
      String.raw`# TYPE bearhug_it_em_s___total counter
bearhug_it_em_s___total{_1st="a\"b\\c\nd",tag___name__="n",tag_condition="c",tag_le="1",we_ird_na_me="x",_hnlich="é"} 1
`,
    );
    expect(render([], 'two "lines"\n')).toBe(
      `# HELP bearhug_run_info The test that runs.
# TYPE bearhug_run_info gauge
bearhug_run_info{test="two \\"lines\\"\\n"} 1
`,
    );
  });

  test("keeps metrics and tags separate whose names differ only in replaced characters", () => {
    expect(render([counterOf("a.b", 1), counterOf("a-b", 2, { "x.y": "1", "x-y": "2" })])).toBe(
      `# TYPE bearhug_a_b_total counter
bearhug_a_b_total 1
# TYPE bearhug_a_b_total_2 counter
bearhug_a_b_total_2{x_y="2;1"} 2
`,
    );
  });

  test("adds up series whose tags become equal labels, because Prometheus would reject one of them", () => {
    const series = [
      counterOf("logins", 1, { "a.b": "x" }),
      counterOf("logins", 2, { a_b: "x" }),
      trendOf("http_req_waiting", [1, 70_000], { "a.b": "x" }),
      trendOf("http_req_waiting", [2], { "a-b": "x" }),
    ];
    const lines = render(series).split("\n");
    expect(
      lines.filter((line) => /(?:logins_total|_count|\+Inf"\})/.test(line) && !line.startsWith("#")),
    ).toEqual([
      'bearhug_logins_total{a_b="x"} 3',
      'bearhug_http_request_waiting_seconds_bucket{a_b="x",le="+Inf"} 3',
      'bearhug_http_request_waiting_seconds_count{a_b="x"} 3',
    ]);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test("does not repeat the unit in the name of a monitored family", () => {
    const gauge = { type: "gauge", tags: {}, value: 3 } as const;
    expect(
      render([
        { ...gauge, metric: "db.process_resident_memory_bytes", unit: "bytes" },
        { ...gauge, metric: "db.pg_replication_lag_seconds", unit: null },
        { ...gauge, metric: "db.memory", unit: "bytes" },
      ]).match(/^bearhug_.*$/gm),
    ).toEqual([
      "bearhug_db_process_resident_memory_bytes 3",
      "bearhug_db_pg_replication_lag_seconds 3",
      "bearhug_db_memory_bytes 3",
    ]);
  });

  test("reserves the name of its own metric", () => {
    const gauge: IntervalSeries = { type: "gauge", metric: "run_info", unit: null, tags: {}, value: 7 };
    expect(render([gauge], "shop")).toBe(
      `# HELP bearhug_run_info The test that runs.
# TYPE bearhug_run_info gauge
bearhug_run_info{test="shop"} 1
# TYPE bearhug_run_info_2 gauge
bearhug_run_info_2 7
`,
    );
  });

  test("keeps a gauge separate from the count of a histogram", () => {
    const gauge: IntervalSeries = { type: "gauge", metric: "carts_count", unit: null, tags: {}, value: 7 };
    const lines = render([gauge, { ...trendOf("carts", [1]), unit: null }]).split("\n");
    expect(lines.filter((line) => line.startsWith("bearhug_carts_count"))).toEqual(["bearhug_carts_count 7"]);
    expect(lines).toContain("bearhug_carts_2_count 1");
  });
});
