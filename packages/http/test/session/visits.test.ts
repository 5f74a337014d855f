import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, test } from "vitest";

import { startServer } from "../servers.ts";
import { startClient, type TestClient } from "../start-client.ts";

/** Starts a server that sets the cookies in `?set=`, and responds with those it received. */
async function startCookieServer() {
  return startServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://server");
    const [location] = url.searchParams.getAll("to");
    const headers = {
      "set-cookie": url.searchParams.getAll("set"),
      ...(location === undefined ? {} : { location }),
    };
    response.writeHead(location === undefined ? 200 : 302, headers);
    response.end(request.headers.cookie ?? "none");
  });
}

const client = (baseUrl: string, options: Partial<ValidatedHttp> = {}): TestClient =>
  startClient(baseUrl, ["127.0.0.1", "localhost"], [], { ...defaultHttp, ...options });

const setting = (path: string, ...cookies: string[]): string =>
  `${path}?${cookies.map((cookie) => `set=${encodeURIComponent(cookie)}`).join("&")}`;

describe("a virtual user", () => {
  test("sends its stored cookies with each hop of a redirect, and to no other host", async () => {
    const server = await startCookieServer();
    const { http } = client(server.url);
    const landed = await http.get(`${setting("/login", "sid=1; Path=/; HttpOnly")}&to=/home`);
    expect(landed.text()).toBe("sid=1");
    expect(http.cookies.get("sid")).toBe("1");
    const elsewhere = await http.get(server.url.replace("127.0.0.1", "localhost"));
    expect(elsewhere.text()).toBe("none");
  });

  test("does not mix stored cookies with a cookie header of its test", async () => {
    const server = await startCookieServer();
    const { http } = client(server.url);
    http.cookies.set("kept", "1");
    const own = await http.get("/", { headers: { Cookie: "own=1" } });
    expect(own.text()).toBe("own=1");
    expect((await http.get("/")).text()).toBe("kept=1");
  });

  test("has its own cookies", async () => {
    const server = await startCookieServer();
    const { http, another } = client(server.url);
    await http.get(setting("/", "sid=1"));
    expect((await another().http.get("/")).text()).toBe("none");
  });

  test.each([
    { cookies: "iteration", second: "none" },
    { cookies: "vu", second: "sid=1" },
    { cookies: "off", second: "none" },
  ] as const)(
    "starts its next iteration with $second if cookies is $cookies",
    async ({ cookies, second }) => {
      const server = await startCookieServer();
      const { http, session } = client(server.url, { cookies });
      await http.get(setting("/", "sid=1"));
      expect((await http.get("/")).text()).toBe(cookies === "off" ? "none" : "sid=1");
      session.visitor.startIteration();
      expect((await http.get("/")).text()).toBe(second);
    },
  );

  test("sends a cookie's bytes back as they came", async () => {
    const server = await startServer((request, response) => {
      if (request.url === "/")
        response.setHeader("set-cookie", Buffer.from("city=Zürich").toString("latin1"));
      response.end(Buffer.from(request.headers.cookie ?? "", "latin1"));
    });
    const { http } = client(server.url);
    await http.get("/");
    expect((await http.get("/back")).text()).toBe("city=Zürich");
  });
});

/** Responds with the number of the request and the caching headers of its path, or with 304. */
async function startCacheServer() {
  let count = 0;
  return startServer((request, response) => {
    count++;
    if (request.headers["if-none-match"] === '"v1"') {
      response.writeHead(304, { etag: '"v1"' }).end();
    } else if (request.url === "/moved") {
      response.writeHead(301, { location: "/fresh", "cache-control": "max-age=60" }).end();
    } else {
      const cacheControl = request.url === "/fresh" ? "max-age=60" : "no-cache";
      response.writeHead(200, { "cache-control": cacheControl, etag: '"v1"' }).end(`answer ${count}`);
    }
  });
}

describe("a virtual user with a browser's cache", () => {
  test("takes a fresh response from the cache, which does not count as a request", async () => {
    const server = await startCacheServer();
    const { http, metric, row } = client(server.url, { cache: "browser" });
    const first = await http.get("/fresh");
    const again = await http.get("/fresh");
    expect(first).toMatchObject({ status: 200, fromCache: false });
    expect(again).toMatchObject({
      status: 200,
      fromCache: true,
      error: null,
      size: { sent: 0, received: 0 },
    });
    expect([first.text(), again.text()]).toEqual(["answer 1", "answer 1"]);
    expect(again.timings.duration).toBe(0);
    expect(server.lines).toEqual(["GET /fresh"]);
    expect(row("GET /fresh")).toMatchObject({ started: 1, succeeded: 1 });
    expect(metric("http_reqs")).toMatchObject({ total: 1 });
  });

  test("revalidates other responses, which counts as a request, and gets the cached body", async () => {
    const server = await startCacheServer();
    const { http, metric } = client(server.url, { cache: "browser" });
    await http.get("/asked");
    const again = await http.get("/asked", { expect: 200 });
    expect(again).toMatchObject({ status: 200, fromCache: true });
    expect(again.text()).toBe("answer 1");
    expect(server.lines).toEqual(["GET /asked", "GET /asked"]);
    expect(metric("http_reqs{status:304}")).toMatchObject({ total: 1 });
    expect(metric("http_req_failed")).toMatchObject({ trues: 0, samples: 2 });
  });

  test("takes a permanent redirect from the cache", async () => {
    const server = await startCacheServer();
    const { http } = client(server.url, { cache: "browser" });
    await http.get("/moved");
    const again = await http.get("/moved");
    expect(again).toMatchObject({ status: 200, fromCache: true, url: `${server.url}/fresh` });
    expect(server.lines).toEqual(["GET /moved", "GET /fresh"]);
  });

  test("starts each iteration with an empty cache, and gets copies of cached bodies", async () => {
    const server = await startCacheServer();
    const { http, session } = client(server.url, { cache: "browser" });
    await http.get("/fresh");
    (await http.get("/fresh")).bytes().fill(0);
    expect((await http.get("/fresh")).text()).toBe("answer 1");
    session.visitor.startIteration();
    expect((await http.get("/fresh")).text()).toBe("answer 2");
  });

  test("requests everything again without the cache", async () => {
    const server = await startCacheServer();
    const { http } = client(server.url);
    await http.get("/fresh");
    expect(await http.get("/fresh")).toMatchObject({ fromCache: false });
    expect(server.lines).toHaveLength(2);
  });
});

describe("a redirect that names several addresses", () => {
  test("is followed if they are equal, and a malformed response if they are not", async () => {
    const server = await startServer((request, response) => {
      if (request.url !== "/there") {
        response.statusCode = 302;
        response.setHeader("location", ["/there", request.url === "/same" ? "/there" : "/elsewhere"]);
      }
      response.end();
    });
    const { http } = client(server.url);
    expect(await http.get("/same")).toMatchObject({ status: 200, url: `${server.url}/there` });
    const refused = await http.get("/several");
    expect(refused.error).toMatchObject({ code: "MALFORMED_RESPONSE" });
    expect(refused.error?.message).toContain("/there, /elsewhere");
    expect(server.lines).toEqual(["GET /same", "GET /there", "GET /several"]);
  });
});
