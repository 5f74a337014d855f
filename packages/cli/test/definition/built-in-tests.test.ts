import type { CaptureModel } from "@bearhug/har-import";
import { isTest, validateTest } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { headerRecord } from "../../src/definition/header-record.ts";
import { bundlePathOf, loadDefinition } from "../../src/definition/load-definition.ts";
import type { UrlRequest } from "../../src/protocol/definition-source.ts";

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

  test("has no bundle whose lines could be shown", () => {
    expect(bundlePathOf({ kind: "url", request })).toBeNull();
    expect(bundlePathOf({ kind: "module", bundlePath: "/x.mjs" })).toBe("/x.mjs");
  });
});

test("headers that are given several times are sent several times, in order", () => {
  expect(headerRecord(request.headers)).toEqual({ "X-One": ["1"], "x-many": ["a", "b"] });
  expect(headerRecord([])).toEqual({});
});

describe("the test of a capture", () => {
  const model: CaptureModel = {
    origin: "https://shop.example",
    hosts: ["https://shop.example", "https://cdn.shop.example:8443"],
    pages: [
      {
        name: "home",
        requests: [
          {
            entryIndex: 0,
            method: "GET",
            url: "https://shop.example/",
            headers: [],
            body: null,
            recordedStatus: 200,
          },
        ],
      },
    ],
    omissions: [],
  };

  test("runs each page once, against the hosts that were recorded", async () => {
    const { test: valid, problems } = validateTest(
      await loadDefinition({ kind: "capture", model, target: null }),
    );
    expect(problems).toEqual([]);
    expect(valid).toMatchObject({
      baseUrl: "https://shop.example",
      allowHosts: ["shop.example", "cdn.shop.example:8443"],
      scenarios: [{ executor: "shared-iterations", vus: 1, iterations: 1 }],
    });
  });

  test("re-based contacts the target alone", async () => {
    const source = { kind: "capture", model, target: "http://127.0.0.1:8080" } as const;
    const { test: valid, problems } = validateTest(await loadDefinition(source));
    expect(problems).toEqual([]);
    expect(valid).toMatchObject({ baseUrl: "http://127.0.0.1:8080", allowHosts: [] });
  });
});
