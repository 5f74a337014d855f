import { getGlobalDispatcher, request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";

import { replaceFetch, type GlobalFetchRules } from "../../../src/http/fetch/global-fetch.ts";
import { closedPort, startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

const nodesFetch = fetch;

/** Replaces the global fetch for the rest of the test; what is told of goes into a list. */
function replaced(rules: Partial<GlobalFetchRules>): string[] {
  const told: string[] = [];
  const onUnnamed = ({ host }: URL, isRefused: boolean) =>
    told.push(`${host} ${isRefused ? "refused" : "around"}`);
  const undo = replaceFetch({ current: () => null, mayGoAround: false, onUnnamed, ...rules });
  onTestFinished(undo);
  return told;
}

describe("the global fetch of a worker", () => {
  test("is the current VU's, with the classes that belong to it, and so are undici's own functions and Node's", async () => {
    const server = await startServer(
      (asked, response, body) =>
        void response.end(`${asked.url ?? ""} ${body.length > 0 ? "with a form" : ""}`),
    );
    const { session, row } = startClient(server.url);
    const told = replaced({ current: () => session });
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
    expect(told).toEqual([]);
  });

  test("is as it was when it is given back", () => {
    const names = ["fetch", "Request", "Response", "Headers", "FormData"];
    const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    const dispatcher = getGlobalDispatcher();
    const undo = replaceFetch({ current: () => null, mayGoAround: false, onUnnamed: () => {} });
    expect(getGlobalDispatcher()).not.toBe(dispatcher);
    undo();
    expect(names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))).toEqual(before);
    expect(getGlobalDispatcher()).toBe(dispatcher);
  });

  test.each([
    ["where there is no VU", false, "FETCH_OUTSIDE_ITERATION"],
    ["to hosts that the test does not name, which is told", true, "HOST_NOT_ALLOWED"],
  ])("refuses requests %s", async (_where, hasVu, code) => {
    const server = await startServer((_asked, response) => void response.end());
    const { session, engine } = startClient(await closedPort());
    const told = replaced({ current: () => (hasVu ? session : null) });
    await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code } });
    await expect(request(server.url)).rejects.toMatchObject({ code });
    expect(told).toEqual(hasVu ? [`${server.host} refused`, `${server.host} refused`] : []);
    expect([server.lines, engine.accounting.requests()]).toEqual([[], []]);
  });

  test.each([
    ["where there is no VU", false],
    ["to hosts that the test does not name", true],
  ])("lets requests go around the engine %s, if they may, and tells of it", async (_where, hasVu) => {
    const server = await startServer((_asked, response) => void response.end("around"));
    const { session, engine } = startClient(await closedPort());
    const told = replaced({ current: () => (hasVu ? session : null), mayGoAround: true });
    expect(await (await fetch(server.url)).text()).toBe("around");
    expect(await (await request(server.url)).body.text()).toBe("around");
    expect([...new Set(told)]).toEqual([`${server.host} around`]);
    expect(engine.accounting.requests()).toEqual([]);
  });
});
