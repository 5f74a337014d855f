import type { IncomingHttpHeaders } from "node:http";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, test } from "vitest";

import { startHttp2Server } from "./http2/http2-server.ts";
import { startServer } from "./servers.ts";
import { startClient, type TestClient } from "./start-client.ts";

/** A request as the target saw it: method, origin and referer. */
type Seen = readonly [method: string | undefined, origin: string | undefined, referer: string | undefined];

interface Target {
  readonly url: string;
  readonly seen: Seen[];
}

const targets: Readonly<Record<string, () => Promise<Target>>> = {
  http1: async () => {
    const seen: Seen[] = [];
    const { url } = await startServer(({ method, headers, url: asked }, response) => {
      seen.push(seenOf(method, headers));
      if (asked === "/moved") response.writeHead(307, { location: "/" });
      response.end();
    });
    return { url, seen };
  },
  h2c: async () => {
    const seen: Seen[] = [];
    const { port } = await startHttp2Server((response, { method, headers }) => {
      seen.push(seenOf(method, headers));
      response.end();
    });
    return { url: `http://127.0.0.1:${port}`, seen };
  },
};

function seenOf(method: string | undefined, { origin, referer }: IncomingHttpHeaders): Seen {
  return [method, origin, referer];
}

type Way = (client: TestClient, method: string, headers?: Record<string, string>) => Promise<unknown>;

const ways: Readonly<Record<string, Way>> = {
  "http.request": ({ http }, method, headers = {}) => http.request(method, "/", { headers }),
  "http.fetch": async ({ http }, method, headers = {}) => (await http.fetch("/", { method, headers })).text(),
};

const cases = (["http1", "h2c"] as const).flatMap((protocol) =>
  (["bearhug", "undici"] as const).flatMap((transport) =>
    Object.keys(ways).map((way) => ({ protocol, transport, way })),
  ),
);

/** Makes a client whose `baseUrl` is `path` of the target, which stands in for a recorded site. */
function clientOf({ url }: Target, http: Partial<ValidatedHttp>, path = "/"): TestClient {
  const moved = { base: ["shop.test:443"], further: ["www.shop.test:443"] };
  return startClient(url + path, [], [], { ...defaultHttp, origin: true, ...http }, moved);
}

describe.each(cases)("over $protocol of $transport, $way", ({ protocol, transport, way }) => {
  const send = ways[way];
  async function start(http: Partial<ValidatedHttp> = {}) {
    const target = await targets[protocol]?.();
    if (target === undefined || send === undefined) throw new TypeError("unknown case");
    return { client: clientOf(target, { protocol, transport, ...http }), send, ...target };
  }

  test("requests that change something send the target's own origin", async () => {
    const { client, send, seen, url } = await start();
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "GET", "OPTIONS"]) await send(client, method);
    expect(seen.map(([method, origin]) => [method, origin])).toEqual([
      ["POST", url],
      ["PUT", url],
      ["PATCH", url],
      ["DELETE", url],
      ["GET", undefined],
      ["OPTIONS", undefined],
    ]);
  });

  test("no origin is sent without the option", async () => {
    const { client, send, seen } = await start({ origin: false });
    await send(client, "POST", { referer: "/cart?step=1" });
    expect(seen).toEqual([["POST", undefined, "/cart?step=1"]]);
  });

  test("origins and referers of the recorded site become those of the target", async () => {
    const { client, send, seen, url } = await start();
    await send(client, "POST", { Origin: "https://www.shop.test", referer: "/cart?step=1" });
    await send(client, "POST", { referer: "https://shop.test/cart" });
    await send(client, "POST", { origin: "https://other.test", referer: "https://other.test/a?b" });
    await send(client, "POST", { origin: "null", referer: "about:blank" });
    await send(client, "GET", { origin: "https://www.shop.test", referer: "/cart" });
    expect(seen).toEqual([
      ["POST", url, `${url}/cart?step=1`],
      ["POST", url, `${url}/cart`],
      ["POST", "https://other.test", "https://other.test/a?b"],
      ["POST", "null", "about:blank"],
      ["GET", "https://www.shop.test", "/cart"],
    ]);
  });
});

test("an origin in the headers of http wins, and a redirect that keeps the method sends one, too", async () => {
  const target = await targets["http1"]?.();
  if (target === undefined) throw new TypeError("unknown target");
  await clientOf(target, { headers: ["Origin", "https://given.test"] }).http.post("/");
  await clientOf(target, {}).http.post("/moved");
  expect(target.seen).toEqual([
    ["POST", "https://given.test", undefined],
    ["POST", target.url, undefined],
    ["POST", target.url, undefined],
  ]);
});
