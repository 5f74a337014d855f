import { expect, test } from "vitest";
import { connectionsNeeded } from "../../src/structure/connections.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { simulateStep } from "../../src/structure/simulate-step.ts";
import type { Visit } from "../../src/visit.ts";
import { documentOf, visitOf } from "./recorded-visits.ts";

function pictures(count: number, protocol: "http/1" | "http/2" | ""): Visit[] {
  return Array.from({ length: count }, (_, index) =>
    visitOf(`/${String(index)}.png`, { at: 110, took: 200, protocol }),
  );
}

test("over HTTP/2 a replay needs as many connections as requests were on their way, at least a browser's six", () => {
  const document = documentOf("/", { took: 100 });
  expect(connectionsNeeded([])).toBe(6);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(4, "http/2")]))).toBe(6);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(30, "http/2")]))).toBe(30);
});

test("over HTTP/1 six are enough, whether or not the recorder tells the browser's queue", () => {
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

test("where nobody knows the version of HTTP, as many as were on their way, up to a hundred", () => {
  const document = documentOf("/", { took: 100, protocol: "" });
  expect(connectionsNeeded(planSteps([], [document, ...pictures(30, "")]))).toBe(30);
  expect(connectionsNeeded(planSteps([], [document, ...pictures(300, "")]))).toBe(100);
  const quick = pictures(30, "").map((_, index) =>
    visitOf(`/${String(index)}.png`, { took: 15, protocol: "" }),
  );
  expect(connectionsNeeded(planSteps([], [document, ...quick]))).toBe(6);
});

test("where nobody knows the version and more than six ran at once, none of them waits for a connection in the plan", () => {
  const images = Array.from({ length: 13 }, (_, index) =>
    visitOf(`/${String(index)}.png`, { at: 110, took: 300 + 20 * index, protocol: "" }),
  );
  const steps = planSteps([], [documentOf("/", { took: 100 }), ...images, visitOf("/z.png", { at: 690 })]);
  expect(connectionsNeeded(steps)).toBe(13);
  expect(steps[0]?.waves.map(({ visits }) => visits.length)).toEqual([1, 13, 1]);
  expect(Math.abs(simulateStep(steps[0]?.waves ?? [], 13).totalMs - 700)).toBeLessThanOrEqual(50);
});

test("what ends makes room for what starts", () => {
  const chain = Array.from({ length: 10 }, (_, index) =>
    visitOf(`/${String(index)}.js`, { at: 100 + index * 100, took: 100, protocol: "http/2" }),
  );
  expect(
    connectionsNeeded(planSteps([], [documentOf("/", { took: 100, protocol: "http/2" }), ...chain])),
  ).toBe(6);
});
