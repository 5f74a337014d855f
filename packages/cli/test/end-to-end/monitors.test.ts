import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runForResult, temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("a run shows the load of its server; a monitor that fails leaves a gap and does not fail the run", async () => {
  let scrapes = 0;
  const exporter = await startServer((_request, response) => {
    scrapes++;
    response.end(
      [
        `node_cpu_seconds_total{cpu="0",mode="idle"} ${scrapes}`,
        `node_cpu_seconds_total{cpu="0",mode="user"} ${scrapes * 3}`,
        "# TYPE depth gauge",
        'depth{queue="mail"} 7',
        "",
      ].join("\n"),
    );
  });
  const { url } = await startServer();
  const { result, stderr } = await runForResult([
    url,
    "-c",
    "1",
    "-d",
    "2s",
    "--monitor",
    `${exporter.url},depth,absent`,
    "--monitor",
    "dead=http://127.0.0.1:9",
    "--monitor-pid",
    `app=${process.pid}`,
  ]);
  expect(result.verdict).toBe("passed");
  const [server, dead, app] = result.monitors;
  expect(server).toMatchObject({ name: "server", source: `${exporter.url}/metrics`, gaps: [] });
  expect(server?.gauges.map(({ metric }) => metric)).toEqual(["server.cpu", "server.depth"]);
  const [cpu] = server?.gauges ?? [];
  expect(cpu?.values).toEqual({ value: 75, avg: 75, min: 75, max: 75 });
  expect(cpu?.points.slice(0, 2)).toEqual([75, 75]);
  expect(cpu?.points).toHaveLength(result.intervals.length);
  expect(result.metrics["server.depth"]?.values).toEqual({ value: 7, avg: 7, min: 7, max: 7 });
  expect(dead).toEqual({
    name: "dead",
    source: "http://127.0.0.1:9/metrics",
    gauges: [],
    gaps: [{ fromMs: 0, toMs: 2000, reason: "it refused the connection" }],
  });
  expect(app?.gauges.map(({ metric }) => metric)).toContain("app.process_cpu");
  expect(stderr).toContain("monitor server: " + `${exporter.url}/metrics has no absent`);
  expect(stderr.match(/monitor dead has a gap/g)).toHaveLength(1);
});

test("a load waits until its monitors can be read", async () => {
  const { url } = await startServer();
  // The monitors' thread starts as late as on a busy machine.
  const path = join(temporaryFolder(), "late.cjs");
  writeFileSync(
    path,
    `const { isMainThread, workerData } = require("node:worker_threads");
     const isMonitors = !isMainThread && workerData?.requests !== undefined;
     if (isMonitors) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);`,
  );
  const { result, stderr } = await runForResult(
    [url, "-c", "1", "-d", "2s", "--monitor-pid", `app=${process.pid}`],
    { NODE_OPTIONS: `--require ${path}` },
  );
  const reasons = result.monitors.flatMap(({ gaps }) => gaps.map(({ reason }) => reason));
  expect(reasons, stderr).not.toContain("the load generator was too busy to read it");
  expect(result.monitors[0]?.gauges.map(({ metric }) => metric)).toContain("app.process_cpu");
});
