import { readOpenFilesLimit } from "@bearhug/engine/health/open-files";
import { describe, expect, test } from "vitest";

import { requestsPerConnection } from "./access-log.ts";
import { expectBytesToAgree, expectLogToAgree } from "./expect-log-to-agree.ts";
import { runTest } from "./run-test.ts";
import { hasNginx, startNginx } from "./start-nginx.ts";

const connections = 10_000;
/** The files that bearhug and nginx may each have open: one for each connection, and some others. */
const openFiles = connections + 500;
const canOpenThem = (readOpenFilesLimit() ?? 0) >= openFiles;

describe.skipIf(!hasNginx || !canOpenThem)(
  `10,000 connections (needs nginx, and ulimit -n ${openFiles})`,
  () => {
    test("are open at once, one for each virtual user, and nothing is lost", async () => {
      const nginx = await startNginx();
      const { exitCode, result } = await runTest(nginx.url, {
        scenarios: `many: {
          executor: "per-vu-iterations", vus: ${connections}, iterations: 1,
          exec: async ({ http, sleep, vu }) => {
            await http.get("/");
            await sleep("8s");
            await http.get("/none");
          },
        }`,
      });
      const log = await nginx.quit();
      expect(exitCode).toBe(0);
      expect(requestsPerConnection(log)).toEqual(Array.from({ length: connections }, () => 2));
      expect(result.metrics["connections_open"]).toMatchObject({ values: { max: connections } });
      expectLogToAgree(result, log);
      expectBytesToAgree(result, log);
    });
  },
);
