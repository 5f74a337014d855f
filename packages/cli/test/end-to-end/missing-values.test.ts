import { expect, test } from "vitest";

import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const written = [
  `http.get("/users/undefined")`,
  `http.get("/ads?slot=undefined&size=NaN")`,
  "http.get(`/users/${iteration.index}/null`)",
];

test("a test may request a URL that looks like a missing value only if its own file spells it out", async () => {
  const server = await startServer();
  const scenarios = [...written, "http.get(`/ads?size=${user.size}`)"].map(
    (call, index) => `s${index}: { ...load, exec: ({ http, iteration }) => ${call} },`,
  );
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", vus: 1, iterations: 2 } as const;
const user: { size?: number } = {};
export default defineTest({ baseUrl: "${server.url}", scenarios: {
${scenarios.join("\n")}
} });`);
  for (const workers of ["1", "0"]) {
    const { exitCode, result } = await runForResult(["run", file, "--workers", workers]);
    expect(exitCode).toBe(99);
    expect(result.messages).toEqual([
      expect.stringMatching(
        /^all 2 iterations of s3 failed; first error: .*GET \/ads: the query has "size=undefined", so a value is missing\. .* at .*your-test\.ts:8:\d+\n/,
      ),
    ]);
  }
  expect(server.total()).toBe(2 * 2 * written.length);
});

test("an address from the command line is used as it is", async () => {
  const server = await startServer();
  const { exitCode, result } = await runForResult([`${server.url}/undefined?page=NaN`, "-n", "3", "-c", "1"]);
  expect(exitCode, result.messages.join("\n")).toBe(0);
  expect(server.total()).toBe(3);
});
