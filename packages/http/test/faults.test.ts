import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { closedPort, startRawServer } from "./servers.ts";
import { startClient, type TestClient } from "./start-client.ts";
import { testedTransport } from "./tested-transport.ts";

/** Expects that the counts of a name add up, and that each failure is in the metrics once. */
function expectBalanced({ row, metric }: TestClient, name: string, failed: number): void {
  const counts = row(name);
  expect(counts).toMatchObject({ failed, interrupted: 0 });
  expect(counts?.started).toBe((counts?.succeeded ?? 0) + failed);
  expect(metric("http_reqs")).toMatchObject({ total: counts?.started });
  expect(metric("http_req_failed")).toMatchObject({ trues: failed, samples: counts?.started });
}

describe("a connection that does not open", () => {
  test("because it is refused gives one error, no latency sample, and nothing sent", async () => {
    const client = startClient(await closedPort());
    const response = await client.http.get("/");
    expect(response).toMatchObject({ status: 0, ok: false, protocol: "" });
    expect(response.error).toMatchObject({
      code: "CONNECTION_REFUSED",
      cause: "ECONNREFUSED",
      phase: "connecting",
    });
    expect(response.text()).toBe("");
    expectBalanced(client, "GET /", 1);
    expect(client.row(ownWords`GET /`)).toMatchObject({ sent: 0 });
    expect(client.metric("http_req_duration")).toBeUndefined();
    expect(client.metric("http_req_blocked")).toBeUndefined();
    expect(client.engine.errors.all()).toMatchObject([
      { code: "CONNECTION_REFUSED", count: 1, name: "GET /" },
    ]);
    expect(client.engine.accounting.get("connectionsOpened")).toBe(0);
  });

  test("is reported at once, even the twentieth in a row: backing off is up to the executor", async () => {
    const { http } = startClient(await closedPort());
    const tookMs: number[] = [];
    for (let count = 0; count < 20; count++) {
      const began = performance.now();
      await http.get("/", { timeout: 300 });
      tookMs.push(performance.now() - began);
    }
    // The last one once took 1.9 s.
    expect(tookMs.at(-1)).toBeLessThan(900);
  });

  test("because the host name is unknown has its own code", async () => {
    const client = startClient("http://no-such-host.invalid");
    const response = await client.http.get("/");
    expect(["DNS_NOT_FOUND", "DNS_FAILED"]).toContain(response.error?.code);
    expect(response.error?.phase).toBe("lookingUp");
    expectBalanced(client, "GET /", 1);
  });
});

const head = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n";

describe("an exchange that breaks off", () => {
  test.each([
    {
      what: "reset before the head",
      code: "CONNECTION_RESET",
      phase: "waiting",
      write: () => "",
      isReset: true,
    },
    {
      what: "closed before the head",
      code: "CONNECTION_CLOSED",
      phase: "waiting",
      write: () => "",
      isReset: false,
    },
    {
      what: "reset in the body",
      code: "CONNECTION_RESET",
      phase: "receiving",
      write: () => `${head}half of it`,
      isReset: true,
    },
    {
      what: "closed before the announced length",
      code: "RESPONSE_TRUNCATED",
      phase: "receiving",
      write: () => `${head}half of it`,
      isReset: false,
    },
    {
      what: "closed within a chunk",
      code: "RESPONSE_TRUNCATED",
      phase: "receiving",
      write: () => "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nhalf",
      isReset: false,
    },
    {
      what: "closed within the head",
      code: "RESPONSE_TRUNCATED",
      phase: "receiving",
      write: () => "HTTP/1.1 200 OK\r\ncontent-le",
      isReset: false,
    },
  ])("$what is $code while $phase", async ({ code, phase, write, isReset }) => {
    const server = await startRawServer((socket) => {
      const text = write();
      const breakOff = (): void => {
        if (isReset) socket.resetAndDestroy();
        else socket.end();
      };
      if (text === "") breakOff();
      else socket.write(text, () => setTimeout(breakOff, 30));
    });
    const client = startClient(server.url);
    const response = await client.http.get("/");
    expect(response.error).toMatchObject({ code, phase });
    expect(response.status).toBe(0);
    expectBalanced(client, "GET /", 1);
    expect(client.row(ownWords`GET /`)).toMatchObject({ sent: 1 });
    expect(client.metric("http_req_duration")).toMatchObject({ count: 1 });
    expect(client.engine.errors.all()).toMatchObject([{ code, count: 1 }]);
    expect(client.engine.accounting.get("connectionsOpened")).toBe(1);
  });

  test("counts the bytes that arrived", async () => {
    const text = `${head}half of it`;
    const server = await startRawServer((socket) => {
      socket.write(text, () => setTimeout(() => socket.end(), 30));
    });
    const { http, engine } = startClient(server.url);
    const response = await http.get("/");
    expect(response.size).toMatchObject({ received: text.length, body: 10 });
    expect(engine.accounting.get("bytesReceived")).toBe(text.length);
  });
});

