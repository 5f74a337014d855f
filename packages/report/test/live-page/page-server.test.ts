import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

import { expect, onTestFinished, test } from "vitest";

import { PageServer } from "../../src/live-page/page-server.ts";

test("serves the page only to requests with its token", async () => {
  const { url } = await serve("first");
  const page = await fetchText(url);
  expect([page.status, page.text]).toEqual([200, "<p>first</p>"]);
  expect(page.headers["referrer-policy"]).toBe("no-referrer");
  expect(page.headers["cache-control"]).toBe("no-store");
  for (const wrong of [
    url.replace(/token=.*/, ""),
    `${url}x`,
    url.slice(0, -1),
    url.replace(/token=.{5}/, "token=abcde"),
    url.replace("/?", "/events?").slice(0, -1),
  ]) {
    const { status, text } = await fetchText(wrong);
    expect([status, text], wrong).toEqual([
      403,
      "Open the page at the address that bearhug printed. It contains a token.\n",
    ]);
  }
});

test("rejects host names that another site may have resolved to this machine", async () => {
  const { url } = await serve("first");
  const { port } = new URL(url);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
    expect((await fetchText(url, { host })).status, host).toBe(200);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:1`, ""])
    expect((await fetchText(url, { host })).status, host).toBe(403);
});

test("serves only the page and its events, and only to GET requests", async () => {
  const { url } = await serve("first");
  expect((await fetchText(url.replace("/?", "/else?"))).status).toBe(404);
  expect((await fetchText(url, { method: "POST" })).status).toBe(405);
  expect((await fetchText(url.replace("/?", "//?"))).status).toBe(403);
});

test("listens only on the loopback address, and each server has its own token", async () => {
  const [one, other] = [await serve("one"), await serve("other")];
  expect(new URL(one.url).hostname).toBe("127.0.0.1");
  const tokens = [one, other].map(({ url }) => new URL(url).searchParams.get("token"));
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/);
});

test("sends the current state, each later one, and the last", async () => {
  const server = await serve("first");
  const events = await follow(server.url);
  expect(await events.next()).toBe('event: data\ndata: "first"\n\n');
  server.show(stateOf("second"));
  expect(await events.next()).toBe('event: data\ndata: "second"\n\n');
  server.end(stateOf("last"));
  expect(await events.next()).toBe('event: end\ndata: "last"\n\n');
  expect(await events.next()).toBeNull();
  expect((await fetchText(server.url)).text).toBe("<p>last</p>");
  const late = await follow(server.url);
  expect(await late.next()).toBe('event: end\ndata: "last"\n\n');
  expect(await late.next()).toBeNull();
});

test("does not compute data if there is no reader", async () => {
  const server = await serve("first");
  let computed = 0;
  server.show({ html: () => "", data: () => String(++computed) });
  expect(computed).toBe(0);
});

test("stops sending to a browser that does not read, and lets it catch up later", async () => {
  const server = await serve("first");
  const response = await open(server.url.replace("/?", "/events?"));
  const large = "x".repeat(400_000);
  for (let count = 0; count < 100; count++) {
    server.show(stateOf(large));
    await new Promise((resolve) => setImmediate(resolve));
  }
  let received = 0;
  response.on("data", (chunk: Buffer) => (received += chunk.length));
  server.end(stateOf("last"));
  await once(response, "end");
  expect(received).toBeGreaterThan(large.length);
  expect(received).toBeLessThan(100 * large.length);
});

async function serve(name: string): Promise<PageServer> {
  const server = await PageServer.start(stateOf(name));
  onTestFinished(() => server.close());
  return server;
}

function stateOf(name: string): Parameters<PageServer["show"]>[0] {
  return { html: () => `<p>${name}</p>`, data: () => JSON.stringify(name) };
}

interface RequestFields {
  readonly host?: string;
  readonly method?: string;
}

async function open(url: string, { host, method = "GET" }: RequestFields = {}): Promise<IncomingMessage> {
  const { port, pathname, search } = new URL(url);
  const path = url.includes("//?") ? `//${search}` : `${pathname}${search}`;
  const outgoing = request({
    host: "127.0.0.1",
    port,
    path,
    method,
    agent: false,
    ...(host !== undefined && { setHost: false, headers: { host } }),
  });
  outgoing.end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return response;
}

async function fetchText(url: string, options: RequestFields = {}) {
  const response = await open(url, options);
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, headers: response.headers, text };
}

/** Opens a page's event stream; each call of `next` returns an event, or null after the last. */
async function follow(url: string): Promise<{ next(): Promise<string | null> }> {
  const response = await open(url.replace("/?", "/events?"));
  expect(response.headers["content-type"]).toBe("text/event-stream");
  const chunks = response.iterator();
  return {
    next: async () => {
      const { done, value } = (await chunks.next()) as IteratorResult<Buffer, undefined>;
      return done === true ? null : String(value);
    },
  };
}
