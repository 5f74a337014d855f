import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startMock } from "../../src/mock/start-mock.ts";
import { captureOf } from "./capture-of.ts";
import { fetchFrom, withMock } from "./with-mock.ts";

test("every host of the capture is served, from one address", async () => {
  const capture = captureOf([{ url: "https://shop.test/a" }, { url: "https://cdn.test/b" }]);
  await withMock(capture, async (mock) => {
    expect((await fetchFrom(mock, "/a")).status).toBe(200);
    expect((await fetchFrom(mock, "/b")).status).toBe(200);
  });
});

test("a path matches as the client sends it or as a browser would write it", async () => {
  const capture = captureOf([{ url: "https://shop.test/caf\u{e9}/x y?q={1}" }]);
  await withMock(capture, async (mock) => {
    expect((await fetchFrom(mock, "/caf%C3%A9/x%20y?q={1}")).status).toBe(200);
    expect((await fetchFrom(mock, "/other/../caf\u{e9}/x y?q={1}")).status).toBe(200);
    const { port } = new URL(mock.url);
    for (const path of ["/./caf%C3%A9/x%20y?q={1}", "http://shop.test/caf%C3%A9/x%20y?q={1}"]) {
      const status = await new Promise((resolve) => {
        request({ port, path }, (response) => resolve(response.resume().statusCode)).end();
      });
      expect(status).toBe(200);
    }
  });
});

test.each([
  ["no response", null],
  ["status 0", { status: 0 }],
  ["no status", { status: null }],
  ["101", { status: 101 }],
])("an entry with %s is served as an empty 200", async (_what, response) => {
  await withMock(captureOf([{ response }]), async (mock) => {
    const served = await fetchFrom(mock, "/");
    expect([served.status, await served.text(), served.headers.get("content-length")]).toEqual([
      200,
      "",
      "0",
    ]);
  });
});

test.each([204, 304])("a %d response has neither body nor length", async (status) => {
  await withMock(captureOf([{ response: { status, bodyBytes: 7 } }]), async (mock) => {
    const response = await fetchFrom(mock, "/");
    expect([response.status, await response.text(), response.headers.get("content-length")]).toEqual([
      status,
      "",
      null,
    ]);
  });
});

test("the response to a HEAD request has only headers, and the connection stays usable", async () => {
  await withMock(captureOf([{ method: "HEAD" }, { method: "GET" }]), async (mock) => {
    const { port } = new URL(mock.url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const send = (method: string) =>
      new Promise<unknown[]>((resolve, reject) => {
        request({ port, method, agent }, (response) => {
          const { statusCode, headers, socket } = response;
          ports.add(socket.localPort);
          text(response).then((body) => resolve([statusCode, body, headers["content-length"]]), reject);
        })
          .on("error", reject)
          .end();
      });
    expect(await send("HEAD")).toEqual([200, "", "5"]);
    expect(await send("GET")).toEqual([200, "hello", "5"]);
    agent.destroy();
    expect(ports.size).toBe(1);
  });
});

test("bodies are text, bytes, or filler of the recorded size", async () => {
  const capture = captureOf([
    {
      url: "https://shop.test/text",
      response: { mimeType: "text/html; charset=iso-8859-1", body: { text: "Zo\u{eb}" } },
    },
    { url: "https://shop.test/bytes", response: { body: { base64: "AP/+" } } },
    { url: "https://shop.test/size", response: { body: null, bodyBytes: 1_000 } },
    { url: "https://shop.test/nothing", response: { body: null, bodyBytes: null } },
  ]);
  await withMock(capture, async (mock) => {
    const html = await fetchFrom(mock, "/text");
    expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await html.text()).toBe("Zo\u{eb}");
    expect([...new Uint8Array(await (await fetchFrom(mock, "/bytes")).arrayBuffer())]).toEqual([0, 255, 254]);
    const filler = await (await fetchFrom(mock, "/size")).text();
    expect(filler).toHaveLength(1_000);
    expect(filler).toMatch(/^bearhug mock: /);
    expect(await (await fetchFrom(mock, "/nothing")).text()).toBe("");
  });
});

test.each([0, null])("filler has the announced length if the recorded size is %j", async (bodyBytes) => {
  const headers = [["Content-Length", "700"]] as const;
  await withMock(captureOf([{ response: { headers, body: null, bodyBytes } }]), async (mock) => {
    expect(await (await fetchFrom(mock, "/")).text()).toHaveLength(700);
  });
});

test("an absurd recorded size is capped at 64 MiB", async () => {
  await withMock(
    captureOf([{ response: { body: null, bodyBytes: Number.MAX_SAFE_INTEGER } }]),
    async (mock) => {
      const response = await fetchFrom(mock, "/");
      expect(response.headers.get("content-length")).toBe(String(64 * 1024 * 1024));
      await response.body?.cancel();
    },
  );
});

test("the mock listens on the given host and port, and its URL names them", async () => {
  // Not the default host, which is 127.0.0.1.
  const host = "localhost";
  const mock = await startMock(captureOf([{}]), { host });
  try {
    expect(mock.url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await fetchFrom(mock, "/")).status).toBe(200);
    const { port } = new URL(mock.url);
    await expect(startMock(captureOf([{}]), { host, port: Number(port) })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  } finally {
    await mock.close();
  }
});

test("closing ends idle connections at once", async () => {
  const mock = await startMock(captureOf([{}]));
  await (await fetchFrom(mock, "/")).text();
  await mock.close();
  await expect(fetchFrom(mock, "/")).rejects.toThrow();
});

test("one connection serves many requests with bodies", async () => {
  const body = "x".repeat(100_000);
  await withMock(captureOf([{ method: "POST" }]), async (mock) => {
    const { port } = new URL(mock.url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (let round = 0; round < 5; round++) {
      await new Promise<void>((resolve, reject) => {
        const sent = request({ port, method: "POST", agent }, (response) => {
          ports.add(response.socket.localPort);
          text(response).then(() => resolve(), reject);
        });
        sent.on("error", reject).end(body);
      });
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });
});
