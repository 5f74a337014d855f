import { expect, test } from "vitest";
import { connectionsNeeded, simulateStep } from "../../src/structure/connections.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import type { Visit } from "../../src/visit.ts";
import { documentOf, visitOf } from "./recorded-visits.ts";

function pictures(count: number, protocol: "http/1" | "http/2" | ""): Visit[] {
  return Array.from({ length: count }, (_, index) =>
    visitOf(`/${String(index)}.png`, { at: 110, took: 200, protocol }),
  );
}

test("over HTTP/2, a replay needs as many connections as there were concurrent requests, and at least six", () => {
  const document = documentOf("/", { took: 100 });
  expect(connectionsNeeded([])).toBe(6);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(4, "http/2")]))).toBe(6);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(30, "http/2")]))).toBe(30);
});

test("over HTTP/1, six connections are enough, whether or not queueing was recorded", () => {
  const document = documentOf("/", { took: 100 });
  const queued = pictures(30, "http/1").map((_, index) =>
    visitOf(`/${String(index)}.png`, {
      at: 110,
      took: 200 * (1 + Math.floor(index / 6)),
      blocked: 200 * Math.floor(index / 6),
    }),
  );
  expect(connectionsNeeded(planSteps([], [document, ...queued]))).toBe(6);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(30, "http/1")]))).toBe(6);
});

test("with an unknown HTTP version, a replay needs one connection per concurrent request, from six to a hundred", () => {
  const document = documentOf("/", { took: 100, protocol: "" });
  expect(connectionsNeeded(planSteps([], [document, ...pictures(30, "")]))).toBe(30);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(300, "")]))).toBe(100);
  const quick = pictures(30, "").map((_, index) =>
    visitOf(`/${String(index)}.png`, { took: 15, protocol: "" }),
  );
  expect(connectionsNeeded(planSteps([], [document, ...quick]))).toBe(6);
});

test("with an unknown HTTP version and more than six concurrent requests, none waits for a connection in the plan", () => {
  const images = Array.from({ length: 13 }, (_, index) =>
    visitOf(`/${String(index)}.png`, { at: 110, took: 300 + 20 * index, protocol: "" }),
  );
  const steps = planSteps([], [documentOf("/", { took: 100 }), ...images, visitOf("/z.png", { at: 690 })]);
  expect(connectionsNeeded(steps)).toBe(13);
  expect(steps[0]?.waves.map(({ visits }) => visits.length)).toEqual([1, 13, 1]);
  expect(Math.abs(simulateStep(steps[0]?.waves ?? [], 13).totalMs - 700)).toBeLessThanOrEqual(50);
});

test("a request that starts when another ends reuses its connection", () => {
  const chain = Array.from({ length: 10 }, (_, index) =>
    visitOf(`/${String(index)}.js`, { at: 100 + index * 100, took: 100, protocol: "http/2" }),
  );
  expect(
    connectionsNeeded(planSteps([], [documentOf("/", { took: 100, protocol: "http/2" }), ...chain])),
  ).toBe(6);
});
