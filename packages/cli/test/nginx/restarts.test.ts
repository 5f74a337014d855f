import { setTimeout as sleep } from "node:timers/promises";
import { statSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { expectBalanced, sum } from "../end-to-end/expect-balanced.ts";
import { runTest } from "./run-test.ts";
import { hasNginx, startNginx, type Nginx } from "./start-nginx.ts";

const load = (url: string, http: string): string => `{
  executor: "constant-vus", vus: 4, duration: "3s", http: ${http},
  exec: async ({ http, check, sleep }) => {
    check(await http.get("${url}/", { retryOnStaleConnection: true }), { "answered": (r) => r.status === 200 });
    await sleep("2ms");
  },
}`;

/** Applies load over both protocols, causes an event after a second, and returns the result and the log. */
async function runThrough(event: (nginx: Nginx) => Promise<void>) {
  const nginx = await startNginx();
  const running = runTest(nginx.url, {
    scenarios: `
      plain: ${load(nginx.url, "{}")},
      streams: ${load(`http://127.0.0.1:${nginx.site.h2cPort}`, `{ protocol: "h2c" }`)}`,
  });
  const log = `${nginx.site.folder}/access.log`;
  const deadline = performance.now() + 20_000;
  while (statSync(log).size === 0 && performance.now() < deadline) await sleep(20);
  await sleep(1000);
  await event(nginx);
  const { result } = await running;
  expectBalanced(result);
  return { result, log: await nginx.quit(), codes: new Set(result.errors.map(({ code }) => code)) };
}

describe.skipIf(!hasNginx)("nginx in the middle of a run (needs nginx)", () => {
  test("may be reloaded: requests that it did not process are recognized, and retried if the test allows it", async () => {
    const { result, log, codes } = await runThrough(async (nginx) => {
      nginx.reload();
      await sleep(500);
      nginx.reload();
    });
    expect([...codes].filter((code) => code !== "STALE_CONNECTION" && code !== "H2_GOAWAY")).toEqual([]);
    expect(sum(result, "succeeded")).toBe(log.length);
    for (const { fails } of result.checks) expect(fails).toBe(0);
    expect(sum(result, "sent")).toBe(log.length + sum(result, "failed"));
  });

  test("may be gone for a while: requests fail meanwhile, and succeed again when it is back", async () => {
    let loggedBefore = 0;
    const { result, log, codes } = await runThrough(async (nginx) => {
      await nginx.kill();
      loggedBefore = statSync(`${nginx.site.folder}/access.log`).size;
      await sleep(500);
      await nginx.start();
    });
    expect(codes).toContain("CONNECTION_REFUSED");
    expect(loggedBefore).toBeGreaterThan(0);
    expect(sum(result, "succeeded")).toBeLessThanOrEqual(log.length);
    expect(sum(result, "sent")).toBeGreaterThanOrEqual(log.length);
    const refusedUntil = Math.max(...result.errors.map(({ firstAtMs }) => firstAtMs));
    const after = result.intervals.filter(({ atMs, widthMs }) => atMs - widthMs > refusedUntil + 500);
    expect(after.some((interval) => interval.http_reqs > interval.http_reqs_failed)).toBe(true);
  });
});
