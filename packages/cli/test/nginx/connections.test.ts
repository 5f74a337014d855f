import { describe, expect, test } from "vitest";

import { requestsPerConnection } from "./access-log.ts";
import { expectBytesToAgree, expectLogToAgree } from "./expect-log-to-agree.ts";
import { runTest } from "./run-test.ts";
import { hasNginx, startNginx, type Nginx } from "./start-nginx.ts";

/** A scenario for each way to share connections; the query tells them apart in the log. */
const scenarios = `
  shared: { ...load, http: { ...http, connections: "shared", maxConnections: 3 } },
  few: { ...load, http: { ...http, maxRequestsPerConnection: 10 } },
  perRequest: { ...load, http: { ...http, connections: "perRequest" } },
  perVu: { ...load, http },`;

async function visit(nginx: Nginx, protocol: "http1" | "h2c") {
  const port = protocol === "h2c" ? nginx.site.h2cPort : nginx.site.plainPort;
  const { result } = await runTest(`http://127.0.0.1:${port}`, {
    scenarios: `...((http, load) => ({ ${scenarios} }))({ protocol: "${protocol}" } as const, {
      executor: "per-vu-iterations", vus: 8, iterations: 25,
      exec: async ({ http, scenario }) => { await http.get("/?" + scenario.name); },
    } as const)`,
  });
  const log = await nginx.quit();
  const of = (name: string) => requestsPerConnection(log.filter(({ query }) => query === name));
  return { result, log, of };
}

describe.skipIf(!hasNginx)("connections to nginx (needs nginx)", () => {
  test.for(["http1", "h2c"] as const)("are shared as the test says, over %s", async (protocol) => {
    const nginx = await startNginx();
    const { result, log, of } = await visit(nginx, protocol);
    expect(of("shared").length).toBeLessThanOrEqual(3);
    expect(of("few").toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 8 }, () => 5),
      ...Array.from({ length: 16 }, () => 10),
    ]);
    expect(of("perRequest")).toEqual(Array.from({ length: 200 }, () => 1));
    expect(of("perVu")).toEqual(Array.from({ length: 8 }, () => 25));
    expect(log).toHaveLength(800);
    expectLogToAgree(result, log);
    if (protocol === "http1") expectBytesToAgree(result, log);
  });

  test("of a visitor's batch are at most six, or one if its requests are streams", async () => {
    const nginx = await startNginx({ files: { "large.bin": new Uint8Array(100_000) } });
    const h2c = `http://127.0.0.1:${nginx.site.h2cPort}`;
    const batch = (url: string): string => `executor: "per-vu-iterations", vus: 2, iterations: 4,
      exec: async ({ http }) => { await http.batch(Array.from({ length: 30 }, () => "${url}/static/large.bin")); }`;
    const { result } = await runTest(nginx.url, {
      http: "{ discardBodies: true }",
      scenarios: `six: { ${batch(nginx.url)} }, one: { http: { protocol: "h2c" }, ${batch(h2c)} }`,
    });
    const log = await nginx.quit();
    const of = (protocol: string) => requestsPerConnection(log.filter((line) => line.protocol === protocol));
    expect(of("HTTP/1.1")).toHaveLength(12);
    expect(of("HTTP/2")).toEqual([120, 120]);
    expectLogToAgree(result, log);
  });
});
