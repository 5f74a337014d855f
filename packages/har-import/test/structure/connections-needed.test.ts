import { expect, test } from "vitest";
import { connectionsNeeded } from "../../src/structure/connections-needed.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import type { Visit } from "../../src/visit.ts";
import { documentOf, visitOf } from "./recorded-visits.ts";

function pictures(count: number, protocol: "http/1" | "http/2"): Visit[] {
  return Array.from({ length: count }, (_, index) =>
    visitOf(`/${String(index)}.png`, { at: 110, took: 200, protocol }),
  );
}

test("over HTTP/2 a replay needs as many connections as requests were on their way, at least a browser's six", () => {
  const document = documentOf("/", { took: 100 });
  expect(connectionsNeeded([])).toBe(6);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(4, "http/2")]))).toBe(6);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(30, "http/2")]))).toBe(30);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(30, "http/1")]))).toBe(6);
});

test("what ends makes room for what starts", () => {
  const chain = Array.from({ length: 10 }, (_, index) =>
    visitOf(`/${String(index)}.js`, { at: 100 + index * 100, took: 100, protocol: "http/2" }),
  );
  expect(
    connectionsNeeded(planSteps([], [documentOf("/", { took: 100, protocol: "http/2" }), ...chain])),
  ).toBe(6);
});
