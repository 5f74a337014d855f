import { definitionOf, isTest, validateTest } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { headerRecord, urlTest } from "../../src/definition/url-test.ts";
import { bundlePathOf, loadDefinition } from "../../src/definition/load-definition.ts";
import type { UrlRequest } from "../../src/protocol/definition-source.ts";
import { startServer } from "../http/servers.ts";
import { runScenario } from "../worker/run-scenario.ts";

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
    const made = await loadDefinition({ kind: "url", request });
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

  test("measures what the address itself answers, and follows no redirect", async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const moved = { method: "GET", url: `${server.url}/moved`, headers: [], body: null };
    const { http, scenarios } = definitionOf(urlTest(moved));
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
    const { http, scenarios } = definitionOf(urlTest({ ...request, url: `${server.url}/a` }));
    await runScenario(scenarios["requests"]!.exec, { baseUrl: server.url, http: http! });
    expect(server.lines).toEqual(["POST /a"]);
    expect(received).toEqual([["1", "a, b", "text"]]);
  });

  test("has no bundle whose lines could be shown", () => {
    expect(bundlePathOf({ kind: "url", request })).toBeNull();
    expect(bundlePathOf({ kind: "module", bundlePath: "/x.mjs", folder: "/", mayFetch: false })).toBe(
      "/x.mjs",
    );
  });
});

test("headers that are given several times are sent several times, in order", () => {
  expect(headerRecord(request.headers)).toEqual({ "X-One": ["1"], "x-many": ["a", "b"] });
  expect(headerRecord([])).toEqual({});
});
