// Do requests time out on time? 500 requests each with timeouts of 50, 200 and 1,000 ms, spread over fifteen
// seconds, to a server that never responds, on HTTP/1.1 and HTTP/2: none early, none more than 10 ms late.
// The test itself measures, from before its call. For comparison, it prints how late Node's timers of the
// same length are in the same thread: their delay is the machine's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { TestResult } from "bearhug";

import { runTest } from "./bench-process.ts";

const timeoutsMs = [50, 200, 1000] as const;
const count = 500;
const measuredS = 15;
/** The time until both sides have compiled their code. */
const warmupS = 3;
const mostLateMs = 10;

/** Offsets the start of the three, so that they do not send at the same moments. */
const apartMs = 7;

function sourceOf(protocol: string, url: string): string {
  const each = (text: (timeoutMs: number, at: number) => string): string =>
    timeoutsMs.map((timeoutMs, at) => text(timeoutMs, at)).join("\n");
  return `import { defineTest } from "@bearhug/sdk";
const request = async (http, timeoutMs) => {
  const { error } = await http.get("/", { timeout: timeoutMs });
  if (error?.code !== "RESPONSE_TIMEOUT") throw new Error(error?.message ?? "answered");
};
const timer = (_http, timeoutMs) => new Promise((resolve) => setTimeout(resolve, timeoutMs));
const late = (wait, timeoutMs, name) => async ({ http, metrics }) => {
  const calledAt = performance.now();
  await wait(http, timeoutMs);
  const lateMs = performance.now() - calledAt - timeoutMs;
  metrics[name].add(Math.max(0, lateMs));
  if (wait === request) metrics.early.add(Math.max(0, -lateMs));
};
const times = (rate, duration) => ({ executor: "constant-arrival-rate", rate, timeUnit: duration, duration });
export default defineTest({
  baseUrl: "${url}",
  http: { protocol: "${protocol}" },
  metrics: { early: { type: "trend" }, warm: { type: "trend" }, ${each((ms) => `request_${ms}: { type: "trend" }, timer_${ms}: { type: "trend" },`)} },
  scenarios: {
    warm: { ...times(200, "${warmupS}s"), exec: late(request, ${timeoutsMs[0]}, "warm") },
    ${each((ms, at) => {
      const startMs = (warmupS + 1) * 1000 + at * apartMs;
      const options = `...times(${count}, "${measuredS}s"), startTime: "${startMs}ms"`;
      return `request_${ms}: { ${options}, exec: late(request, ${ms}, "request_${ms}") },
    timer_${ms}: { ${options}, exec: late(timer, ${ms}, "timer_${ms}") },`;
    })}
  },
});`;
}

/** How late the samples of a metric were, in ms. */
interface Lateness {
  readonly count: number;
  readonly least: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

function latenessOf({ metrics }: TestResult, name: string): Lateness {
  const metric = metrics[name];
  if (metric?.type !== "trend") throw new Error(`${name}: nothing was measured`);
  const { count, min, max, "p(50)": p50, "p(99)": p99 } = metric.values;
  const figure = (value: number | undefined): number => value ?? Number.NaN;
  return { count, least: figure(min), p50: figure(p50), p99: figure(p99), most: figure(max) };
}

const words = ({ least, p50, p99, most }: Lateness): string =>
  `earliest ${least.toFixed(2)}, p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)}, latest ${most.toFixed(2)} ms`;

const program = fileURLToPath(new URL("silent-server.ts", import.meta.url));
const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
const urls = JSON.parse(line) as Readonly<Record<"http1" | "h2c", string>>;

let isHeld = true;
for (const protocol of ["http1", "h2c"] as const) {
  const { result } = await runTest(sourceOf(protocol, urls[protocol]), "--workers", "1");
  const { most: earlyMs } = latenessOf(result, "early");
  if (earlyMs !== 0) {
    isHeld = false;
    console.log(`${protocol}: early by up to ${earlyMs} ms`);
  }
  for (const timeoutMs of timeoutsMs) {
    const requests = latenessOf(result, `request_${timeoutMs}`);
    const timers = latenessOf(result, `timer_${timeoutMs}`);
    if (!(requests.count === count && requests.most <= mostLateMs)) isHeld = false;
    console.log(
      `${protocol}, ${requests.count} of ${timeoutMs} ms, late by: ${words(requests)}; timers: ${words(timers)}`,
    );
  }
}
child.kill();
console.log(
  isHeld ? `none early, none more than ${mostLateMs} ms late` : `early, or beyond ${mostLateMs} ms`,
);
process.exitCode = isHeld ? 0 : 1;
