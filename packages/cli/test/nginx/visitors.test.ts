import { describe, expect, test } from "vitest";

import { expectBytesToAgree, expectLogToAgree } from "./expect-log-to-agree.ts";
import { expectChecksToHold, runTest } from "./run-test.ts";
import { hasNginx, startNginx } from "./start-nginx.ts";

describe.skipIf(!hasNginx)("visitors of nginx (needs nginx)", () => {
  test("a cookie from nginx is sent back for one iteration, for all iterations of the virtual user, or not at all", async () => {
    const nginx = await startNginx();
    const visit = `exec: async ({ http, scenario }) => {
      await http.get("/cookie?" + scenario.name);
      await http.get("/?" + scenario.name);
    }`;
    const { result } = await runTest(nginx.url, {
      scenarios: `
        each: { executor: "per-vu-iterations", vus: 2, iterations: 3, ${visit} },
        kept: { executor: "per-vu-iterations", vus: 2, iterations: 3, http: { cookies: "vu" }, ${visit} },
        off: { executor: "per-vu-iterations", vus: 2, iterations: 3, http: { cookies: "off" }, ${visit} }`,
    });
    const log = await nginx.quit();
    const withCookie = (scenario: string, path: string): number =>
      log.filter((line) => line.query === scenario && line.path === path && line.cookie !== "").length;
    expect([withCookie("each", "/cookie"), withCookie("each", "/")]).toEqual([0, 6]);
    expect([withCookie("kept", "/cookie"), withCookie("kept", "/")]).toEqual([4, 6]);
    expect([withCookie("off", "/cookie"), withCookie("off", "/")]).toEqual([0, 0]);
    for (const { cookie, connection } of log) expect(["", `visitor=v${connection}`]).toContain(cookie);
    expectLogToAgree(result, log);
    expectBytesToAgree(result, log);
  });

  test("a returning visitor revalidates a file, and takes it from its cache", async () => {
    const nginx = await startNginx({ files: { "page.txt": "a page that stays as it is\n" } });
    const ran = await runTest(nginx.url, {
      http: `{ cookies: "vu", cache: "browser" }`,
      scenarios: `returning: { executor: "per-vu-iterations", vus: 3, iterations: 5, exec: async ({ http, check, iteration }) => {
        check(await http.get("/fresh/page.txt"), {
          "whole": (r) => r.status === 200 && r.text() === "a page that stays as it is\\n",
          "from the cache": (r) => r.fromCache === iteration.indexInVu > 0,
        });
      } }`,
    });
    const log = await nginx.quit();
    expectChecksToHold(ran, 15);
    expect(log.filter(({ status }) => status === "200")).toHaveLength(3);
    expect(log.filter(({ status }) => status === "304")).toHaveLength(12);
    expectLogToAgree(ran.result, log);
    expectBytesToAgree(ran.result, log);
  });
});
