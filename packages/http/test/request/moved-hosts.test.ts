import type { ServerResponse } from "node:http";

import { describe, expect, test } from "vitest";

import { MovedHosts } from "../../src/request/hosts.ts";
import { startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

describe("the hosts that a target stands in for", () => {
  const target = "http://127.0.0.1:99/base/";

  test.each([
    { url: "https://cdn.example/a?b#c", to: "http://127.0.0.1:99/a?b#c" },
    { url: "http://cdn.example:8080/a", to: "http://127.0.0.1:99/a" },
    { url: "https://cdn.example//elsewhere.example/a", to: "http://127.0.0.1:99//elsewhere.example/a" },
    { url: "https://shop.example/@x", to: "http://127.0.0.1:99/@x" },
    { url: "https://shop.example:8443/", to: "https://shop.example:8443/" },
    { url: "https://other.example/", to: "https://other.example/" },
    { url: "http://127.0.0.1:99/a", to: "http://127.0.0.1:99/a" },
  ])("move $url to $to", ({ url, to }) => {
    const hosts = new MovedHosts(target, { base: ["shop.example:443"], further: ["cdn.example"] });
    expect(hosts.move(new URL(url)).href).toBe(to);
  });

  test("are none without a target", () => {
    const url = new URL("https://cdn.example/");
    expect(new MovedHosts(null, null).move(url)).toBe(url);
    expect(new MovedHosts("http://cdn.example", null).move(url)).toBe(url);
  });
});

const moving = (target: string, further: readonly string[]) =>
  startClient(target, [], [], undefined, { base: ["shop.example:443"], further });

describe("with a target", () => {
  test("addresses of the site go there, path and query unchanged, as responses show", async () => {
    const server = await startServer((_request, response) => response.end("here"));
    const { http, row } = moving(server.url, ["cdn.example"]);
    const response = await http.get("https://cdn.example/app.js?v=1", { params: { w: "2" } });
    expect(response).toMatchObject({ status: 200, url: `${server.url}/app.js?v=1&w=2` });
    expect(server.lines).toEqual(["GET /app.js?v=1&w=2"]);
    expect(row("GET /app.js")).toMatchObject({ started: 1, succeeded: 1 });
  });

  test("redirects to the site go there, with the credentials of the same origin", async () => {
    const seen: (string | undefined)[] = [];
    const server = await startServer((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === "/") response.writeHead(302, { location: "https://www.shop.example/home" }).end();
      else response.end();
    });
    const { http } = moving(server.url, ["www.shop.example:443"]);
    const response = await http.get("/", { auth: { bearer: "x" } });
    expect(response).toMatchObject({ status: 200, error: null, url: `${server.url}/home` });
    expect(seen).toEqual(["Bearer x", "Bearer x"]);
  });

  test("each further host has its own connections, as in a browser", async () => {
    const held: ServerResponse[] = [];
    let [most, answered, total] = [0, 0, 16];
    const server = await startServer((_request, response) => {
      held.push(response);
      most = Math.max(most, held.length);
      // Holds responses until no more requests can come: a busy machine opens connections slowly.
      const expected = total === 16 ? 6 : 18;
      if (held.length < expected && answered + held.length < total) return;
      setTimeout(() => {
        answered += held.length;
        for (const one of held.splice(0)) one.end();
      }, 50);
    });
    const { http } = moving(server.url, ["cdn.example", "img.example"]);
    const paths = (base: string) => Array.from({ length: 8 }, (_, index) => `${base}/${index}`);
    await http.batch([...paths(""), ...paths("https://shop.example")]);
    expect(most).toBe(6);
    [answered, total] = [0, 24];
    await http.batch([...paths(""), ...paths("https://cdn.example"), ...paths("https://img.example")]);
    expect(most).toBe(18);
  });

  test("other hosts stay forbidden, in requests and in redirects", async () => {
    const server = await startServer((_request, response) =>
      response.writeHead(302, { location: "https://evil.example/" }).end(),
    );
    const { http } = moving(server.url, ["cdn.example"]);
    await expect(http.get("https://evil.example/")).rejects.toMatchObject({ code: "HOST_NOT_ALLOWED" });
    expect((await http.get("/")).error?.code).toBe("HOST_NOT_ALLOWED");
    expect(server.lines).toEqual(["GET /"]);
  });

  test("cookies of the site's addresses are those of the target", async () => {
    const seen: (string | undefined)[] = [];
    const server = await startServer((request, response) => {
      seen.push(request.headers.cookie);
      response.end();
    });
    const { http } = moving(server.url, ["shop.example"]);
    http.cookies.set("theme", "dark", { url: "https://shop.example/" });
    await http.get("/");
    expect(seen).toEqual(["theme=dark"]);
    expect(http.cookies.get("theme", "https://shop.example/account")).toBe("dark");
  });
});
