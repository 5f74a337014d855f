import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** A broken scenario, and a part of the reason why it fails the run; `…` stands for any text. */
interface BrokenScenario {
  readonly name: string;
  readonly exec: string;
  readonly says: string;
}

/** Read from a file with one scenario on each line: its name, its function, and what the verdict says. */
const kinds: readonly BrokenScenario[] = readFileSync(
  new URL("fixtures/broken-scenarios.txt", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => {
    const [, name = "", rest = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
    const cut = rest.lastIndexOf(" // ");
    return { name, exec: rest.slice(0, cut), says: rest.slice(cut + 4) };
  });

const head = (
  url: string,
): string => `import { EventEmitter } from "node:events"; import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", vus: 1, iterations: 2, maxDuration: "20s" } as const;
export default defineTest({ baseUrl: "${url}", env: { REGION: { default: "eu" } }, setup: () => ({ token: "t" }), feeds: { users: [{ name: "ada" }] },
metrics: { found: { type: "rate" }, size: { type: "trend" }, sold: { type: "counter" } }, thresholds: { http_reqs: ["count>1"] }, scenarios: {`;

test("every kind of broken scenario fails the run, whatever runs beside it, and is named with its line", async () => {
  const server = await startServer((request, response) => {
    if (request.url === "/missing") response.statusCode = 404;
    response.end(request.url === "/text" ? "hello" : "{}");
  });
  const scenarios = kinds.map(({ name, exec }) => `${name}: { ...load, exec: ${exec} },`);
  const sound = `sound: { ...load, exec: async ({ http }) => { await http.get("/"); } },`;
  const before = head(server.url);
  const file = writeTest([before, ...scenarios, sound, "} });"].join("\n"));
  const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
  expect(exitCode).toBe(99);
  expectBalanced(result);
  const firstLine = before.split("\n").length + 1;
  for (const [index, { name, says }] of kinds.entries()) {
    const reason = result.messages.find((message) => reasonOf(name).test(message)) ?? "";
    expect(reason, name).toMatch(patternOf(says));
    expect(reason, name).toContain(`your-test.ts:${firstLine + index}:`);
  }
  expect(result.messages.filter((message) => reasonOf("sound").test(message))).toEqual([]);
});

/** Matches the first line of a reason about a scenario. */
function reasonOf(scenario: string): RegExp {
  return new RegExp(
    `^(?:all \\d+ iterations of|\\d+ iterations of|no request of scenario|check .* in scenario) ${scenario}\\b`,
  );
}

function patternOf(says: string): RegExp {
  return new RegExp(
    says
      .split("…")
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join(".*"),
  );
}
