import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";
import * as z from "zod";

import { freePort } from "../free-port.ts";
import { hasPrometheus, startPrometheus } from "./start-prometheus.ts";
import { readResult, runForResult, startBearhug, temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Returns the largest bucket bound below a time and the smallest at or above it, in seconds. */
function bucketOf(seconds: number): readonly [above: number, upTo: number] {
  const bounds = [0, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1];
  const further = [0.15, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 60];
  const all = [...bounds, ...further];
  const at = all.findIndex((bound) => seconds <= bound);
  return [all[at - 1] ?? 0, all[at] ?? Infinity];
}

const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
});

/** Matches gauges: after a run they are stale, and have no current value. */
const gauges = /bearhug_(?:vus|connections_open)\{[^}]*\}/g;

/** Returns every expression of the Grafana dashboard as Grafana sends it, except those of drops. */
function dashboardExpressions(): string[] {
  const file = new URL("../../../../examples/grafana/bearhug.json", import.meta.url);
  const { panels } = dashboard.parse(JSON.parse(readFileSync(file, "utf8")));
  return panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .filter((expr) => !expr.includes("bearhug_dropped_iterations_total"))
    .map((expr) => expr.replaceAll("$__rate_interval", "1m").replaceAll(/\$(?:job|instance)/g, ".+"))
    .map((expr) => expr.replaceAll(gauges, "last_over_time($&[1m])"));
}

describe("metrics while a test runs", () => {
  test.runIf(hasPrometheus)("agree with what a real Prometheus has of the run in the end", async () => {
    const target = `127.0.0.1:${await freePort()}`;
    const [server, prometheus] = await Promise.all([startServer(), startPrometheus(target)]);
    const { result, stderr } = await runForResult([
      server.url,
      "-c",
      "2",
      "-d",
      "1500ms",
      "--out",
      `prometheus=${target}`,
    ]);
    expect(stderr).toContain(`metrics for Prometheus at http://${target}/metrics`);
    expect(result.notes).toEqual([]);
    expect(result.exitCode).toBe(0);
    const requests = result.metrics["http_reqs"];
    expect(requests?.values).toMatchObject({
      count: await prometheus.value("last_over_time(bearhug_http_requests_total[1m])"),
    });
    const times = z.record(z.string(), z.number()).parse(result.metrics["http_req_duration"]?.values);
    for (const percent of [50, 90, 95, 99]) {
      const buckets = "last_over_time(bearhug_http_request_duration_seconds_bucket[1m])";
      const found = await prometheus.value(`histogram_quantile(${percent / 100}, ${buckets})`);
      const [above, upTo] = bucketOf((times[`p(${percent})`] ?? Number.NaN) / 1000);
      expect(found).toBeGreaterThanOrEqual(above);
      expect(found).toBeLessThanOrEqual(upTo);
    }
    for (const expression of dashboardExpressions())
      expect([expression, await prometheus.value(expression)]).toEqual([expression, expect.any(Number)]);
  });

  test("do not affect a run if their collector is down, and the result says so", async () => {
    const { url } = await startServer();
    const host = `127.0.0.1:${await freePort()}`;
    const json = join(temporaryFolder(), "result.json");
    const ended = await startBearhug(
      [url, "-c", "1", "-d", "500ms", "--out", `otlp=http://${host}`, "--out", `json=${json}`],
      undefined,
      { OTEL_EXPORTER_OTLP_TIMEOUT: "300" },
    );
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(ended.stderr).toMatch(/an OTLP export to 127\.0\.0\.1:\d+ failed: .+\. The run goes on\./);
    expect(readResult(json, ended)).toMatchObject({
      verdict: "passed",
      messages: [],
      notes: [expect.stringMatching(/^no OTLP export reached 127\.0\.0\.1:\d+ \(.+\)$/)],
    });
  });

  test("are refused with one sentence if they cannot be served or sent", async () => {
    const server = await startServer();
    const taken = new URL(server.url).host;
    const inUse = await startBearhug([server.url, "--out", `prometheus=${taken}`]);
    expect(inUse.exitCode).toBe(104);
    const port = Number(new URL(server.url).port);
    expect(inUse.stderr.split("\n")).toContain(
      `bearhug: --out prometheus=${taken}: port ${port} of 127.0.0.1 is in use. Choose another one: --out prometheus=127.0.0.1:${port + 1}.`,
    );
    expect(server.total()).toBe(0);
    const unfit = await startBearhug(["sweep", server.url, "--vus", "1,2", "--out", "otlp"]);
    expect(unfit.exitCode).toBe(104);
    expect(unfit.stderr).toContain("--out otlp: only bearhug run, <url>, and ab-test support it.");
  });
});
