import { randomBytes } from "node:crypto";

import { describe, expect, test } from "vitest";

import { runForResult } from "../end-to-end/run-bearhug.ts";
import { requestsPerConnection } from "./access-log.ts";
import { expectBytesToAgree, expectLogToAgree } from "./expect-log-to-agree.ts";
import { expectChecksToHold, runTest } from "./run-test.ts";
import { hasNginx, startNginx } from "./start-nginx.ts";

describe.skipIf(!hasNginx)("HTTP/1.1 at nginx (needs nginx)", () => {
  test("a counted run agrees with nginx's log in every request, connection and byte", async () => {
    const nginx = await startNginx();
    const { exitCode, result } = await runForResult([`${nginx.url}/`, "-n", "2001", "-c", "7"]);
    const log = await nginx.quit();
    expect(exitCode).toBe(0);
    expect(log).toHaveLength(2001);
    expect(requestsPerConnection(log)).toHaveLength(7);
    expectLogToAgree(result, log);
    expectBytesToAgree(result, log);
  });

  test("gzip and chunked bodies are decoded, and counted by their bytes on the wire", async () => {
    const files = { "words.txt": "again and again ".repeat(4096), "noise.txt": randomBytes(4_000_000) };
    const nginx = await startNginx({ files });
    const ran = await runTest(nginx.url, {
      http: `{ headers: { "accept-encoding": "gzip" } }`,
      scenarios: `reader: { executor: "per-vu-iterations", vus: 3, iterations: 4, exec: async ({ http, check }) => {
        check(await http.get("/zipped/words.txt"), {
          "gzip": (r) => r.headers.get("content-encoding") === "gzip",
          "in chunks": (r) => r.headers.get("transfer-encoding") === "chunked",
          "whole": (r) => r.text() === "again and again ".repeat(4096),
          "smaller on the wire": (r) => r.size.decoded === 65_536 && r.size.received < 2000,
        });
        check(await http.get("/zipped/noise.txt"), {
          "noise is whole": (r) => r.bytes().length === 4_000_000,
          "noise comes in chunks": (r) => r.headers.get("content-length") === null && r.size.body > 4_000_000,
        });
      } }`,
    });
    const log = await nginx.quit();
    expectChecksToHold(ran, 12);
    expect(log).toHaveLength(24);
    expectLogToAgree(ran.result, log);
    expectBytesToAgree(ran.result, log);
  });
});
