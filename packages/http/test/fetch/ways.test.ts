import type { ServerResponse } from "node:http";

import { describe, expect, test } from "vitest";

import { startRawServer, startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";
import { openings, ways } from "./ways.ts";

const plain = { method: "GET", headers: {}, body: null, signal: null };

/** Returns the code of an error or of its cause; bearhug's code comes first. */
function codeIn(error: unknown): unknown {
  if (!(error instanceof Error)) return null;
  return "bearhugCode" in error ? error.bearhugCode : "code" in error ? error.code : codeIn(error.cause);
}

describe.each(Object.entries(ways))("%s", (by, go) => {
  test("refuses a host that the test does not name, also in a redirect", async () => {
    const other = await startServer((_request, response) => response.end());
    const server = await startServer((_request, response) => {
      response.writeHead(302, { location: `${other.url}/` }).end();
    });
    const { http, session, row } = startClient(server.url);
    const direct = await go({ http, session }, { ...plain, url: `${other.url}/` }).catch(codeIn);
    expect(direct).toBe("HOST_NOT_ALLOWED");
    const redirected = await go({ http, session }, { ...plain, url: `${server.url}/` }).catch(codeIn);
    // undici's request follows no redirect by itself.
    expect(redirected).toEqual(by.includes("request") ? { status: 302, text: "" } : "HOST_NOT_ALLOWED");
    expect([server.lines, other.lines]).toEqual([["GET /"], []]);
    expect(row("GET /")).toMatchObject({ started: 1, sent: 1, succeeded: 1, failed: 0 });
  });

  test.each([
    { when: "before it is sent", counts: undefined },
    { when: "while it connects", counts: { started: 1, sent: 0, failed: 1 } },
    { when: "after it was sent", counts: { started: 1, sent: 1, failed: 1 } },
  ])("that is aborted $when settles once, with the reason that was given", async ({ when, counts }) => {
    // The server accepts connections but sends nothing: no TLS handshake, and no response.
    const server = await startRawServer(() => {});
    const url = when === "while it connects" ? server.url.replace("http:", "https:") : server.url;
    const { http, session, row, vu } = startClient(url);
    const given = new AbortController();
    const reason = new Error("enough");
    if (when === "before it is sent") given.abort(reason);
    let settled = 0;
    const answer = go({ http, session }, { ...plain, url: `${url}/`, signal: given.signal })
      .catch((error: unknown) => error)
      .finally(() => settled++);
    if (when === "while it connects") {
      await expect.poll(() => server.sockets.length).toBe(1);
    } else if (when === "after it was sent") await expect.poll(() => server.heads.length).toBe(1);
    given.abort(reason);
    expect(await answer).toBe(reason);
    await vu.idle();
    expect(settled).toBe(1);
    if (counts === undefined) expect(row("GET /")).toBeUndefined();
    else expect(row("GET /")).toMatchObject({ ...counts, succeeded: 0, interrupted: 0 });
  });

  test("keeps the cookies of each virtual user apart", async () => {
    let visitors = 0;
    const server = await startServer((request, response) => {
      if (request.headers.cookie === undefined) response.setHeader("set-cookie", `visitor=${++visitors}`);
      response.end(request.headers.cookie ?? "");
    });
    const one = startClient(server.url);
    const other = one.another();
    const ask = async (vu: typeof other) => (await go(vu, { ...plain, url: `${server.url}/` })).text;
    expect([await ask(one), await ask(other), await ask(one), await ask(other)]).toEqual([
      "",
      "",
      "visitor=1",
      "visitor=2",
    ]);
  });
});

test.each(Object.entries(openings))("%s gets server-sent events one by one", async (_by, open) => {
  const streams: ServerResponse[] = [];
  const server = await startServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    streams.push(response);
  });
  const { http, session, row } = startClient(server.url);
  const { body } = await open({ http, session }, { ...plain, url: `${server.url}/` });
  const seen: string[] = [];
  for await (const piece of body ?? []) {
    seen.push(Buffer.from(piece).toString());
    // The next event is sent only after this one was read.
    if (seen.length < 3) streams[0]?.write(`data: ${seen.length + 1}\n\n`);
    else streams[0]?.end();
  }
  expect(seen).toEqual(["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]);
  expect(row("GET /")).toMatchObject({ started: 1, sent: 1, succeeded: 1 });
});
