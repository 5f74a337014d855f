import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import type { MonitorResult } from "@bearhug/sdk/result";
import { describe, expect, onTestFinished, test } from "vitest";

import { readResult, runBearhug, runForResult, startBearhug, temporaryFolder } from "./run-bearhug.ts";
import { freePort } from "../free-port.ts";
import { hasPrometheus } from "./start-prometheus.ts";
import { startServer } from "./test-server.ts";

const token = "a-token-of-some-length";

/** Runs a load against a server, with one monitor, until the monitor has been read. */
async function monitored(monitor: string, environment: Readonly<Record<string, string>> = {}) {
  const { url } = await startServer();
  const untilRead = ["--threshold", "server.cpu: value<0%", "--abort-on-fail"];
  const load = [url, "-c", "1", "-d", "1m", "--monitor", monitor];
  const { result } = await runForResult([...load, ...untilRead], environment);
  return result.monitors[0];
}

/** Runs a load against a server, with one monitor, until the monitor could not be read for this reason. */
async function monitoredInVain(monitor: string, reason: string) {
  const { url } = await startServer();
  const path = join(temporaryFolder(), "result.json");
  const started = startBearhug([url, "-c", "1", "-d", "1m", "--monitor", monitor, "--out", `json=${path}`]);
  started.child.stderr.on("data", (text: string) => {
    if (text.includes(`has a gap: ${monitor}: ${reason}`)) started.child.kill("SIGINT");
  });
  return readResult(path, await started).monitors[0];
}

function reasonsOf(monitor: MonitorResult | undefined): string[] {
  return monitor?.gaps.map(({ reason }) => reason) ?? [];
}

/** Returns the reasons of gaps that are not due to a busy test machine. */
function faultsOf(monitor: MonitorResult | undefined): string[] {
  return reasonsOf(monitor).filter((reason) => reason !== "the load generator was too busy to read it");
}

async function startMonitor(
  arguments_: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const started = startBearhug(["monitor", "--listen", "127.0.0.1:0", ...arguments_], undefined, environment);
  const [line] = (await once(started.child.stdout, "data")) as [Buffer | string];
  onTestFinished(async () => {
    started.child.kill("SIGTERM");
    expect((await started).exitCode).toBe(0);
  });
  return String(line).trim().replace("bearhug monitor on ", "");
}

/** Returns the faults that Prometheus's own tool finds, except names that node_exporter uses, too. */
function complaintsOf(text: string): string[] {
  const { stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  return [...stdout.split("\n"), ...stderr.split("\n")].filter(
    (line) => line !== "" && !line.includes("'camelCase'"),
  );
}

describe("bearhug monitor", () => {
  test("serves the machine's load, and that of a process, to a run and to Prometheus", async () => {
    const url = await startMonitor(["--pid", String(process.pid)]);
    const text = await (await fetch(url)).text();
    if (hasPrometheus) expect(complaintsOf(text)).toEqual([]);
    const monitor = await monitored(url);
    expect(faultsOf(monitor)).toEqual([]);
    const gauges = new Map(monitor?.gauges.map(({ metric, values }) => [metric, values]));
    expect(gauges.get("server.cpu")?.avg).toBeGreaterThan(0);
    expect(gauges.get("server.cpu")?.max).toBeLessThanOrEqual(100);
    expect(gauges.get("server.memory")?.min).toBeGreaterThan(1e6);
    expect(gauges.get("server.process_memory")?.min).toBeGreaterThan(1e6);
    expect(gauges.get("server.process_cpu")?.min).toBeGreaterThanOrEqual(0);
  });

  test("answers no request without its token", async () => {
    const url = await startMonitor([], { BEARHUG_TOKEN: token });
    const statusFor = async (authorization: string): Promise<number> => {
      const response = await fetch(url, { headers: { authorization } });
      await response.text();
      return response.status;
    };
    expect(await statusFor("Bearer another-token-of-length")).toBe(401);
    expect(await statusFor("")).toBe(401);
    expect(await statusFor(`Bearer ${token}`)).toBe(200);
    const reason = "it answered 401 Unauthorized: set BEARHUG_MONITOR_TOKEN to the monitor's token";
    const refused = await monitoredInVain(url, reason);
    // On a busy machine, other seconds have gaps because they were read late.
    expect(refused?.gaps.at(0)?.fromMs).toBe(0);
    expect(reasonsOf(refused)).toContain(reason);
    expect(refused?.gauges).toEqual([]);
    const shown = await monitored(url, { BEARHUG_MONITOR_TOKEN: token });
    expect(reasonsOf(shown)).not.toContain(reason);
    expect(shown?.gauges).not.toEqual([]);
    expect(JSON.stringify(shown)).not.toContain(token);
  });

  test("needs a token where other machines can read it, and a port that is free", async () => {
    const open = await runBearhug(["monitor", "--listen", "0.0.0.0:0"]);
    expect(open.exitCode).toBe(104);
    expect(open.stderr).toBe(
      "bearhug: --listen 0.0.0.0:0: other machines can read this, so it needs a token. Set BEARHUG_TOKEN, or name a file with --token-file.\n",
    );
    const { port } = new URL((await startServer()).url);
    const taken = await runBearhug(["monitor", "--listen", `127.0.0.1:${port}`]);
    expect(taken.exitCode).toBe(104);
    expect(taken.stderr).toBe(`bearhug: --listen 127.0.0.1:${port}: the port is in use. Choose another.\n`);
  });
});

const hasNodeExporter = process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || canRunNodeExporter();

function canRunNodeExporter(): boolean {
  try {
    execFileSync("prometheus-node-exporter", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.runIf(hasNodeExporter)("a run reads the load of the machine from a real node_exporter", async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn("prometheus-node-exporter", [`--web.listen-address=${address}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await new Promise<void>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes("Listening on")) resolve();
    });
  });
  const monitor = await monitored(`http://${address},node_load1`);
  expect(faultsOf(monitor)).toEqual([]);
  const gauges = new Map(monitor?.gauges.map(({ metric, values }) => [metric, values]));
  expect([...gauges.keys()]).toEqual(
    expect.arrayContaining([
      "server.cpu",
      "server.descriptors",
      "server.memory",
      "server.memory_percent",
      "server.node_load1",
      "server.sockets",
    ]),
  );
  expect(gauges.get("server.cpu")?.avg).toBeGreaterThan(0);
  expect(gauges.get("server.memory_percent")?.max).toBeLessThan(100);
});
