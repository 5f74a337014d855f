import { expect, test } from "vitest";

import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("a request's time-out overrides its scenario's, and that overrides the test's", async () => {
  const server = await startServer(() => {});
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const visit = (name, options) => ({
  executor: "per-vu-iterations", vus: 1, iterations: 2, ...options,
  exec: ({ http }) => http.get("/" + name, { name }),
});
export default defineTest({
  baseUrl: "${server.url}",
  http: { timeout: "300ms" },
  scenarios: {
    test: visit("test", {}),
    scenario: visit("scenario", { http: { timeout: { whole: "500ms" } } }),
    request: {
      ...visit("request", { http: { timeout: "500ms" } }),
      exec: ({ http }) => http.get("/request", { name: "request", timeout: "700ms" }),
    },
    kept: visit("kept", { http: { timeout: { connect: "5s" } } }),
    part: {
      ...visit("part", { http: { timeout: { firstByte: "400ms", whole: "500ms" } } }),
      exec: ({ http }) => http.get("/part", { name: "part", timeout: "5s" }),
    },
  },
});`);
  const { result, stderr } = await runForResult(["run", file, "--workers", "1"]);
  const leastOf = (name: string): number => {
    const times = result.names.find((row) => row.name === name)?.metrics["http_req_response_time"];
    if (times?.type !== "trend") throw new TypeError(`${name} has no response times: ${stderr}`);
    expect(times.values.count, stderr).toBe(2);
    return times.values.min;
  };
  const bounds = { test: 300, kept: 300, scenario: 500, request: 700, part: 400 };
  for (const [name, boundMs] of Object.entries(bounds)) {
    expect(leastOf(name), name).toBeGreaterThanOrEqual(boundMs);
    const [error, ...others] = result.errors.filter((one) => one.name === name);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "RESPONSE_TIMEOUT", count: 2 });
    expect(error?.message).toContain(`within ${boundMs} ms`);
  }
});
