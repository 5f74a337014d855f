import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { response } from "../../../http/test/http2/raw-frames.ts";
import { startRawHttp2Server } from "../../../http/test/http2/raw-http2-server.ts";
import { startClient } from "../../../http/test/start-client.ts";
import { expectNothingLeft } from "./active-resources.ts";
import { http2Faults } from "./http2-faults.ts";

describe.each(["bearhug", "undici"] as const)("a fault of HTTP/2 over transport %s", (transport) => {
  test.each(http2Faults)("($name) is $code while $phase", async (row) => {
    expectNothingLeft();
    const { greeting, answer, code, cause, phase, says, timeout = 5000 } = row;
    const server = await startRawHttp2Server({ ...(greeting === undefined ? {} : { greeting }), answer });
    const client = startClient(`http://${server.host}:${server.port}`, [], [], {
      ...defaultHttp,
      protocol: "h2c",
      transport,
    });
    const began = performance.now();
    const failed = await client.http.get("/", { timeout });
    const tookMs = performance.now() - began;
    const error = { code, phase, ...(cause ? { cause } : {}) };
    expect(failed.error, failed.error?.message).toMatchObject(error);
    expect(failed.error?.message ?? "").toContain(says ?? "");
    expect(failed.status).toBe(0);
    expect(tookMs).toBeLessThan(4000);
    expect(client.row(ownWords`GET /`)).toMatchObject({
      started: 1,
      sent: 1,
      succeeded: 0,
      failed: 1,
      interrupted: 0,
    });
    expect(client.metric("http_reqs")).toMatchObject({ total: 1 });
    expect(client.metric("http_req_duration")).toMatchObject({ count: 1 });
    expect(client.engine.errors.all()).toMatchObject([{ code, count: 1 }]);
  });

  test("does not affect the next request, which gets its own stream, on another connection if necessary", async () => {
    expectNothingLeft();
    const quick = http2Faults.filter(
      ({ greeting, timeout }) => greeting === undefined && timeout === undefined,
    );
    const server = await startRawHttp2Server({
      answer: (id, count) => {
        const fault = quick[count - 1];
        return fault === undefined ? [response(id, 200, `next ${count}`)] : fault.answer(id);
      },
    });
    const client = startClient(`http://${server.host}:${server.port}`, [], [], {
      ...defaultHttp,
      protocol: "h2c",
      transport,
    });
    const outcomes: string[] = [];
    for (let count = 1; count <= quick.length + 3; count++) {
      const got = await client.http.get("/", { timeout: 500 });
      outcomes.push(got.error === null ? got.text() : got.error.code);
    }
    expect(outcomes.slice(-3)).toEqual([1, 2, 3].map((more) => `next ${quick.length + more}`));
    const counts = client.row(ownWords`GET /`);
    expect(counts?.started).toBe(quick.length + 3);
    expect(counts?.started).toBe((counts?.succeeded ?? 0) + (counts?.failed ?? 0));
  });
});
