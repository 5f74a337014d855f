import { gzipSync } from "node:zlib";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, test } from "vitest";

import { startHttp2Server } from "./http2/http2-server.ts";
import { startServer } from "./servers.ts";
import { startClient, type TestClient } from "./start-client.ts";

/** Larger than one read of a socket, and than a frame of HTTP/2. */
const page = Buffer.from("<p>grün</p>".repeat(10_000));
const zipped = gzipSync(page);

const answerTo = (path: string): { readonly body: Buffer; readonly encoding: string } =>
  path === "/zipped" ? { body: zipped, encoding: "gzip" } : { body: page, encoding: "identity" };

async function startHttp1(transport: "bearhug" | "undici"): Promise<TestClient> {
  const { url } = await startServer(({ url: path = "" }, response) => {
    const { body, encoding } = answerTo(path);
    response.setHeader("content-encoding", encoding).end(body);
  });
  return startClient(url, [], [], { ...defaultHttp, transport });
}

async function startHttp2(transport: "bearhug" | "undici"): Promise<TestClient> {
  const { port } = await startHttp2Server((response) => {
    const { body, encoding } = answerTo(response.req.url);
    response.setHeader("content-encoding", encoding);
    response.end(body);
  });
  return startClient(`http://127.0.0.1:${port}`, [], [], { ...defaultHttp, protocol: "h2c", transport });
}

describe.each([
  { protocol: "HTTP/1.1", start: () => startHttp1("bearhug") },
  { protocol: "HTTP/2", start: () => startHttp2("bearhug") },
  { protocol: "HTTP/1.1 by undici", start: () => startHttp1("undici") },
  { protocol: "HTTP/2 by undici", start: () => startHttp2("undici") },
])("over $protocol", ({ start }) => {
  test.each(["/page", "/zipped"])(
    "responses share the body of %s, but not what a test writes to it",
    async (path) => {
      const { http, session, another } = await start();
      const other = another().http;
      for (let time = 0; time < 2; time++) await http.get(path);
      const [first, second, third] = [await http.get(path), await other.get(path), await other.get(path)];
      expect(session.bodies.last.bytes).toBe(first.size.body);
      Buffer.from(first.bytes().buffer).fill("!");
      expect(first.text()).toBe("!".repeat(page.length));
      expect([second.text(), third.text()]).toEqual([page.toString(), page.toString()]);
      Buffer.from(second.bytes().buffer).fill("?");
      expect(page.equals(third.bytes())).toBe(true);
      expect(page.equals((await http.get(path)).bytes())).toBe(true);
      expect(third.size).toMatchObject({
        body: path === "/page" ? page.length : zipped.length,
        decoded: page.length,
      });
    },
  );
});
