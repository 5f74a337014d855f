import { gunzipSync } from "node:zlib";

import type { Listening } from "@bearhug/report/local-server/listen";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { rawRequest } from "./raw-client.ts";

let demo: Listening;
const bugs: unknown[] = [];
beforeAll(async () => {
  demo = await startDemo({ port: 0, host: "127.0.0.1", onBug: (error) => bugs.push(error) });
});
afterAll(async () => {
  await demo.close();
  expect(bugs).toEqual([]);
});

async function getText(path: string): Promise<string> {
  return (await fetch(demo.url + path)).text();
}

describe("resources of the front-page example", () => {
  test.each([
    ["/", "text/html; charset=utf-8"],
    ["/style.css", "text/css; charset=utf-8"],
    ["/app.js", "text/javascript; charset=utf-8"],
    ["/hero.webp", "image/webp"],
    ["/users.json", "application/json; charset=utf-8"],
    ["/signup", "text/html; charset=utf-8"],
  ])("%s exists and has the type %s", async (path, type) => {
    const response = await fetch(demo.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  });
});

test("each flavour of honey has its own picture, a PNG", async () => {
  const picture = async (id: number): Promise<Buffer> =>
    Buffer.from(await (await fetch(`${demo.url}/images/${id}.png`)).arrayBuffer());
  const acacia = await picture(1);
  expect(acacia.toString("latin1", 1, 4)).toBe("PNG");
  expect(await picture(6)).toEqual(acacia);
  expect(await picture(2)).not.toEqual(acacia);
});

test("every address that a page refers to exists", async () => {
  for (const page of ["/", "/products?page=4", "/products/7", "/search?q=tea", "/signup", "/login"]) {
    const references = [...(await getText(page)).matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(
      (match) => match[1]!,
    );
    expect(references.length).toBeGreaterThan(3);
    for (const reference of new Set(references)) {
      const { status } = await rawRequest(demo.url + reference);
      const expected =
        { "/api/me": 401, "/old": 302, "/account": 302, "/account/photo": 302, "/products/7/review": 302 }[
          reference
        ] ?? 200;
      expect([page, reference, status]).toEqual([page, reference, expected]);
    }
  }
});

test("the front page lists the site's addresses", async () => {
  const home = await getText("/");
  for (const path of [
    "/products/:id",
    "/login",
    "/reviews/:number",
    "/api/session",
    "/api/login",
    "/api/cart",
    "/slow",
    "/flaky",
    "/stream",
    "/old",
  ]) {
    expect(home).toContain(path);
  }
});

describe("bodies on the wire", () => {
  test("are compressed with gzip only for clients that accept it, and unpack to the same content", async () => {
    const plain = await rawRequest(`${demo.url}/style.css`);
    const zipped = await rawRequest(`${demo.url}/style.css`, { headers: { "accept-encoding": "br, gzip" } });
    const refused = await rawRequest(`${demo.url}/style.css`, { headers: { "accept-encoding": "gzip;q=0" } });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(refused.headers["content-encoding"]).toBeUndefined();
    expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(zipped.body.length).toBeLessThan(plain.body.length);
    expect(Number(zipped.headers["content-length"])).toBe(zipped.body.length);
    expect(gunzipSync(zipped.body)).toEqual(plain.body);
  });

  test("are left out for HEAD, which has the headers of GET", async () => {
    for (const path of ["/", "/hero.webp", "/stream"]) {
      const got = await rawRequest(demo.url + path);
      const head = await rawRequest(demo.url + path, { method: "HEAD" });
      expect(head.body.length).toBe(0);
      expect(head.status).toBe(got.status);
      expect(head.headers["content-length"]).toBe(got.headers["content-length"]);
      expect(head.headers["content-type"]).toBe(got.headers["content-type"]);
    }
  });

  test("of /stream are chunked, and end", async () => {
    const { headers, body } = await rawRequest(`${demo.url}/stream`);
    expect(headers["transfer-encoding"]).toBe("chunked");
    expect(headers["content-length"]).toBeUndefined();
    expect(body.toString().trim().split("\n")).toHaveLength(10);
  });
});

describe("pictures", () => {
  const getBytes = async (path: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(demo.url + path)).arrayBuffer());

  test("of products are PNGs of 96 by 96 pixels, one for each flavour", async () => {
    const pictures = await Promise.all(
      Array.from({ length: 40 }, (_, index) => getBytes(`/images/${index + 1}.png`)),
    );
    for (const picture of pictures) {
      expect(picture.toString("latin1", 0, 8)).toBe("\x89PNG\r\n\x1a\n");
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([96, 96]);
    }
    expect(new Set(pictures.map((picture) => picture.toString("base64"))).size).toBe(5);
    expect(pictures[0]).toEqual(pictures[5]);
  });

  test("include the hero image, a WebP of 192 by 48 pixels", async () => {
    const hero = await getBytes("/hero.webp");
    expect(hero.toString("latin1", 0, 4) + hero.toString("latin1", 8, 16)).toBe("RIFFWEBPVP8L");
    const sizeBits = hero.readUInt32LE(21);
    expect([(sizeBits & 0x3fff) + 1, ((sizeBits >> 14) & 0x3fff) + 1]).toEqual([192, 48]);
  });
});

describe("addresses with special behaviour:", () => {
  test("/flaky fails exactly every 20th time", async () => {
    const fresh = await startDemo({ port: 0, host: "127.0.0.1" });
    const statuses: number[] = [];
    for (let index = 0; index < 60; index += 1) statuses.push((await fetch(`${fresh.url}/flaky`)).status);
    await fresh.close();
    const failed = statuses.flatMap((status, index) => (status === 200 ? [] : [[index + 1, status]]));
    expect(failed).toEqual([
      [20, 503],
      [40, 503],
      [60, 503],
    ]);
  });

  test("/slow takes 300 ms, or the time in its query", async () => {
    const startMs = performance.now();
    await getText("/slow?ms=50");
    const shortMs = performance.now() - startMs;
    await getText("/slow");
    expect(shortMs).toBeGreaterThanOrEqual(49);
    expect(performance.now() - startMs - shortMs).toBeGreaterThanOrEqual(299);
    expect((await fetch(`${demo.url}/slow?ms=1e9`)).status).toBe(400);
  });

  test("/old redirects to /new", async () => {
    const { status, headers } = await rawRequest(`${demo.url}/old`);
    expect([status, headers.location]).toEqual([302, "/new"]);
    expect((await fetch(`${demo.url}/old`)).url).toBe(`${demo.url}/new`);
  });
});

describe("missing addresses and methods", () => {
  test.each([
    "/nowhere",
    "/products/41",
    "/products/0",
    "/products?page=5",
    "/images/99.png",
    "/products/%zz",
  ])("%s is a 404 with the site's own page", async (path) => {
    const response = await fetch(demo.url + path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("no bear here");
  });

  test("a method that an address does not support gets a 405 that lists the supported ones", async () => {
    const { status, headers } = await rawRequest(`${demo.url}/signup`, { method: "DELETE" });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD, POST"]);
  });
});

test("a visitor's input is shown as text, never as markup", async () => {
  const page = await getText(`/search?q=${encodeURIComponent(`"><script>alert(1)</script>`)}`);
  expect(page).not.toContain("<script>alert");
  expect(page).toContain("&quot;&gt;&lt;script&gt;");
});

test("connections stay open through the pauses of a load test, and close() ends them at once", async () => {
  const other = await startDemo({ port: 0, host: "127.0.0.1" });
  const { headers } = await rawRequest(other.url, { headers: { connection: "keep-alive" } });
  expect(headers["keep-alive"]).toBe("timeout=75");
  const pending = fetch(`${other.url}/slow?ms=10000`).catch((error: unknown) => error);
  await fetch(other.url);
  await other.close();
  expect(await pending).toBeInstanceOf(Error);
  await expect(fetch(other.url)).rejects.toThrow();
});
