import { describe, expect, test } from "vitest";

import { expectBalanced, sum } from "../end-to-end/expect-balanced.ts";
import { runForResult } from "../end-to-end/run-bearhug.ts";
import { requestsPerConnection } from "./access-log.ts";
import { expectBytesToAgree, expectLogToAgree } from "./expect-log-to-agree.ts";
import { runTest } from "./run-test.ts";
import { hasNginx, startNginx } from "./start-nginx.ts";

describe.skipIf(!hasNginx)("connections that nginx ends (needs nginx)", () => {
  test.for([
    { protocol: "http1", port: "plainPort" },
    { protocol: "h2c", port: "h2cPort" },
  ] as const)("after 50 requests are replaced by new ones, over $protocol", async ({ protocol, port }) => {
    const nginx = await startNginx({ directives: "keepalive_requests 50;" });
    const url = `http://127.0.0.1:${nginx.site[port]}/`;
    const { exitCode, result } = await runForResult([url, "-n", "1001", "-c", "4", "--protocol", protocol]);
    const log = await nginx.quit();
    expect(exitCode).toBe(0);
    expect(log).toHaveLength(1001);
    expect(Math.max(...requestsPerConnection(log))).toBe(50);
    expect(requestsPerConnection(log).length).toBeLessThan(21 + 4);
    expectLogToAgree(result, log);
  });

  test.for([
    { transport: "bearhug", atMost: 50 },
    { transport: "undici", atMost: 28 },
  ] as const)(
    "with open streams lose no request: those that nginx did not process are retried ($transport)",
    async ({ transport, atMost }) => {
      const nginx = await startNginx({ directives: `keepalive_requests ${atMost};` });
      const { result } = await runTest(`http://127.0.0.1:${nginx.site.h2cPort}`, {
        http: `{ protocol: "h2c", connections: "shared", transport: "${transport}" }`,
        scenarios: `many: { executor: "per-vu-iterations", vus: 15, iterations: 100, exec: async ({ http }) => {
        await http.post("/", { retryOnStaleConnection: true, throwOnError: true });
      } }`,
      });
      const log = await nginx.quit();
      const unprocessed = result.errors.filter(({ code }) => code === "H2_GOAWAY");
      expect(result.errors).toEqual(unprocessed);
      const retried = unprocessed.reduce((total, { count }) => total + count, 0);
      expect(retried).toBeGreaterThan(0);
      expect(result.accounting.iterations).toMatchObject({ completed: 1500, failed: 0 });
      expect(log).toHaveLength(1500);
      expect(sum(result, "sent")).toBe(1500 + retried);
      expect(Math.max(...requestsPerConnection(log))).toBe(atMost);
      expectBalanced(result);
    },
  );

  test("after each response are replaced by new ones", async () => {
    const nginx = await startNginx({ directives: "keepalive_timeout 0;" });
    const { result } = await runForResult([`${nginx.url}/`, "-n", "300", "-c", "4"]);
    const log = await nginx.quit();
    expect(requestsPerConnection(log)).toHaveLength(300);
    expectLogToAgree(result, log);
  });

  test("while idle are not used for the next request", async () => {
    const nginx = await startNginx({ directives: "keepalive_timeout 2s;" });
    const h2c = `http://127.0.0.1:${nginx.site.h2cPort}`;
    const visit = (url: string): string => `executor: "per-vu-iterations", vus: 15, iterations: 2,
      exec: async ({ http, iteration, sleep }) => {
        if (iteration.indexInVu > 0) await sleep("2.6s");
        await http.get("${url}/");
        await http.get("${url}/");
      }`;
    const { result } = await runTest(nginx.url, {
      scenarios: `plain: { ${visit(nginx.url)} }, streams: { http: { protocol: "h2c" }, ${visit(h2c)} }`,
    });
    const log = await nginx.quit();
    for (const protocol of ["HTTP/1.1", "HTTP/2"]) {
      const counts = requestsPerConnection(log.filter((line) => line.protocol === protocol));
      expect(counts).toEqual(Array.from({ length: 30 }, () => 2));
    }
    expectLogToAgree(result, log);
  });

  test("are used for exactly as long as nginx promised to keep them, however short", async () => {
    const nginx = await startNginx({ directives: "keepalive_timeout 1s 1s;" });
    const { result } = await runTest(nginx.url, {
      scenarios: `brisk: { executor: "per-vu-iterations", vus: 5, iterations: 3, exec: async ({ http, sleep }) => {
        for (let n = 0; n < 20; n++) await http.get("/");
        await sleep("1.2s");
      } }`,
    });
    const log = await nginx.quit();
    expect(requestsPerConnection(log).length).toBeGreaterThanOrEqual(15);
    // A machine that stands still for half a second costs a connection.
    expect(requestsPerConnection(log).length).toBeLessThan(60);
    expectLogToAgree(result, log);
    expectBytesToAgree(result, log);
  });
});
