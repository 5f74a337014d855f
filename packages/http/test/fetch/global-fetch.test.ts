import { getGlobalDispatcher, request, type Dispatcher } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";

import { replaceFetch, type GlobalFetchRules } from "../../src/fetch/global-fetch.ts";
import { closedPort, startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

const nodesFetch = fetch;

/** The globals that are replaced, as running code sees them. */
const ownGlobals = () => ({ fetch, FormData, Headers, Request, Response });

/** Replaces the global fetch for the rest of the test, and returns the list of its reports. */
function replaced(rules: Partial<GlobalFetchRules>): string[] {
  const reported: string[] = [];
  const onUnlistedHost = ({ host }: URL, isRefused: boolean) =>
    reported.push(`${host} ${isRefused ? "refused" : "around"}`);
  const onReplacedFetch = ({ host }: URL) => {
    reported.push(`${host} asked of a replacement`);
    return () => void reported.push(`${host} answered by a replacement`);
  };
  const undo = replaceFetch({
    current: () => null,
    isExempt: () => false,
    mayBypassEngine: false,
    onUnlistedHost,
    onReplacedFetch,
    ...rules,
  });
  onTestFinished(undo);
  return reported;
}

describe("the global fetch of a worker", () => {
  test("belongs to the current VU, as do its classes, undici's functions and Node's original fetch", async () => {
    const server = await startServer(
      (asked, response, body) =>
        void response.end(`${asked.url ?? ""} ${body.length > 0 ? "with a form" : ""}`),
    );
    const { session, row } = startClient(server.url);
    const reported = replaced({ current: () => session });
    expect(fetch.name).toBe("fetch");
    const form = new FormData();
    form.append("a", "1");
    const asked = new Request(`${server.url}/a`, {
      method: "POST",
      body: form,
      headers: new Headers({ "x-a": "1" }),
    });
    const response = await fetch(asked);
    expect(response).toBeInstanceOf(Response);
    expect(await response.text()).toBe("/a with a form");
    expect(await (await request(`${server.url}/b`)).body.text()).toBe("/b ");
    expect(await (await nodesFetch(`${server.url}/c`)).text()).toBe("/c ");
    for (const name of ["POST /a", "GET /b", "GET /c"])
      expect(row(name)).toMatchObject({ started: 1, succeeded: 1 });
    expect(reported).toEqual([]);
  });

  test("is restored when the replacement is undone", () => {
    const names = ["fetch", "Request", "Response", "Headers", "FormData"];
    const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    const dispatcher = getGlobalDispatcher();
    const undo = replaceFetch({
      current: () => null,
      isExempt: () => false,
      mayBypassEngine: false,
      onUnlistedHost: () => {},
      onReplacedFetch: () => () => {},
    });
    expect(getGlobalDispatcher()).not.toBe(dispatcher);
    undo();
    expect(names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))).toEqual(before);
    expect(getGlobalDispatcher()).toBe(dispatcher);
  });

  test.each([
    ["outside a VU", false, "FETCH_OUTSIDE_ITERATION"],
    ["to hosts that the test does not name, and reports them", true, "HOST_NOT_ALLOWED"],
  ])("refuses requests %s", async (_where, hasVu, code) => {
    const server = await startServer((_asked, response) => void response.end());
    const { session, engine } = startClient(await closedPort());
    const reported = replaced({ current: () => (hasVu ? session : null) });
    await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code } });
    await expect(request(server.url)).rejects.toMatchObject({ code });
    expect(reported).toEqual(hasVu ? [`${server.host} refused`, `${server.host} refused`] : []);
    expect([server.lines, engine.accounting.requests()]).toEqual([[], []]);
  });

  test.each([
    ["outside a VU", false],
    ["to hosts that the test does not name", true],
  ])("lets requests %s bypass the engine if allowed, and reports it", async (_where, hasVu) => {
    const server = await startServer((_asked, response) => void response.end("around"));
    const { session, engine } = startClient(await closedPort());
    const reported = replaced({ current: () => (hasVu ? session : null), mayBypassEngine: true });
    expect(await (await fetch(server.url)).text()).toBe("around");
    expect(await (await request(server.url)).body.text()).toBe("around");
    expect([...new Set(reported)]).toEqual([`${server.host} around`]);
    expect(engine.accounting.requests()).toEqual([]);
  });

  test("leaves exempt code its own fetch, classes and dispatchers, and reports nothing of it", async () => {
    const server = await startServer((asked, response, body) => {
      response.end(`${asked.url ?? ""} ${body.toString()}`);
    });
    const own = ownGlobals();
    let isExempt = false;
    const reports = replaced({ isExempt: () => isExempt });
    const engines = ownGlobals();
    isExempt = true;
    expect(ownGlobals()).toEqual(own);
    const asked = new Request(`${server.url}/a`, { method: "POST", body: new URLSearchParams({ a: "1" }) });
    const response = await fetch(asked, { headers: new Headers({ "x-a": "1" }) });
    expect(response).toBeInstanceOf(Response);
    expect(await response.text()).toBe("/a a=1");
    expect(await (await request(`${server.url}/b`)).body.text()).toBe("/b ");
    expect(await (await engines.fetch(new engines.Request(`${server.url}/c`))).text()).toBe("/c ");
    isExempt = false;
    expect(ownGlobals()).toEqual(engines);
    await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: "FETCH_OUTSIDE_ITERATION" } });
    expect(reports).toEqual([]);
  });

  test("leaves exempt code the dispatcher that it gave to an older copy of undici, as Node's is", async () => {
    const server = await startServer((_asked, response) => void response.end("real"));
    const old = Symbol.for("undici.globalDispatcher.1");
    const before = Reflect.get(globalThis, old) as Dispatcher;
    onTestFinished(() => void Reflect.set(globalThis, old, before));
    const sent: string[] = [];
    const dispatch: Dispatcher["dispatch"] = (options, handler) => {
      sent.push(options.path);
      return before.dispatch(options, handler);
    };
    Reflect.set(globalThis, old, { dispatch });
    const { session } = startClient(server.url);
    let isExempt = true;
    replaced({ isExempt: () => isExempt, current: () => session });
    expect(await (await nodesFetch(`${server.url}/exempt`)).text()).toBe("real");
    isExempt = false;
    expect(await (await nodesFetch(`${server.url}/a`)).text()).toBe("real");
    expect(await (await fetch(new Request(`${server.url}/b`))).text()).toBe("real");
    isExempt = true;
    expect(await (await nodesFetch(`${server.url}/exempt-too`)).text()).toBe("real");
    expect(sent).toEqual(["/exempt", "/exempt-too"]);
  });

  test("that exempt code replaces is its own, also after the end", () => {
    const before = globalThis.fetch;
    let isExempt = false;
    const undo = replaceFetch({
      current: () => null,
      isExempt: () => isExempt,
      mayBypassEngine: false,
      onUnlistedHost: () => {},
      onReplacedFetch: () => () => {},
    });
    const engines = globalThis.fetch;
    const mock = () => Promise.resolve(new Response("mocked"));
    isExempt = true;
    globalThis.fetch = mock;
    expect(globalThis.fetch).toBe(mock);
    isExempt = false;
    expect(globalThis.fetch).toBe(engines);
    undo();
    expect(globalThis.fetch).toBe(mock);
    globalThis.fetch = before;
  });

  test.each([
    ["assigned", (mock: typeof fetch) => (globalThis.fetch = mock)],
    [
      "redefined",
      (mock: typeof fetch) =>
        Object.defineProperty(globalThis, "fetch", { value: mock, configurable: true, enumerable: true }),
    ],
  ])("that a test replaces is watched for responses of its own (%s)", async (_how, replace) => {
    const server = await startServer((_asked, response) => void response.end("real"));
    const { session, row } = startClient(server.url);
    const reported = replaced({ current: () => session });
    const engines = globalThis.fetch;
    const mock = async (...given: Parameters<typeof fetch>): Promise<Response> => {
      const address = new Request(...given).url;
      if (address.endsWith("/broken")) throw new TypeError("mocked failure");
      return address.endsWith("/mocked") ? new Response("mocked") : engines(...given);
    };
    replace(mock);
    await Promise.resolve();
    expect(await (await fetch(`${server.url}/mocked`)).text()).toBe("mocked");
    await expect(fetch(new Request(`${server.url}/broken`))).rejects.toThrow("mocked failure");
    const answered = [`${server.host} asked of a replacement`, `${server.host} answered by a replacement`];
    expect(reported.splice(0)).toEqual([...answered, ...answered]);
    expect(await (await fetch(`${server.url}/passed`)).text()).toBe("real");
    expect(reported.splice(0)).toEqual(answered.slice(0, 1));
    expect(row("GET /passed")).toMatchObject({ started: 1, succeeded: 1 });
    expect(row("GET /mocked")).toBeUndefined();
    const around = globalThis.fetch;
    globalThis.fetch = (...given) => around(...given);
    await fetch(`${server.url}/mocked`);
    expect(reported).toEqual(answered);
    globalThis.fetch = engines;
    expect(await (await fetch(`${server.url}/mocked`)).text()).toBe("real");
    expect(reported).toEqual(answered);
  });

  test("whose replacement sends requests through the engine is not reported as responding by itself", async () => {
    const server = await startServer((_asked, response) => void response.end("real"));
    const { session } = startClient(server.url);
    const reported = replaced({ current: () => session });
    globalThis.fetch = async (input) => {
      const { body } = await request(input instanceof Request ? input.url : input);
      return new Response(await body.text());
    };
    expect(await (await fetch(`${server.url}/x`)).text()).toBe("real");
    expect(reported).toEqual([`${server.host} asked of a replacement`]);
  });
});
