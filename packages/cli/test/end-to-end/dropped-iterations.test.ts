import { describe, expect, test } from "vitest";

import { dropReasons } from "./drop-reasons.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const visits = (url: string, options: string, rest = ""): string =>
  writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  ${rest}
  scenarios: {
    visits: {
      executor: "constant-arrival-rate", rate: 50, duration: "2s", gracefulStop: "500ms", ${options},
      exec: ({ http }) => http.get("/"),
    },
  },
});`);

/** Starts a server that answers the first 40 requests, and then hangs. */
function hangsHalfWay() {
  let answered = 0;
  return startServer((_request, response) => {
    if (++answered <= 40) response.end("hello\n");
  });
}

describe("an open model whose target hangs half-way", () => {
  test("fails, names the target, and does not ask for more VUs", async () => {
    const server = await hangsHalfWay();
    const { exitCode, result, stdout } = await runForResult(["run", visits(server.url, "maxVUs: 10")]);
    expect(exitCode, stdout).toBe(99);
    expect(result.messages.join("\n")).toMatch(
      /the planned load was not reached: \d+ of 100 iterations of visits were dropped.* because all VUs were waiting for requests that the target never answered/,
    );
    expect(stdout).toContain("more VUs would hang too");
    expect(stdout).not.toMatch(/raise maxVUs/i);
    expectBalanced(result);
  });

  test("fails with a queue, too, in which most arrivals still wait at the end", async () => {
    const server = await hangsHalfWay();
    const file = visits(server.url, `maxVUs: 10, onBusy: "queue"`);
    const { exitCode, result, stdout } = await runForResult(["run", file]);
    expect(exitCode, stdout).toBe(99);
    expect(result.messages.join("\n")).toContain("the planned load was not reached");
    expect(dropReasons(result)["busy"]).toBeGreaterThan(20);
    expectBalanced(result);
  });

  test("is judged only by a threshold on dropped iterations, if there is one", async () => {
    const server = await hangsHalfWay();
    const rest = `thresholds: { dropped_iterations: ["count<90"] },`;
    const file = visits(server.url, "maxVUs: 10", rest);
    const { result } = await runForResult(["run", file]);
    expect(result.messages.join("\n")).not.toContain("the planned load was not reached");
    expect(result.thresholds).toMatchObject([{ passed: true, actual: result.accounting.iterations.dropped }]);
  });
});

test("a threshold can judge a count of 0: of dropped iterations, and of the test's own counter", async () => {
  const server = await startServer();
  const rest = `
  metrics: { coupons: { type: "counter" } },
  thresholds: {
    dropped_iterations: ["count<1"],
    "dropped_iterations{scenario:visits}": ["count<1"],
    "dropped_iterations{reason:busy}": ["rate<1"],
    "dropped_iterations{reason:late}": [{ threshold: "count<1", window: "1s" }],
    coupons: ["count<1"],
    "coupons{scenario:visits}": ["count<1"],
    "coupons{page:nowhere}": ["count<1"],
  },`;
  const { exitCode, result, stdout } = await runForResult([
    "run",
    visits(server.url, "maxVUs: 50", rest),
    "--workers",
    "1",
  ]);
  expect(exitCode, stdout).toBe(99);
  const judged = result.thresholds.map(({ metric, passed, actual }) => [metric, passed, actual]);
  expect(judged).toEqual([
    ["dropped_iterations", true, 0],
    ["dropped_iterations{scenario:visits}", true, 0],
    ["dropped_iterations{reason:busy}", true, 0],
    ["dropped_iterations{reason:late}", true, 0],
    ["coupons", true, 0],
    ["coupons{scenario:visits}", true, 0],
    // The page does not exist: its name may be misspelt.
    ["coupons{page:nowhere}", false, null],
  ]);
  expect(stdout).not.toContain("were dropped");
});
