import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { version } from "@bearhug/text/version";
import { Request, Response } from "undici";
import { describe, expect, test } from "vitest";

import { closedPort, startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

describe("http.fetch", () => {
  test("behaves like fetch, and counts and measures each request like http.get", async () => {
    const server = await startServer((request, response, body) => {
      response.writeHead(201, "Made", { "content-type": "application/json", "x-list": ["a", "b"] });
      response.end(
        JSON.stringify({
          method: request.method,
          type: request.headers["content-type"],
          body: body.toString(),
        }),
      );
    });
    const { http, row, metric } = startClient(server.url);
    const response = await http.fetch(`${server.url}/things/7?full=1`, {
      method: "POST",
      body: JSON.stringify({ a: 1 }),
      headers: { "content-type": "application/json" },
    });
    expect([response.status, response.statusText, response.ok, response.url]).toEqual([
      201,
      "Made",
      true,
      `${server.url}/things/7?full=1`,
    ]);
    expect(response.headers.get("x-list")).toBe("a, b");
    expect(await response.json()).toEqual({ method: "POST", type: "application/json", body: '{"a":1}' });
    expect(server.lines).toEqual(["POST /things/7?full=1"]);
    expect(row("POST /things/:id")).toMatchObject({ started: 1, sent: 1, succeeded: 1, failed: 0 });
    for (const time of ["duration", "response_time"])
      expect(metric(`http_req_${time}{name:POST /things/:id,status:201}`), time).toMatchObject({ count: 1 });
    for (const phase of ["blocked", "connecting", "sending", "waiting", "receiving"])
      expect(metric(`http_req_${phase}`), phase).toMatchObject({ count: 1 });
    expect(metric("connections_opened")).toMatchObject({ total: 1 });
  });

  test("takes addresses that are relative to the baseUrl, a URL, a Request, and a Request's options", async () => {
    const server = await startServer((request, response) => {
      response.end(`${request.method} ${request.url} ${String(request.headers["x-of-request"])}`);
    });
    const { http } = startClient(`${server.url}/base/`);
    const headers = { "x-of-request": "yes" };
    for (const [given, asked] of [
      ["/a", "GET /a undefined"],
      ["b", "GET /base/b undefined"],
      [new URL("/c", server.url), "GET /c undefined"],
      [new Request(`${server.url}/d`, { method: "PUT", headers }), "PUT /d yes"],
    ] as const) {
      // The types of the platform's fetch do not know the npm package's class.
      const answer: unknown = await Reflect.apply(http.fetch, undefined, [given]);
      expect(answer).toBeInstanceOf(Response);
      expect(answer instanceof Response && (await answer.text())).toBe(asked);
    }
    const options = new Request(server.url, { method: "DELETE", headers });
    for (const address of [`${server.url}/e`, "/e"])
      expect(await (await http.fetch(address, options)).text()).toBe("DELETE /e yes");
  });

  test("uses a name and tags given beside fetch's own options, but refuses a dispatcher", async () => {
    const server = await startServer((_request, response) => void response.end());
    const { http, row, metric } = startClient(server.url);
    await (await http.fetch("/x", { name: "cart", tags: { kind: "api" } })).text();
    expect(row("cart")).toMatchObject({ succeeded: 1 });
    expect(metric("http_reqs{name:cart,kind:api}")).toMatchObject({ total: 1 });
    const init: object = { name: "cart", dispatcher: http.dispatcher };
    await expect(http.fetch("/x", init)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  test("stores cookies in its own VU, even before the body of their response has come", async () => {
    const server = await startServer((request, response) => {
      response.writeHead(200, { "set-cookie": `seen=${request.url?.slice(1) ?? ""}` });
      response.write(String(request.headers.cookie));
      if (request.url !== "/open") response.end();
    });
    const { http, another } = startClient(server.url);
    const other = another();
    await (await other.http.fetch("/other")).text();
    const open = await http.fetch("/open");
    expect(await (await http.fetch("/next")).text()).toBe("seen=open");
    expect(await (await other.http.fetch("/next")).text()).toBe("seen=other");
    expect((await http.get("/after")).text()).toBe("seen=next");
    await open.body?.cancel();
  });

  test("sends the test's headers unless the request has its own, and bearhug's user agent", async () => {
    const server = await startServer(
      (request, response) => void response.end(JSON.stringify(request.headers)),
    );
    const sent = async (headers: readonly string[], init?: RequestInit) => {
      const { http } = startClient(server.url, [], [], { ...defaultHttp, headers });
      return (await (await http.fetch("/", init)).json()) as Record<string, string>;
    };
    expect(await sent([])).toMatchObject({
      "user-agent": `bearhug/${version}`,
      accept: "*/*",
      "accept-encoding": "gzip, deflate",
    });
    const own = ["Accept-Language", "de", "accept", "text/html", "x-team", "shop", "accept-encoding", "br"];
    expect(await sent(own)).toMatchObject({
      "accept-language": "de",
      accept: "text/html",
      "x-team": "shop",
      "accept-encoding": "gzip, deflate",
    });
    expect(
      await sent(own, { headers: { "x-team": "me", "user-agent": "sdk/1", accept: "application/json" } }),
    ).toMatchObject({ "x-team": "me", "user-agent": "sdk/1", accept: "application/json" });
  });

  test("refuses hosts that the test does not name, and redirects to them", async () => {
    const elsewhere = await startServer((_request, response) => void response.end());
    const server = await startServer(
      (_request, response) => void response.writeHead(302, { location: elsewhere.url }).end(),
    );
    const { http, row, engine } = startClient(server.url);
    await expect(http.fetch(elsewhere.url)).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "HOST_NOT_ALLOWED" },
    });
    await expect(http.fetch("/moved")).rejects.toMatchObject({ cause: { code: "HOST_NOT_ALLOWED" } });
    expect(elsewhere.lines).toEqual([]);
    expect(row("GET /moved")).toMatchObject({ started: 1, succeeded: 1 });
    expect(engine.errors.all()).toEqual([]);
  });

  test("follows redirects as fetch does: each hop is a request, and a credential stays with its origin", async () => {
    const other = await startServer(
      (request, response) => void response.end(String(request.headers.authorization)),
    );
    const server = await startServer((request, response) => {
      if (request.headers.authorization !== "Bearer secret") {
        response.writeHead(401).end();
        return;
      }
      const location = request.url === "/one" ? "/two" : `${other.url}/three`;
      response.writeHead(302, { location }).end();
    });
    const auth = { bearer: "secret" };
    const { http, row } = startClient(server.url, [other.host], [], {
      ...defaultHttp,
      auth,
      expect: [{ min: 200, max: 200 }],
    });
    const response = await http.fetch("/one");
    expect([response.redirected, response.url, await response.text()]).toEqual([
      true,
      `${other.url}/three`,
      "undefined",
    ]);
    for (const name of ["GET /one", "GET /two", `GET ${other.host}/three`])
      expect(row(name)).toMatchObject({ started: 1, succeeded: 1 });
    const manual = await http.fetch("/one", { redirect: "manual" });
    expect([manual.status, row("GET /two")?.started]).toEqual([302, 1]);
    await expect(http.fetch("/one", { redirect: "error" })).rejects.toThrow("fetch failed");
  });

  test("rejects with the system's and bearhug's code if there is no response, and counts a failure", async () => {
    const server = await startServer((_request, response) => response.destroy());
    const { http, row, engine } = startClient(await closedPort(), [server.host]);
    await expect(http.fetch("/nobody")).rejects.toMatchObject({
      cause: { code: "ECONNREFUSED", bearhugCode: "CONNECTION_REFUSED" },
    });
    await expect(http.fetch(server.url)).rejects.toMatchObject({
      cause: { code: "UND_ERR_SOCKET", bearhugCode: "CONNECTION_CLOSED" },
    });
    expect(row("GET /nobody")).toMatchObject({ started: 1, sent: 0, failed: 1 });
    expect(row(`GET ${server.host}/`)).toMatchObject({ started: 1, sent: 1, failed: 1 });
    expect(engine.errors.all().map(({ code }) => code)).toEqual(["CONNECTION_REFUSED", "CONNECTION_CLOSED"]);
  });

  test("counts a response with an unexpected status as failed, and resolves to it", async () => {
    const server = await startServer((_request, response) => void response.writeHead(503).end("busy"));
    const { http, row } = startClient(server.url);
    const response = await http.fetch("/");
    expect([response.status, await response.text()]).toEqual([503, "busy"]);
    expect(row("GET /")).toMatchObject({ succeeded: 0, failed: 1 });
  });
});
