import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { runScenario } from "../../engine/test/worker/run-scenario.ts";
import { startHttp2Server } from "./http2/http2-server.ts";
import { startServer } from "./servers.ts";
import { startClient, type TestClient } from "./start-client.ts";

interface Target {
  readonly url: string;
  /** Values of `traceparent`, each followed by that of `tracestate`, in the order of the requests. */
  readonly seen: (string | undefined)[];
}

const noted = (seen: Target["seen"], { traceparent, tracestate }: IncomingHttpHeaders): void => {
  const sent = [traceparent, tracestate].flat().filter((value) => value !== undefined);
  seen.push(sent.join(", ") || undefined);
};

const targets: Readonly<Record<string, () => Promise<Target>>> = {
  http1: async () => {
    const seen: Target["seen"] = [];
    const { url } = await startServer((request, response) => {
      noted(seen, request.headers);
      if (request.url === "/moved") response.writeHead(302, { location: "/" });
      response.end();
    });
    return { url, seen };
  },
  h2c: async () => {
    const seen: Target["seen"] = [];
    const { port } = await startHttp2Server((response, request) => {
      noted(seen, request.headers);
      response.end();
    });
    return { url: `http://127.0.0.1:${port}`, seen };
  },
};

const ways: Readonly<
  Record<string, (client: TestClient, headers?: Record<string, string>) => Promise<unknown>>
> = {
  "http.get": ({ http }, headers = {}) => http.get("/", { headers }),
  "http.fetch": async ({ http }, headers = {}) => (await http.fetch("/", { headers })).text(),
};

const w3c = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-01$/;
const own = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

const cases = (["http1", "h2c"] as const).flatMap((protocol) =>
  (["bearhug", "undici"] as const).flatMap((transport) =>
    Object.keys(ways).map((way) => ({ protocol, transport, way })),
  ),
);

describe.each(cases)("over $protocol of $transport, $way", ({ protocol, transport, way }) => {
  const send = ways[way];
  async function start(http: Partial<ValidatedHttp>) {
    const target = await targets[protocol]?.();
    if (target === undefined || send === undefined) throw new TypeError("unknown case");
    const client = startClient(target.url, [], [], { ...defaultHttp, protocol, transport, ...http });
    return { client, seen: target.seen, send };
  }

  test("sends each request with a trace of its own, unless the test gives one", async () => {
    const { client, seen, send } = await start({ traceparent: true });
    for (let index = 0; index < 3; index++) await send(client);
    await send(client, { Traceparent: own });
    expect(seen.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(w3c) as string));
    expect(new Set(seen.map((value) => value?.slice(3, 35))).size).toBe(4);
    expect(seen[3]).toBe(own);
  });

  test("sends no trace by default", async () => {
    const { client, seen, send } = await start({});
    await send(client);
    expect(seen).toEqual([undefined]);
  });
});

/** Registers the global object that all copies of `@opentelemetry/api` 1 share once an SDK has started. */
function startTracing() {
  const spans = new AsyncLocalStorage<object>();
  const key = Symbol.for("opentelemetry.js.api.1");
  const active = () => ({
    getValue: (name: symbol) =>
      name === Symbol.for("OpenTelemetry Context Key SPAN") ? spans.getStore() : undefined,
  });
  Object.assign(globalThis, { [key]: { version: "1.9.1", context: { active } } });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
  return (spanId: string, traceState?: { serialize: () => string }) =>
    async (run: () => Promise<unknown>) => {
      const context = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId, traceFlags: 1, traceState };
      await spans.run({ spanContext: () => context }, run);
    };
}

describe.each(cases)("in a span that the test started, over $protocol of $transport, $way", (given) => {
  test("sends that span in each of two parallel calls, unless the test gives a trace", async () => {
    const inSpan = startTracing();
    const target = await targets[given.protocol]?.();
    const send = ways[given.way];
    if (target === undefined || send === undefined) throw new TypeError("unknown case");
    const { protocol, transport } = given;
    const client = startClient(target.url, [], [], {
      ...defaultHttp,
      protocol,
      transport,
      traceparent: true,
    });
    const [a, b] = ["00f067aa0ba902b7", "00f067aa0ba902b8"];
    const state = { serialize: () => "vendor=1" };
    await Promise.all([
      inSpan(a)(async () => {
        await sleep(1);
        await send(client);
      }),
      inSpan(b, state)(() => send(client)),
    ]);
    await inSpan(a)(() => send(client, { traceparent: own }));
    await send(client);
    const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736";
    expect(target.seen.slice(0, 3)).toEqual([`${trace}-${b}-01, vendor=1`, `${trace}-${a}-01`, own]);
    expect(target.seen[3]).toMatch(w3c);
    expect(target.seen[3]).not.toContain(trace);
  });
});

test.each(Object.entries(ways))("each hop of a redirect is sent in the span of the call: %s", async (way) => {
  const inSpan = startTracing();
  const target = await targets["http1"]?.();
  const { http } = startClient(target?.url ?? "", [], [], { ...defaultHttp, traceparent: true });
  await inSpan("00f067aa0ba902b7")(() => (way === "http.get" ? http.get("/moved") : http.fetch("/moved")));
  expect(target?.seen).toEqual([own, own].map((value) => value.replace(/0$/, "1")));
});

test.each([
  ["no span", undefined],
  ["a span with ids of zeros", { traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }],
  ["a span without a context", null],
  ["a span with malformed ids", { traceId: "x\r\ny: z", spanId: 1, traceFlags: "1" }],
])("in %s a request begins a trace", async (_what, context) => {
  const span = context === undefined ? undefined : { spanContext: () => context };
  const key = Symbol.for("opentelemetry.js.api.1");
  Object.assign(globalThis, { [key]: { context: { active: () => ({ getValue: () => span }) } } });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
  const target = await targets["http1"]?.();
  const { http } = startClient(target?.url ?? "", [], [], { ...defaultHttp, traceparent: true });
  expect((await http.get("/")).error).toBeNull();
  expect(target?.seen).toEqual([expect.stringMatching(w3c)]);
});

test("a header for all requests wins, too, and each hop of a redirect has its own trace", async () => {
  const target = await targets["http1"]?.();
  const given = startClient(target?.url ?? "", [], [], {
    ...defaultHttp,
    traceparent: true,
    headers: ["traceparent", own],
  });
  await given.http.get("/");
  const generated = startClient(target?.url ?? "", [], [], { ...defaultHttp, traceparent: true });
  await generated.http.get("/moved");
  const [first, moved, followed] = target?.seen ?? [];
  expect(first).toBe(own);
  expect([moved, followed]).toEqual([expect.stringMatching(w3c), expect.stringMatching(w3c)]);
  expect(moved?.slice(3, 35)).not.toBe(followed?.slice(3, 35));
});

test("exemplars have the id of the trace that the target saw", async () => {
  const seen: Target["seen"] = [];
  const { url } = await startServer((request, response) => {
    noted(seen, request.headers);
    response.writeHead(request.url === "/cart" ? 503 : 200).end();
  });
  const { exemplars } = await runScenario(
    ({ http, page }) =>
      page("home", async () => {
        await http.get("/");
        await http.get("/cart");
      }),
    { baseUrl: url, http: { traceparent: true } },
  );
  const { pages = [], errors = [] } = exemplars() ?? {};
  const ids = seen.map((value) => value?.slice(3, 35));
  expect(pages[0]?.exchanges.map(({ traceId }) => traceId)).toEqual(ids);
  expect(errors.map(({ traceId }) => traceId)).toEqual(ids.slice(1));
});
