import { stripVTControlCharacters } from "node:util";

import { displayWidth } from "@bearhug/text/display-width";
import type { Terminal } from "@bearhug/text/terminal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { renderLive } from "../../src/terminal/live/render-live.ts";
import { scenarioOf, snapshotOf } from "../snapshot-of.ts";
import { run, states } from "./live-states.ts";

const terminal: Terminal = { width: 80, height: 50, colors: false, unicode: true, isLive: true };

describe.each([60, 80, 200])("at %i columns", (columns) => {
  test.each(Object.entries(states))("%s", async (name, state) => {
    const width = Math.min(120, columns);
    const lines = renderLive(state, { ...terminal, width });
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
      `golden/${columns}-columns/${name.replaceAll(" ", "-").replaceAll(",", "")}.txt`,
    );
  });
});

const worst = states["errors, a threshold that fails, and a generator that is strained"];

test("only ASCII is used if the terminal has no Unicode", () => {
  const lines = renderLive(worst, { ...terminal, unicode: false });
  expect(lines.join("\n")).toMatch(/^[\x20-\x7e\n]*$/);
  expect(lines).toContainEqual(expect.stringMatching(/browse +50.0\/s +31.2\/s.*#+\.+ {2}18 s left/));
});

test("between two snapshots, only the clock and the bars advance", () => {
  const at = (sinceMs: number) =>
    renderLive({ ...states["one scenario"], sinceMs }, { ...terminal, width: 100 });
  const [now, later] = [at(0), at(900)];
  const changed = now.flatMap((line, index) => (line === later[index] ? [] : [line.trim().split(" ", 1)[0]]));
  expect(changed).toEqual(["browse"]);
  expect(later[3]).toContain("18 s left");
  expect(at(1100)[3]).toContain("17 s left");
  expect(at(1100)[0]).toMatch(/13 s of 30 s$/);
});

test("failing thresholds and errors are red, and a scenario that falls behind is yellow", () => {
  const lines = renderLive(worst, { ...terminal, colors: true });
  const line = (text: string) => lines.find((one) => stripVTControlCharacters(one).includes(text)) ?? "";
  expect(line("rate<1%")).toContain("\u001b[31mhttp_req_failed\u001b[39m");
  expect(line("p(95)<30ms")).not.toContain("\u001b[31m");
  expect(line("HTTP_503")).toContain("\u001b[31m64\u001b[39m");
  expect(line("browse")).toContain("\u001b[33m31.2/s\u001b[39m");
  expect(line("strained")).toContain("\u001b[33m");
});

test.each([
  [24, ["front page", "browse", "checkout", "later", "requests", "p99", "errors", "checks", "generator"]],
  [12, ["front page", "browse", "requests", "HTTP_503", "http_req_failed", "generator"]],
  [7, ["browse", "requests", "failed", "p95", "http_req_failed"]],
  [4, ["25 s of 30 s"]],
])("a terminal of %i lines shows the most important parts", (height, expected) => {
  const text = renderLive(worst, { ...terminal, height }).join("\n");
  for (const part of expected) expect(text).toContain(part);
});

test("if there are too many thresholds, failing ones come first, and the rest are counted", () => {
  const thresholds = Array.from({ length: 30 }, (_, index) => ({
    metric: `m${index}`,
    expression: "count>1",
    passed: index !== 28,
    actual: 5,
    unit: null,
    isShare: false,
  }));
  const state = { run, sinceMs: 0, snapshots: [snapshotOf({ thresholds })] };
  const lines = renderLive(state, { ...terminal, height: 20 });
  expect(lines).toHaveLength(19);
  expect(lines.find((line) => /\bm\d/.test(line))).toContain("✗  m28");
  expect(lines.join("\n")).toMatch(/and \d+ more$/m);
});

test("lines fit the terminal and contain no control characters, whatever its size and the test's names", () => {
  const name = fc.string({ unit: anyCharacter, maxLength: 30 });
  fc.assert(
    fc.property(
      fc.integer({ min: 40, max: 120 }),
      fc.integer({ min: 1, max: 40 }),
      fc.array(name, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (width, height, names, unicode) => {
        const errors = names.map((one, index) => ({
          code: `HTTP_${500 + index}`,
          count: 10 ** index,
          name: one,
        }));
        const scenarios = names.map((one, index) =>
          scenarioOf({ name: one, plannedRate: 10 ** index, iterations: 10 ** index, dropped: index }),
        );
        const snapshot = snapshotOf({ scenarios, errors, requestRate: 123_456, requests: 1e9 });
        const state = {
          run: { ...run, test: { ...run.test, name: names[0] ?? "" } },
          sinceMs: 0,
          snapshots: [snapshot],
        };
        const lines = renderLive(state, { ...terminal, width, height, unicode });
        expect(lines.length).toBeGreaterThan(0);
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, height - 1));
        expect(Math.max(...lines.map(displayWidth))).toBeLessThan(width);
        expect(lines.join("")).not.toMatch(/\p{Cc}/u);
      },
    ),
    { numRuns: 12 },
  );
});
