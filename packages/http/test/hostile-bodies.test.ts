import { Readable } from "node:stream";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, test } from "vitest";

import { throwThis, untouchable } from "../../engine/test/worker/fixtures/untouchable.ts";
import { startHttp2Server } from "./http2/http2-server.ts";
import { startServer } from "./servers.ts";
import { startClient, type TestClient } from "./start-client.ts";

const clients: Readonly<Record<string, () => Promise<TestClient>>> = {
  "HTTP/1.1": async () => startClient((await startServer((_request, response) => response.end("ok"))).url),
  "HTTP/2": async () => {
    const { port } = await startHttp2Server((response) => {
      response.end("ok");
    });
    return startClient(`http://127.0.0.1:${port}`, [], [], { ...defaultHttp, protocol: "h2c" });
  },
};

describe.each(Object.keys(clients))("over %s a body", (protocol) => {
  const start = (): Promise<TestClient> => clients[protocol]?.() ?? Promise.reject(new Error(protocol));

  test("that throws something unreadable while it is read fails its request, and no other", async () => {
    const { http, row, vu } = await start();
    async function* body(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from("some"));
      throwThis(untouchable());
    }
    const { status, error } = await http.post("/", { body: body() });
    expect([status, error?.code]).toEqual([0, "REQUEST_BODY_FAILED"]);
    expect(row("POST /")).toMatchObject({ started: 1, failed: 1 });
    expect((await http.get("/")).status).toBe(200);
    expect(vu.isIdle).toBe(true);
  });

  test("that throws as it is closed leaves no call open", async () => {
    const { http, vu } = await start();
    const body = Object.assign(new Readable({ autoDestroy: false, read: () => undefined }), {
      destroy: () => throwThis(new Error("does not close")),
    });
    body.push("some");
    body.push(null);
    await expect(http.post("/", { body })).rejects.toThrow("does not close");
    expect(vu.isIdle).toBe(true);
  });
});