describe("a response that is not HTTP", () => {
  test.each([
    { what: "another protocol", answer: "SSH-2.0-OpenSSH_9.2\r\n" },
    {
      what: "an invalid chunk size",
      answer: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nx",
    },
    { what: "a negative length", answer: "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n" },
    { what: "a status below 100", answer: "HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n" },
    { what: "NUL in a header", answer: "HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n" },
    {
      what: "length and chunks",
      answer: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\n",
    },
  ])("($what) is MALFORMED_RESPONSE and closes the connection", async ({ answer }) => {
    const server = await startRawServer((socket, _head, count) => {
      socket.write(count === 1 ? answer : "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    const client = startClient(server.url);
    const response = await client.http.get("/");
    expect(response.error?.code).toBe("MALFORMED_RESPONSE");
    expectBalanced(client, "GET /", 1);
    const next = await client.http.get("/");
    expect(next.text()).toBe("ok");
    expect(server.sockets).toHaveLength(2);
  });

  test("with two lengths that differ is MALFORMED_RESPONSE", async () => {
    const server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab");
    });
    const response = await startClient(server.url).http.get("/");
    expect(response.error?.code).toBe("MALFORMED_RESPONSE");
  });

  test("with headers that are too large is HEADERS_TOO_LARGE", async () => {
    const server = await startRawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`x-bomb: ${"a".repeat(1000)}\r\n`.repeat(100)}\r\n`);
    });
    const response = await startClient(server.url).http.get("/");
    expect(response.error?.code).toBe("HEADERS_TOO_LARGE");
  });

  test.each([
    {
      what: "after a response to HEAD",
      method: "HEAD",
      answer: "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody",
    },
    { what: "after 204", method: "GET", answer: "HTTP/1.1 204 No Content\r\n\r\nbody" },
    {
      what: "after a complete response",
      method: "GET",
      answer: "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 Evil\r\ncontent-length: 0\r\n\r\n",
    },
  ])("with bytes $what never becomes the next request's response", async ({ method, answer }) => {
    const server = await startRawServer((socket, _head, count) => {
      socket.write(count === 1 ? answer : "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext");
    });
    const { http } = startClient(server.url);
    await http.request(method, "/");
    const next = await http.get("/");
    const codes = ["STALE_CONNECTION", "CONNECTION_RESET", "MALFORMED_RESPONSE"];
    if (next.error === null) expect([next.status, next.text()]).toEqual([200, "next"]);
    else expect(codes).toContain(next.error.code);
    expect((await http.get("/")).text()).toBe("next");
  });
});

describe("interim responses", () => {
  test.each([1, 5])("are not taken for the final response (%i)", async (count) => {
    const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n".repeat(count);
    const server = await startRawServer((socket) => {
      socket.write(`${interim}HTTP/1.1 201 Created\r\ncontent-length: 4\r\nx-final: yes\r\n\r\nbody`);
    });
    const { http, row } = startClient(server.url);
    const response = await http.get("/");
    expect([response.status, response.text(), response.headers.get("x-final")]).toEqual([201, "body", "yes"]);
    expect(response.headers.get("link")).toBeNull();
    expect(row("GET /")).toMatchObject({ started: 1, succeeded: 1 });
  });

  test("may be an unrequested 100 Continue", async () => {
    const server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    const { http } = startClient(server.url);
    // undici reports it as an error.
    const text = testedTransport === "undici" ? "" : "ok";
    expect((await http.get("/")).text()).toBe(text);
  });

  test("that switch protocols unrequested are one failure", async () => {
    const server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n");
    });
    const client = startClient(server.url);
    const response = await client.http.get("/", { timeout: "5s" });
    expect(response).toMatchObject({ status: 0, error: { code: "UPGRADE_REFUSED" } });
    expectBalanced(client, "GET /", 1);
  });
});

describe("a response before the request was sent", () => {
  test("counts as the response, once", async () => {
    const server = await startRawServer((socket) => {
      socket.pause();
      socket.write("HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
      setTimeout(() => socket.resume(), 50);
    });
    const client = startClient(server.url);
    const response = await client.http.post("/", { body: Buffer.alloc(8 * 1024 * 1024), timeout: "5s" });
    expect(response.status).toBe(413);
    expect(client.row(ownWords`POST /`)).toMatchObject({ started: 1, sent: 1, failed: 1 });
    expect(client.metric("http_reqs")).toMatchObject({ total: 1 });
    // The server responded, so the wait of 0 ms is a sample, too.
    for (const phase of ["sending", "waiting", "receiving"])
      expect(client.metric(`http_req_${phase}`), phase).toMatchObject({ count: 1 });
    for (const part of Object.values(response.timings)) expect(part).toBeGreaterThanOrEqual(0);
  });
});

test("phases that were not reached have no samples, so a target that never responds does not look fast", async () => {
  const server = await startRawServer((socket, _head, count) => {
    if (count > 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  });
  const client = startClient(server.url);
  expect((await client.http.get("/", { timeout: "1s" })).error?.code).toBe("RESPONSE_TIMEOUT");
  expect(client.metric("http_req_waiting")).toMatchObject({ count: 1 });
  expect(client.metric("http_req_receiving")).toBeUndefined();
  expect((await client.http.get("/")).status).toBe(200);
  expect(client.metric("http_req_receiving")).toMatchObject({ count: 1 });
});
