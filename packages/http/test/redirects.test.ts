import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { nextHop } from "../src/request/redirects.ts";
import { startServer, type HttpServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

interface Seen {
  readonly line: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Responds to `/redirect/STATUS?to=ADDRESS` with that redirect, and to all else with 200. */
async function startRedirecting(): Promise<HttpServer & { readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = await startServer((request, response, body) => {
    seen.push({
      line: `${request.method ?? ""} ${request.url ?? ""}`,
      headers: request.headers,
      body: body.toString(),
    });
    const [, status, to] = /^\/redirect\/(\d+)\?to=(.*)$/.exec(request.url ?? "") ?? [];
    if (status === undefined) response.end("arrived");
    else {
      response.writeHead(Number(status), { location: decodeURIComponent(to ?? "") });
      response.end();
    }
  });
  return { ...server, seen };
}

const to = (status: number, address: string): string =>
  `/redirect/${status}?to=${encodeURIComponent(address)}`;

describe("a redirect", () => {
  test.each([
    { status: 301, method: "GET", becomes: "GET" },
    { status: 301, method: "POST", becomes: "GET" },
    { status: 302, method: "POST", becomes: "GET" },
    { status: 302, method: "PUT", becomes: "PUT" },
    { status: 303, method: "POST", becomes: "GET" },
    { status: 303, method: "PUT", becomes: "GET" },
    { status: 303, method: "HEAD", becomes: "HEAD" },
    { status: 307, method: "POST", becomes: "POST" },
    { status: 308, method: "PUT", becomes: "PUT" },
    { status: 307, method: "GET", becomes: "GET" },
  ])("$status after $method leads to a $becomes", async ({ status, method, becomes }) => {
    const server = await startRedirecting();
    const { http } = startClient(server.url);
    const options =
      method === "POST" || method === "PUT" ? { json: { a: 1 }, headers: { "x-own": "yes" } } : {};
    const response = await http.request(method, to(status, "/there"), options);
    expect(response.status).toBe(200);
    expect(response.url).toBe(`${server.url}/there`);
    expect(response.redirected).toBe(true);
    const hop = server.seen[1];
    expect(hop?.line).toBe(`${becomes} /there`);
    if ("json" in options) {
      const keepsBody = becomes === method;
      expect(hop?.body).toBe(keepsBody ? '{"a":1}' : "");
      expect(hop?.headers["content-type"]).toBe(keepsBody ? "application/json" : undefined);
      expect(hop?.headers["x-own"]).toBe("yes");
    }
  });

  test("is counted as a separate request", async () => {
    const server = await startRedirecting();
    const { http, row, metric } = startClient(server.url);
    await http.get(to(302, "/there"));
    expect(row("GET /redirect/:id")).toMatchObject({ started: 1, sent: 1, succeeded: 1 });
    expect(row("GET /there")).toMatchObject({ started: 1, sent: 1, succeeded: 1 });
    expect(metric("http_reqs")).toMatchObject({ total: 2 });
    expect(metric("http_req_failed")).toMatchObject({ trues: 0, samples: 2 });
  });

  test("is returned, not followed, with `redirects: 0`", async () => {
    const server = await startRedirecting();
    const { http } = startClient(server.url);
    const response = await http.get(to(302, "/there"), { redirects: 0 });
    expect(response).toMatchObject({ status: 302, error: null, redirected: false });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    { redirects: undefined, followed: 10 },
    { redirects: 1, followed: 1 },
    { redirects: 3, followed: 3 },
  ])("loop ends after $followed hops with `redirects: $redirects`", async ({ redirects, followed }) => {
    const server = await startServer((_request, response) => {
      response.writeHead(302, { location: "/again" });
      response.end();
    });
    const client = startClient(server.url);
    const response = await client.http.get("/again", redirects === undefined ? {} : { redirects });
    expect(response.error?.code).toBe("TOO_MANY_REDIRECTS");
    expect(server.lines).toHaveLength(followed + 1);
    expect(client.engine.errors.all()).toMatchObject([{ code: "TOO_MANY_REDIRECTS", count: 1 }]);
    expect(client.row(ownWords`GET /again`)).toMatchObject({
      started: followed + 1,
      sent: followed + 1,
      succeeded: followed,
      failed: 1,
    });
    expect(client.metric("http_req_failed")).toMatchObject({ trues: 1, samples: followed + 1 });
  });

  test("without an address leads nowhere, as in browsers", async () => {
    const server = await startRedirecting();
    const { http } = startClient(server.url);
    expect(await http.get("/redirect/302?to=")).toMatchObject({ status: 302, error: null });
  });

  test("to a host that the test does not name is not followed, and says how to allow it", async () => {
    const [server, other] = [await startRedirecting(), await startRedirecting()];
    const { http, row, metric, engine } = startClient(server.url);
    const response = await http.get(to(302, `${other.url}/there`));
    expect(response.status).toBe(302);
    expect(row("GET /redirect/:id")).toMatchObject({ started: 1, sent: 1, succeeded: 0, failed: 1 });
    expect(metric("http_req_failed")).toMatchObject({ trues: 1, samples: 1 });
    expect(metric("http_reqs{expected_response:false}")).toMatchObject({ total: 1 });
    expect(engine.errors.all()).toMatchObject([{ code: "HOST_NOT_ALLOWED", count: 1 }]);
    await expect(http.get(to(302, `${other.url}/there`), { throwOnError: true })).rejects.toMatchObject({
      name: "RequestFailedError",
    });
    expect(response.error).toMatchObject({ code: "HOST_NOT_ALLOWED" });
    expect(response.error?.message).toContain(`add "${other.host}" to allowHosts`);
    expect(other.seen).toEqual([]);
  });

  test.each([
    { expected: 200, isGood: true },
    { expected: 404, isGood: false },
    { expected: 302, isGood: false },
  ])("leaves `expect: $expected` to the last response: good is $isGood", async ({ expected, isGood }) => {
    const server = await startRedirecting();
    const { http, row, engine } = startClient(server.url);
    const options = { expect: expected };
    await http.get(to(302, to(302, "/there")), options);
    expect(row("GET /redirect/:id")).toMatchObject({ started: 2, succeeded: 2, failed: 0 });
    expect(row("GET /there")).toMatchObject({ succeeded: isGood ? 1 : 0, failed: isGood ? 0 : 1 });
    expect(engine.errors.all().map(({ code }) => code)).toEqual(isGood ? [] : ["HTTP_200"]);
    const strict = http.get(to(302, "/there"), { ...options, throwOnError: true });
    if (isGood) expect((await strict).status).toBe(200);
    else await expect(strict).rejects.toMatchObject({ name: "RequestFailedError" });
  });

  test("that is not followed is judged by `expect`", async () => {
    const server = await startRedirecting();
    const { http, row } = startClient(server.url);
    await http.get(to(302, "/there"), { redirects: 0, expect: 200 });
    await http.get(to(302, "/there"), { redirects: 0, expect: 302 });
    expect(row("GET /redirect/:id")).toMatchObject({ started: 2, succeeded: 1, failed: 1 });
  });

  test("carries credentials to the same origin, but not to another one", async () => {
    const [server, other] = [await startRedirecting(), await startRedirecting()];
    const { http } = startClient(server.url, [other.host]);
    const options = {
      headers: { Cookie: "sid=1", "Proxy-Authorization": "x", "x-own": "yes", host: "named.example" },
      auth: { bearer: "secret" },
    };
    const crossing = await http.get(to(302, `${other.url}${to(302, "/there")}`), options);
    expect(crossing.status).toBe(200);
    expect(other.seen).toHaveLength(2);
    for (const { headers } of other.seen) {
      expect(headers).toMatchObject({ "x-own": "yes", host: other.host });
      for (const name of ["cookie", "authorization", "proxy-authorization"])
        expect(headers).not.toHaveProperty(name);
    }
    await http.get(to(302, "/stays"), options);
    const { headers } = server.seen.at(-1)!;
    expect(headers).toMatchObject({ cookie: "sid=1", authorization: "Bearer secret", host: "named.example" });
  });

  test("does not restore credentials of the headers when it returns from another origin", async () => {
    const [server, other] = [await startRedirecting(), await startRedirecting()];
    const { http } = startClient(server.url, [other.host]);
    await http.get(to(302, `${other.url}${to(302, `${server.url}/back`)}`), {
      headers: { authorization: "Bearer secret" },
    });
    expect(server.seen.at(-1)).toMatchObject({ line: "GET /back" });
    expect(server.seen.at(-1)?.headers).not.toHaveProperty("authorization");
  });

  test("does not repeat the query that was added to the first address", async () => {
    const server = await startServer((request, response) => {
      if (request.url?.startsWith("/there") === true) response.end();
      else response.writeHead(302, { location: "/there" }).end();
    });
    const { http } = startClient(server.url);
    await http.get("/start", { params: { q: "1" } });
    expect(server.lines).toEqual(["GET /start?q=1", "GET /there"]);
  });

  test("ends in a failed exchange if the next hop fails", async () => {
    const server = await startRedirecting();
    const { http } = startClient(server.url, ["127.0.0.1"]);
    const response = await http.get(to(302, "http://127.0.0.1:1/"));
    expect(response).toMatchObject({ status: 0, url: "http://127.0.0.1:1/" });
    expect(response.error?.code).toBe("CONNECTION_REFUSED");
  });
});

describe("where a redirect leads", () => {
  const from = new URL("http://host/a/b?c#part");

  test.each([
    { location: "d", href: "http://host/a/d#part" },
    { location: "/d#own", href: "http://host/d#own" },
    { location: "//other/d", href: "http://other/d#part" },
    { location: "https://host/", href: "https://host/#part" },
  ])("by location $location is $href", ({ location, href }) => {
    expect(nextHop(302, location, "GET", from)?.url.href).toBe(href);
  });

  test.each([
    { status: 302, location: null },
    { status: 304, location: "/d" },
    { status: 300, location: "/d" },
    { status: 302, location: "mailto:me@example.com" },
    { status: 302, location: "http://" },
  ])("is nowhere for status $status and location $location", ({ status, location }) => {
    expect(nextHop(status, location, "GET", from)).toBeNull();
  });
});
