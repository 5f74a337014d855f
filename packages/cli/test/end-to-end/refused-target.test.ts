import type { TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { closedPort } from "../../../http/test/servers.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";

/** Writes a test with these scenarios, at an address where nothing listens. */
async function testAtClosedPort(scenarios: string, rest = ""): Promise<string> {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${await closedPort()}",
  metrics: { call: { type: "trend" } },
  ${rest}
  scenarios: { ${scenarios} },
});`);
}

/** Returns the largest median of these trends. */
function largestMedianMs({ metrics }: TestResult, names: readonly string[]): number {
  const medians = names.map((name) => {
    const metric = metrics[name];
    if (metric?.type !== "trend") throw new TypeError(`${name} has no samples`);
    return metric.values["p(50)"] ?? Number.NaN;
  });
  return Math.max(...medians);
}

const measuredCall = `async ({ http, metrics, page }) => {
  const began = performance.now();
  await page("home", () => http.get("/", { timeout: 300 }));
  metrics.call.add(performance.now() - began);
}`;

describe("at an address that refuses every connection", () => {
  test("an open model keeps its rate, and no call waits", async () => {
    const file = await testAtClosedPort(
      `s: { executor: "constant-arrival-rate", rate: 20, duration: "3s", maxVUs: 8, exec: ${measuredCall} }`,
    );
    const { result, stdout } = await runForResult(["run", file, "--workers", "1"]);
    expectBalanced(result);
    expect(result.accounting.iterations, stdout).toMatchObject({
      scheduled: 60,
      dropped: 0,
      interrupted: 0,
    });
    // With rests, each virtual user would wait for 0, 100, 200, … 600 ms.
    expect(largestMedianMs(result, ["call", "iteration_response_time", "page_duration"])).toBeLessThan(250);
  });

  test("virtual users of a closed model rest between iterations, never inside one", async () => {
    const file = await testAtClosedPort(
      `fixed: { executor: "constant-vus", vus: 2, duration: "3s", exec: ${measuredCall} },
       ramp: { executor: "ramping-vus", startVUs: 2, stages: [{ duration: "2s", target: 2 }, { duration: "1s", target: 0 }], exec: ${measuredCall} }`,
    );
    const { result } = await runForResult(["run", file, "--workers", "1"]);
    expectBalanced(result);
    const { started, interrupted } = result.accounting.iterations;
    expect(interrupted).toBe(0);
    // Without rests there would be thousands. Each virtual user has nine: at 0, 0, 100, 300, 600, 1000, 1500,
    // 2100 and 2800 ms.
    expect(started).toBeGreaterThanOrEqual(4 * 3);
    expect(started).toBeLessThanOrEqual(4 * 9);
    expect(largestMedianMs(result, ["call", "iteration_duration", "page_duration"])).toBeLessThan(250);
    // The rest ends with the scenario's time.
    expect(result.durationMs).toBeLessThan(3000 + 1000);
  });

  test.for(["shared-iterations", "per-vu-iterations"])("%s loses no iteration", async (executor) => {
    const file = await testAtClosedPort(
      `s: { executor: "${executor}", vus: 2, iterations: ${executor === "shared-iterations" ? 8 : 4}, exec: ${measuredCall} }`,
    );
    const { result } = await runForResult(["run", file, "--workers", "1"]);
    expectBalanced(result);
    expect(result.accounting.iterations).toMatchObject({ scheduled: 8, completed: 8, dropped: 0 });
    expect(largestMedianMs(result, ["call"])).toBeLessThan(90);
    expect(result.durationMs).toBeGreaterThanOrEqual(300);
  });

  test("a one-liner does not spin either", async () => {
    const { result } = await runForResult([await closedPort(), "--connections", "2", "--duration", "2s"]);
    expect(result.accounting.iterations.started).toBeLessThanOrEqual(2 * 7);
    expect(largestMedianMs(result, ["iteration_duration"])).toBeLessThan(90);
  });

  test("a stop ends the rest at once", async () => {
    const file = await testAtClosedPort(
      `s: { executor: "per-vu-iterations", vus: 1, iterations: 1000, exec: ${measuredCall} },
       stop: { executor: "per-vu-iterations", startTime: 2300, vus: 1, iterations: 1, exec: async ({ abort }) => { abort("enough"); } }`,
    );
    const { result } = await runForResult(["run", file, "--workers", "1"]);
    expect(result.verdict).toBe("aborted");
    expectBalanced(result);
    // The rest that began 2.1 s after the start lasts until 2.8 s.
    expect(result.durationMs).toBeLessThan(2750);
  });
});
