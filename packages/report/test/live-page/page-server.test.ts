import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

import { expect, onTestFinished, test } from "vitest";

import { PageServer } from "../../src/live-page/page-server.ts";

test("gives the page to those who know its token, and to nobody else", async () => {
  const { url } = await serve("first");
  const page = await ask(url);
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
    const { status, text } = await ask(wrong);
    expect([status, text], wrong).toEqual([
      403,
      "Open the page at the address that bearhug printed. It contains a token.\n",
    ]);
  }
});

test("refuses names that a foreign site may have resolved to this machine", async () => {
  const { url } = await serve("first");
  const { port } = new URL(url);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
    expect((await ask(url, { host })).status, host).toBe(200);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:1`, ""])
    expect((await ask(url, { host })).status, host).toBe(403);
});

test("knows one page and its events, and takes nothing", async () => {
  const { url } = await serve("first");
  expect((await ask(url.replace("/?", "/else?"))).status).toBe(404);
  expect((await ask(url, { method: "POST" })).status).toBe(405);
  expect((await ask(url.replace("/?", "//?"))).status).toBe(403);
});

test("listens on the loopback address alone, and each server has a token of its own", async () => {
  const [one, other] = [await serve("one"), await serve("other")];
  expect(new URL(one.url).hostname).toBe("127.0.0.1");
  const tokens = [one, other].map(({ url }) => new URL(url).searchParams.get("token"));
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/);
});

test("sends the state of now, each that follows, and the last", async () => {
  const server = await serve("first");
  const events = await follow(server.url);
  expect(await events.next()).toBe('event: facts\ndata: "first"\n\n');
  server.show(stateOf("second"));
  expect(await events.next()).toBe('event: facts\ndata: "second"\n\n');
  server.end(stateOf("last"));
  expect(await events.next()).toBe('event: end\ndata: "last"\n\n');
  expect(await events.next()).toBeNull();
  expect((await ask(server.url)).text).toBe("<p>last</p>");
  const late = await follow(server.url);
  expect(await late.next()).toBe('event: end\ndata: "last"\n\n');
  expect(await late.next()).toBeNull();
});

test("does not ask for facts that nobody reads", async () => {
  const server = await serve("first");
  let asked = 0;
  server.show({ html: () => "", facts: () => String(++asked) });
  expect(asked).toBe(0);
});

test("sends nothing further to a browser that does not read, and lets it catch up later", async () => {
  const server = await serve("first");
  const response = await open(server.url.replace("/?", "/events?"));
  const large = "x".repeat(400_000);
  for (let sent = 0; sent < 100; sent++) {
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
  return { html: () => `<p>${name}</p>`, facts: () => JSON.stringify(name) };
}

interface Asked {
  readonly host?: string;
  readonly method?: string;
}

async function open(url: string, { host, method = "GET" }: Asked = {}): Promise<IncomingMessage> {
  const { port, pathname, search } = new URL(url);
  const path = url.includes("//?") ? `//${search}` : `${pathname}${search}`;
  const sent = request({
    host: "127.0.0.1",
    port,
    path,
    method,
    agent: false,
    ...(host !== undefined && { setHost: false, headers: { host } }),
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

async function ask(url: string, options: Asked = {}) {
  const response = await open(url, options);
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, headers: response.headers, text };
}

/** The events of a page, one for each call; null after the last. */
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
