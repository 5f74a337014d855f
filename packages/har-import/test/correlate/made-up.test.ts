import { describe, expect, test } from "vitest";
import { requestsFrom, sent, sentAtMs, uuid } from "./visit-in-steps.ts";

const page = { path: "/" };

describe("a value that the browser generated is generated anew", () => {
  test("an id that no response contained", async () => {
    const [, call] = await requestsFrom(page, {
      path: "/api/x",
      headers: { "x-request-id": uuid },
      json: {},
    });
    expect(sent(call)).toMatchObject({ "x-request-id": '{fresh "uuid"}' });
    expect(call?.headers[0]?.value).toEqual([{ kind: "fresh", what: "uuid", id: null }]);
  });

  test("once, if it is sent more than once", async () => {
    const [, one, two] = await requestsFrom(
      page,
      { path: "/api/x", headers: { "x-client-id": uuid }, json: {} },
      { path: "/api/y", json: { clientId: uuid } },
    );
    expect(one?.headers[0]?.value).toEqual([{ kind: "fresh", what: "uuid", id: "clientId" }]);
    expect(sent(two)).toMatchObject({ clientId: '{fresh "uuid"}' });
  });

  test("the time, in each format of a browser's clock", async () => {
    const now = sentAtMs(1) - 700;
    const json = { at: now, seconds: Math.floor(now / 1000), iso: new Date(now).toISOString() };
    const [, call] = await requestsFrom(page, { path: `/api/x?_=${now + 1}`, json });
    expect(sent(call)).toMatchObject({
      at: '{fresh "milliseconds"}',
      seconds: '{fresh "seconds"}',
      iso: '{fresh "iso date"}',
      _: '{fresh "milliseconds"}',
    });
  });

  test("a parameter that bypasses caches", async () => {
    const [, call] = await requestsFrom(page, {
      path: "/api/x?rnd=0.7261524&cb=829104&page=829104",
      json: {},
    });
    expect(sent(call)).toMatchObject({
      rnd: '{fresh "fraction"}',
      cb: '{fresh {"digits":6}}',
      page: "829104",
    });
  });
});

describe("a value that existed before is sent as recorded", () => {
  test("an id in a script", async () => {
    const [, , call] = await requestsFrom(
      page,
      { path: "/app.js", response: { script: `const client = "${uuid}";` } },
      { path: "/api/x", headers: { "x-client-id": uuid }, json: {} },
    );
    expect(sent(call)).toMatchObject({ "x-client-id": uuid });
  });

  test("the id of a resource, or an id in a path", async () => {
    const [, one, two] = await requestsFrom(
      page,
      { path: `/api/x?assetId=${uuid}`, json: {} },
      { path: `/api/items/${uuid.replace("3f", "4f")}` },
    );
    expect(sent(one)).toMatchObject({ assetId: uuid });
    expect(sent(two)).toMatchObject({ path: `/api/items/${uuid.replace("3f", "4f")}` });
  });

  test("an id after a response whose body was not recorded", async () => {
    const [, call] = await requestsFrom(
      { path: "/", response: { isUnrecorded: true } },
      { path: "/api/x", headers: { "x-request-id": uuid }, json: {} },
    );
    expect(sent(call)).not.toMatchObject({ "x-request-id": '{fresh "uuid"}' });
  });

  test("a time on another day, and versions of files", async () => {
    const day = sentAtMs(1) - 86_400_000;
    const [, call, file] = await requestsFrom(
      page,
      { path: `/api/x?since=${day}`, json: { from: new Date(day).toISOString() } },
      { path: `/app.css?t=${sentAtMs(2)}`, response: { script: "" } },
    );
    expect(sent(call)).toMatchObject({ since: String(day), from: new Date(day).toISOString() });
    expect(sent(file)).toMatchObject({ t: String(sentAtMs(2)) });
  });
});
