import { readdirSync, readFileSync, truncateSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { requestsPerConnection } from "./access-log.ts";
import { countOf, expectBytesToAgree, expectLogToAgree } from "./expect-log-to-agree.ts";
import { expectChecksToHold, runTest } from "./run-test.ts";
import { hasNginx, startNginx } from "./start-nginx.ts";

const hundredMegabytes = 100_000_000;

const protocols = [
  { protocol: "http1", port: "plainPort" },
  { protocol: "h2c", port: "h2cPort" },
] as const;

describe.skipIf(!hasNginx).for(protocols)(
  "responses of nginx over $protocol (needs nginx)",
  ({ protocol, port }) => {
    test("responses without a body, and those with an error status, leave the connection usable", async () => {
      const nginx = await startNginx({ files: { "page.txt": "page\n" } });
      const ran = await runTest(`http://127.0.0.1:${nginx.site[port]}`, {
        http: `{ protocol: "${protocol}" }`,
        scenarios: `odd: { executor: "per-vu-iterations", vus: 3, iterations: 10, exec: async ({ http, check }) => {
        const page = await http.get("/static/page.txt");
        const modified = page.headers.get("last-modified") ?? "";
        const head = await http.head("/static/page.txt");
        const none = await http.get("/none");
        const same = await http.get("/static/page.txt", { headers: { "if-modified-since": modified } });
        const missing = await http.get("/static/missing.txt", { expect: 404 });
        check([page, head, none, same, missing], {
          "statuses": (all) => all.map(({ status }) => status).join() === "200,200,204,304,404",
          "lengths": () => head.headers.get("content-length") === "5" && head.size.body === 0 && none.size.body === 0,
        });
      } }`,
      });
      const log = await nginx.quit();
      expectChecksToHold(ran, 30);
      expect(log).toHaveLength(150);
      expect(requestsPerConnection(log)).toEqual([50, 50, 50]);
      expectLogToAgree(ran.result, log);
      if (protocol === "http1") expectBytesToAgree(ran.result, log);
    });

    test("an upload that nginx rejects before it has arrived gets its response, and so does the next request", async () => {
      const nginx = await startNginx();
      const ran = await runTest(`http://127.0.0.1:${nginx.site[port]}`, {
        http: `{ protocol: "${protocol}" }`,
        scenarios: `uploader: { executor: "per-vu-iterations", vus: 2, iterations: 5, exec: async ({ http, check }) => {
        const body = new Uint8Array(1_000_000);
        check(await http.post("/upload", { body, expect: 413 }), {
          "too large": (r) => r.status === 413 && r.text().includes("413"),
        });
        check(await http.get("/"), { "goes on": (r) => r.status === 200 });
      } }`,
      });
      const log = await nginx.quit();
      expectChecksToHold(ran, 10);
      expect(log).toHaveLength(20);
      expectLogToAgree(ran.result, log);
    });

    test("uploads arrive whole, from memory and as streams of known and unknown length", async () => {
      const nginx = await startNginx();
      const ran = await runTest(`http://127.0.0.1:${nginx.site[port]}`, {
        http: `{ protocol: "${protocol}" }`,
        scenarios: `uploader: { executor: "per-vu-iterations", vus: 2, iterations: 2, exec: async ({ http, check, vu, iteration }) => {
        const file = (kind: string) => "/kept/" + [kind, vu.id, iteration.indexInVu].join("-");
        const piece = new Uint8Array(100_000).fill(97);
        async function* pieces() { for (let n = 0; n < 30; n++) yield piece; }
        const all = [
          await http.put(file("memory"), { body: new Uint8Array(3_000_000).fill(97) }),
          await http.put(file("stream"), { body: pieces(), headers: { "content-length": "3000000" } }),
          await http.put(file("chunks"), { body: pieces() }),
        ];
        check(all, { "created": () => all.every(({ status }) => status === 201) });
      } }`,
      });
      const log = await nginx.quit();
      expectChecksToHold(ran, 4);
      const names = readdirSync(`${nginx.site.folder}/kept`);
      expect(names).toHaveLength(12);
      for (const name of names) {
        expect(
          readFileSync(`${nginx.site.folder}/kept/${name}`).equals(Buffer.alloc(3_000_000, "a")),
          name,
        ).toBe(true);
      }
      expectLogToAgree(ran.result, log);
      if (protocol === "http1") expectBytesToAgree(ran.result, log);
    });

    test("a response of 100 MB is received and discarded", async () => {
      const nginx = await startNginx({ files: { "large.bin": "" } });
      truncateSync(`${nginx.site.folder}/static/large.bin`, hundredMegabytes);
      const ran = await runTest(`http://127.0.0.1:${nginx.site[port]}`, {
        http: `{ protocol: "${protocol}", discardBodies: true }`,
        scenarios: `large: { executor: "per-vu-iterations", vus: 2, iterations: 1, exec: async ({ http, check }) => {
        check(await http.get("/static/large.bin"), { "whole": (r) => r.size.body === ${hundredMegabytes} });
      } }`,
      });
      const log = await nginx.quit();
      expectChecksToHold(ran, 2);
      expect(countOf(ran.result, "data_received")).toBeGreaterThan(2 * hundredMegabytes);
      expectLogToAgree(ran.result, log);
      if (protocol === "http1") expectBytesToAgree(ran.result, log);
    });
  },
);
