import { describe, expect, test } from "vitest";

import { expectBalanced } from "../end-to-end/expect-balanced.ts";
import { runForResult } from "../end-to-end/run-bearhug.ts";
import { hasOpenssl } from "../../../http/test/make-certificate.ts";
import { requestsPerConnection, type LogLine } from "./access-log.ts";
import { expectLogToAgree } from "./expect-log-to-agree.ts";
import { runTest } from "./run-test.ts";
import { hasNginx, startNginx } from "./start-nginx.ts";

function ofScenario(log: readonly LogLine[], name: string): readonly LogLine[] {
  return log.filter(({ query }) => query === name);
}

describe.skipIf(!hasNginx || !hasOpenssl)("TLS to nginx (needs nginx, openssl)", () => {
  test("each scenario uses the protocol that it requires, or the one that was negotiated", async () => {
    const nginx = await startNginx({ isSecure: true });
    const { folder, tlsPort, h2Port } = nginx.site;
    const visit = (port: number): string => `executor: "per-vu-iterations", vus: 3, iterations: 20,
      exec: async ({ http, scenario }) => { await http.get("https://localhost:${port}/?" + scenario.name); }`;
    const { exitCode, result } = await runTest(
      nginx.url,
      {
        scenarios: `
          autoBoth: { ${visit(h2Port)} },
          autoOld: { ${visit(tlsPort)} },
          http1: { http: { protocol: "http1" }, ${visit(h2Port)} },
          http2: { http: { protocol: "http2" }, ${visit(h2Port)} }`,
      },
      "--ca",
      `${folder}/cert.pem`,
    );
    const log = await nginx.quit();
    expect(exitCode).toBe(0);
    for (const [name, protocol] of [
      ["autoBoth", "HTTP/2"],
      ["autoOld", "HTTP/1.1"],
      ["http1", "HTTP/1.1"],
      ["http2", "HTTP/2"],
    ] as const) {
      const lines = ofScenario(log, name);
      expect(new Set(lines.map((line) => line.protocol)), name).toEqual(new Set([protocol]));
      expect(requestsPerConnection(lines), name).toEqual([20, 20, 20]);
    }
    expectLogToAgree(result, log);
  });

  test("each virtual user resumes its own sessions, unless the test turns that off", async () => {
    const nginx = await startNginx({ isSecure: true });
    const { folder, tlsPort, h2Port } = nginx.site;
    const visit = (
      port: number,
      tls: string,
    ): string => `executor: "per-vu-iterations", vus: 2, iterations: 10,
      http: { connections: "perRequest", tls: { ca: "${folder}/cert.pem", ${tls} } },
      exec: async ({ http, scenario }) => { await http.get("https://localhost:${port}/?" + scenario.name); }`;
    const { result } = await runTest(nginx.url, {
      scenarios: `
        tls13: { ${visit(tlsPort, "")} },
        tls12: { ${visit(tlsPort, `maxVersion: "1.2"`)} },
        http2: { ${visit(h2Port, "")} },
        never: { ${visit(tlsPort, "resumeSessions: false")} }`,
    });
    const log = await nginx.quit();
    for (const name of ["tls13", "tls12", "http2", "never"]) {
      const lines = ofScenario(log, name);
      expect(requestsPerConnection(lines), name).toHaveLength(20);
      expect(lines.filter(({ isResumed }) => isResumed).length, name).toBe(name === "never" ? 0 : 18);
    }
    expectLogToAgree(result, log);
  });

  test("requests that require HTTP/2 fail and are not sent if nginx does not offer it", async () => {
    const nginx = await startNginx({ isSecure: true });
    const { folder, tlsPort } = nginx.site;
    const { exitCode, result } = await runForResult([
      `https://localhost:${tlsPort}/`,
      "-n",
      "6",
      "-c",
      "3",
      "--protocol",
      "http2",
      "--ca",
      `${folder}/cert.pem`,
    ]);
    const log = await nginx.quit();
    expect(exitCode).toBe(99);
    expect(log).toEqual([]);
    expect(result.errors).toMatchObject([{ code: "TLS_ALPN_MISMATCH", count: 6 }]);
    expectBalanced(result);
  });
});
