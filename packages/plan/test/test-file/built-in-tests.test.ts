import type { IncomingMessage, ServerResponse } from "node:http";

import { isTest } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { validateTest } from "../../src/definition/validate-test.ts";
import { headerRecord, urlTest } from "../../src/test-file/url-test.ts";
import { bundlePathOf, loadDefinition } from "../../src/test-file/load-definition.ts";
import { runTest } from "../../../cli/src/index.ts";
import type { UrlRequest } from "../../src/protocol/definition-source.ts";
import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "../../../engine/test/worker/run-scenario.ts";

const request: UrlRequest = {
  method: "POST",
  url: "http://127.0.0.1:8080/a?b",
  headers: [
    ["X-One", "1"],
    ["x-many", "a"],
    ["x-many", "b"],
  ],
  body: "text",
};

describe("the test of one address", () => {
  test("is valid and contacts that address alone", async () => {
    const made = await loadDefinition({ kind: "url", requests: [request] });
    expect(isTest(made)).toBe(true);
    expect(validateTest(made)).toMatchObject({
      problems: [],
      test: {
        name: "POST http://127.0.0.1:8080/a?b",
        baseUrl: "http://127.0.0.1:8080",
        allowHosts: [],
        http: { discardBodies: true, cookies: "off" },
        scenarios: [{ name: "requests", executor: "constant-vus", vus: 10, durationMs: 10_000 }],
      },
    });
  });

  test("measures the response of the address itself, and follows no redirect", async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const moved = { method: "GET", url: `${server.url}/moved`, headers: [], body: null };
    const { http, scenarios } = urlTest([moved]);
    const { metric } = await runScenario(scenarios["requests"]!.exec, { baseUrl: server.url, http: http! });
    expect(server.lines).toEqual(["GET /moved"]);
    expect(metric("http_reqs{status:302}")).toMatchObject({ total: 1 });
    expect(metric("http_req_failed")).toMatchObject({ trues: 0 });
  });

  test("sends its headers and body", async () => {
    const received: unknown[] = [];
    const server = await startServer(({ headers }, response, body) => {
      received.push([headers["x-one"], headers["x-many"], body.toString()]);
      response.end();
    });
    const { http, scenarios } = urlTest([{ ...request, url: `${server.url}/a` }]);
    await runScenario(scenarios["requests"]!.exec, { baseUrl: server.url, http: http! });
    expect(server.lines).toEqual(["POST /a"]);
    expect(received).toEqual([["1", "a, b", "text"]]);
  });

  test("sends the bytes of a body as they are", async () => {
    const received: Buffer[] = [];
    const server = await startServer((_request, response, body) => {
      received.push(body);
      response.end();
    });
    const body = Uint8Array.of(0, 255, 10);
    const { http, scenarios } = urlTest([{ ...request, url: `${server.url}/a`, body }]);
    await runScenario(scenarios["requests"]!.exec, { baseUrl: server.url, http: http! });
    expect(received).toEqual([Buffer.from(body)]);
  });

  test("has no bundle whose lines could be displayed", () => {
    expect(bundlePathOf({ kind: "url", requests: [request] })).toBeNull();
    expect(
      bundlePathOf({
        kind: "module",
        bundlePath: "/x.mjs",
        folder: "/",
        mayFetch: false,
        mayHaveStages: false,
      }),
    ).toBe("/x.mjs");
  });
});

describe("the test of several addresses", () => {
  const get = (url: string, weight = 1): UrlRequest => ({
    method: "GET",
    url,
    headers: [],
    body: null,
    weight,
  });

  test("may contact all of their hosts", () => {
    const made = urlTest([get("http://a.test/"), get("https://b.test:8443/x"), get("http://a.test/y")]);
    expect(validateTest(made)).toMatchObject({
      problems: [],
      test: {
        name: "GET http://a.test/ and 2 more",
        baseUrl: "http://a.test",
        allowHosts: ["b.test:8443"],
      },
    });
  });

  test("requests each by its weight, and reports each under its own name", async () => {
    const respond = (_request: IncomingMessage, response: ServerResponse) => response.end();
    const [server, other] = await Promise.all([startServer(respond), startServer(respond)]);
    const made = urlTest([
      get(`${server.url}/a`, 6),
      get(`${server.url}/b?1`, 2),
      get(`${server.url}/b?2`, 1),
      get(`${other.url}/c/17`, 1),
    ]);
    const { accounting } = await runTest(made, { vus: 1, iterations: 1000, seed: 1 });
    const counts = Object.fromEntries(accounting.requests.map(({ name, succeeded }) => [name, succeeded]));
    expect(Object.keys(counts).toSorted()).toEqual(
      ["GET /a", "GET /c/:id", `GET ${server.url}/b?1`, `GET ${server.url}/b?2`].toSorted(),
    );
    // Four standard deviations of a binomial count.
    const shares = { "GET /a": 0.6, "GET /c/:id": 0.1, [`GET ${server.url}/b?1`]: 0.2 };
    for (const [name, share] of Object.entries(shares)) {
      const deviation = Math.sqrt(1000 * share * (1 - share));
      expect(Math.abs((counts[name] ?? 0) - 1000 * share), name).toBeLessThan(4 * deviation);
    }
    expect(other.lines).toHaveLength(counts["GET /c/:id"] ?? 0);
  });
});

test("headers that are given several times are sent several times, in order", () => {
  expect(headerRecord(request.headers)).toEqual({ "X-One": ["1"], "x-many": ["a", "b"] });
  expect(headerRecord([])).toEqual({});
});
