import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, onTestFinished, test } from "vitest";

import { hasOpenssl, makeCertificate } from "./make-certificate.ts";
import { startClient } from "./start-client.ts";

/**
 * Responds to each request with its path. 20 ms after the response to /one it sends an unrequested one, and
 * 20 ms after that to /last it ends the connection. It runs in its own thread, so that it goes on while the
 * client's is blocked.
 */
const source = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { certificate, sent } = workerData;
  const signal = () => Atomics.store(sent, 0, 1) === 1 && Atomics.notify(sent, 0);
  const server = (certificate === null ? require("node:net") : require("node:tls")).createServer(certificate ?? {}, (socket) => {
    socket.on("error", () => {});
    socket.setNoDelay(true);
    socket.on("data", (bytes) => {
      const path = String(bytes).split(" ")[1];
      socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: " + path.length + "\\r\\n\\r\\n" + path);
      if (path === "/one") setTimeout(() => socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: 4\\r\\n\\r\\nevil", signal), 20);
      if (path === "/last") setTimeout(() => socket.end(signal), 20);
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** Starts the server. `sent` becomes 1 when the unrequested response, or the connection's end, is sent. */
async function startServer(isSecure: boolean, sent: Int32Array): Promise<string> {
  const certificate = isSecure ? makeCertificate("IP:127.0.0.1") : null;
  const worker = new Worker(source, { eval: true, workerData: { certificate, sent } });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const [port] = (await once(worker, "message")) as [number];
  return `${isSecure ? "https" : "http"}://127.0.0.1:${port}`;
}

const transports = [
  { what: "plain", isSecure: false },
  { what: "over TLS", isSecure: true },
].filter(({ isSecure }) => hasOpenssl || !isSecure);

describe.each(transports)("unrequested bytes on an idle connection: $what", ({ isSecure }) => {
  test.each([
    ["while the client is idle", false],
    ["while the client's thread is blocked", true],
  ])("are never the next response, and are reported: %s", async (_when, isBlocked) => {
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const url = await startServer(isSecure, sent);
    const tls = { ...defaultHttp.tls, insecureSkipTlsVerify: true };
    const { http, engine, metric } = startClient(url, [], [], { ...defaultHttp, tls });
    expect((await http.get("/one")).text()).toBe("/one");
    if (isBlocked) Atomics.wait(sent, 0, 0, 10_000);
    else {
      while (sent[0] === 0) await wait(5);
      await wait(50);
    }
    for (const path of ["/two", "/three", "/four"]) expect((await http.get(path)).text()).toBe(path);
    expect(metric("connections_opened")).toMatchObject({ total: 2 });
    expect(engine.errors.all()).toMatchObject([{ code: "SURPLUS_BYTES", name: "GET /one", count: 1 }]);
  });
});

test.each(["bearhug", "undici"] as const)(
  "a request that finds its idle connection ended begins on another: transport %s",
  async (transport) => {
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const url = await startServer(false, sent);
    const { http, row, metric } = startClient(url, [], [], { ...defaultHttp, transport });
    expect((await http.get("/last")).text()).toBe("/last");
    // After a timer, the event loop reads before undici writes.
    await wait(1);
    Atomics.wait(sent, 0, 0, 10_000);
    expect((await http.get("/two")).text()).toBe("/two");
    expect(row("GET /two")).toMatchObject({ started: 1, sent: 1, succeeded: 1 });
    expect(metric("connections_opened")).toMatchObject({ total: 2 });
  },
);
