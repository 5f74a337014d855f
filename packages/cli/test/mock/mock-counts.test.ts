import { expect, test } from "vitest";
import { MockCounts, type MockStats } from "../../src/mock/mock-counts.ts";
import { readRequestLine } from "../../src/mock/request-line.ts";
import { captureOf } from "./capture-of.ts";
import { fetchFrom, Visitor, withMock } from "./with-mock.ts";

test("counts cover served requests by recorded line, unknown requests by line, and all requests by name", async () => {
  const capture = captureOf([
    { url: "https://shop.test/users/7?tab=a" },
    { url: "https://shop.test/users/7?tab=a", response: { status: 304 } },
    { url: "https://cdn.test/users/8" },
  ]);
  await withMock(capture, async (mock) => {
    const visitor = new Visitor(mock);
    for (const path of [
      "/users/7?tab=a",
      "/users/7?tab=a",
      "/users/7?tab=other",
      "/users/8",
      "/users/9",
      "/__proto__",
    ]) {
      await (await visitor.fetch(path)).text();
    }
    const expected: MockStats = {
      total: 6,
      served: {
        "GET /users/7?tab=a": { count: 3, statuses: { 200: 2, 304: 1 } },
        "GET /users/8": { count: 1, statuses: { 200: 1 } },
      },
      unknown: { "GET /users/9": 1, "GET /__proto__": 1 },
      byName: { "GET /users/:id": 5, "GET /__proto__": 1 },
    };
    expect(mock.stats()).toEqual(expected);
    expect(await (await fetchFrom(mock, "/__bearhug/stats")).json()).toEqual(expected);
    expect(mock.stats().total).toBe(6);
  });
});

test("unknown requests beyond ten thousand different ones are counted together as (other)", async () => {
  const counts = new MockCounts();
  for (let line = 0; line < 10_005; line++) counts.addUnknown(readRequestLine("GET", `/x${line}`));
  const { total, unknown, byName } = counts.read();
  expect(total).toBe(10_005);
  expect(Object.keys(unknown)).toHaveLength(10_001);
  expect([unknown["(other)"], byName["(other)"]]).toEqual([5, 5]);
});
