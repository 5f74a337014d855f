import type { TestResult } from "@bearhug/sdk";
import type { SweepEnding, SweepResult, TrialResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { renderMarkdown } from "../src/markdown/render-markdown.ts";
import { renderSummary } from "../src/terminal/summary.ts";
import { judgeLadder } from "../../engine/src/trials/sweep/judge-ladder.ts";
import { limitedTrial, rateTrial, trialOf } from "../../engine/test/trials/trial-of.ts";
import { resultOf } from "./result-of.ts";

const plain = { colors: false, width: 80, unicode: true };

function sweepOf(
  loadUnit: SweepResult["loadUnit"],
  ...ladders: readonly { name: string; steps: readonly TrialResult[]; ending?: SweepEnding }[]
): TestResult {
  const [first] = ladders;
  return resultOf({
    sweep: {
      loadUnit,
      loads: [1, 2],
      settleMs: 2000,
      measureMs: 5000,
      conditions: {},
      targets: ladders.map(({ name, steps, ending = "complete" }) => {
        return { name, address: null, steps, ending, ...judgeLadder(steps) };
      }),
      described: { target: first?.name ?? "", load: 32, exitCode: 0, messages: [] },
    },
  });
}

const limited = { name: "shop", steps: [4, 8, 16, 32, 64].map((vus) => limitedTrial(vus, 12, 20)) };

function sectionOf(result: TestResult, appearance = plain): string {
  const text = renderSummary(result, appearance);
  return text.slice(text.indexOf("Sweep"));
}

test("the CPU of each monitor has a column in the table of steps", () => {
  const cpu = (metric: string, avg: number) => ({ metric, unit: "%" as const, avg });
  const [first, ...others] = limited.steps;
  const steps = [
    {
      ...first!,
      gauges: [cpu("server.cpu", 12.34), cpu("server.process_cpu", 9), cpu("db.process_cpu", 55)],
    },
    { ...others[0]!, gauges: [cpu("server.cpu", 30)] },
    ...others.slice(1),
  ];
  const result = sweepOf("connections", { name: "shop", steps });
  const lines = sectionOf(result, { ...plain, width: 120 }).split("\n");
  const at = lines.findIndex((line) => line.includes("received/s"));
  const [titles, one, two, three] = lines.slice(at);
  expect(titles).toMatch(/received\/s +server\.cpu +db\.process_cpu +generator$/);
  expect(one).toMatch(/B +12\.3 % +55\.0 % +healthy$/);
  expect(two).toMatch(/B +30\.0 % +healthy$/);
  expect(three).toMatch(/B +healthy$/);
  expect(renderMarkdown(result)).toContain("| received/s | server.cpu | db.process\\_cpu | generator |");
});

describe("the summary of a sweep", () => {
  test("ends with a table, a chart and conclusions", () => {
    expect(sectionOf(sweepOf("connections", limited))).toMatchInlineSnapshot(`
      "Sweep  response times in ms
        Each step had 2 s to settle and 5 s of measurement ·
        the other sections show the best step, at 32 connections

        connections  requests/s   p50   p90   p99  failed  received/s  generator
                  4         200  20.0  20.0  20.0     0 %      200 kB    healthy
                  8         400  20.0  20.0  20.0     0 %      400 kB    healthy
                 16         600  26.7  26.7  26.7     0 %      600 kB    healthy
                 32         600  53.3  53.3  53.3     0 %      600 kB    healthy
                 64         600   107   107   107     0 %      600 kB    healthy

                        throughput                  20.0 ms  p50–p99  107 ms
         4 connections  ██████▌              200/s  ┼
         8 connections  █████████████▌       400/s  ┼
        16 connections  ████████████████████ 600/s      ┼  knee
        32 connections  ████████████████████ 600/s               ┼
        64 connections  ████████████████████ 600/s                         ┼

        Knee: about 12 connections, between the steps at 8 and 16 connections.
          Beyond it, response times grow faster than throughput.
        Scalability (USL): 58.9/s with one request at a time, contention 0.029,
          coherency 9.2e-4; the fit is within 12.1 % of the throughput at all 5 steps.
          The target does not follow this law well: do not predict other loads with
          it.
        Peak: 673/s with 32.5 requests in flight.
        Little's law holds at every step, within 0 %.

      ✓ completed, exit code 0
      "
    `);
  });

  test("fits the terminal, and uses only ASCII if it has no Unicode", () => {
    const text = sectionOf(sweepOf("vus", limited), { colors: false, width: 80, unicode: false });
    expect(text).toMatch(/^[\n -~]*$/);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("names each target if there are several", () => {
    const text = sectionOf(sweepOf("vus", { ...limited, name: "cached" }, { ...limited, name: "uncached" }));
    expect(text.match(/^ {2}(un)?cached$/gm)).toEqual(["  cached", "  uncached"]);
    expect(text.replaceAll(/\s+/g, " ")).toContain("the best step, at 32 VUs of cached");
  });

  test.each([
    ["complete", {}, "Throughput still grew at 4 connections; sweep to higher loads."],
    ["generator", {}, "Throughput still grew at 2 connections, the last step without a saturated generator."],
    [
      "failures",
      { failedShare: 0.4 },
      "Throughput still grew at 2 connections, the last step before requests failed.",
    ],
  ] as const)(
    "names the last step with growing throughput, if the sweep ended with %s",
    (ending, last, sentence) => {
      const [first, second, third] = [1, 2, 4].map((vus) => limitedTrial(vus, 16, 20));
      const generator = { verdict: ending === "generator" ? "saturated" : "healthy", reasons: [] } as const;
      const steps = [
        first!,
        second!,
        { ...third!, ...last, generator: { ...third!.generator, ...generator } },
      ];
      expect(
        sectionOf(sweepOf("connections", { name: "shop", steps, ending }), { ...plain, width: 200 }),
      ).toContain(`Knee: not reached. ${sentence}`);
    },
  );

  test("says when a step was too short for its iterations", () => {
    const steps = [trialOf(10, 100), trialOf(20, 100, { busyVus: 13 })];
    expect(sectionOf(sweepOf("vus", { name: "shop", steps })).replaceAll(/\s+/g, " ")).toContain(
      "Little's law accounts for only 13 of 20 VUs: the steps were too short for their iterations. Give a longer --measure.",
    );
  });

  test("shows rates with their unit, and where they stopped", () => {
    const steps = [rateTrial(100, 100), rateTrial(200, 150), rateTrial(400, 155)];
    const text = sectionOf(sweepOf("rate", { name: "shop", steps, ending: "rate" })).replaceAll(/\s+/g, " ");
    expect(text).toContain(
      "Stopped at 400/s because the target was overloaded: for two steps it completed less than 90 % of the rate.",
    );
    expect(text).toContain("Knee: about 160/s, between the steps at 100/s and 200/s.");
    expect(text).not.toContain("Little");
  });

  test.for([
    ["failures", "Stopped at 2 VUs because of failures: 40.00 % failed (HTTP_503 ×12)."],
    [
      "throughput",
      "Stopped at 2 VUs because the target was overloaded: throughput stayed below 80 % of its peak for two steps.",
    ],
    [
      "generator",
      "Stopped at 2 VUs because the load generator was saturated: this step measured it, not the target.",
    ],
    ["error", "Stopped after the step at 2 VUs: the next step could not run."],
    ["interrupted", "Interrupted after the step at 2 VUs."],
    ["unfinished", "Not finished: written after the step at 2 VUs."],
  ] as const)("states why a ladder ended: %s", ([ending, sentence]) => {
    const failed = trialOf(2, 10, {
      failedShare: 0.4,
      busyVus: ending === "failures" ? 0.1 : 2,
      errors: [{ code: "HTTP_503", count: 12 }],
    });
    const text = sectionOf(sweepOf("vus", { name: "shop", steps: [trialOf(1, 10), failed], ending }));
    expect(text.replaceAll(/\s+/g, " ")).toContain(sentence);
    expect(text).toContain("Little's law holds at every step");
  });

  test("does not call the generator healthy if the steps were too short to judge it", () => {
    const steps = [trialOf(1, 10, { durationMs: 1500 })];
    expect(sectionOf(sweepOf("vus", { name: "shop", steps }))).toContain("not judged");
  });

  test("states if there were no responses or no steps", () => {
    const text = sectionOf(sweepOf("vus", { name: "shop", steps: [], ending: "interrupted" }));
    expect(text).toContain("Interrupted before its first step.");
    const silent = { name: "shop", steps: [trialOf(1, 10, { count: 0 })], ending: "failures" } as const;
    expect(sectionOf(sweepOf("vus", silent))).toContain("nothing was answered");
  });
});

test("Markdown has the same table and sentences", () => {
  const text = renderMarkdown(sweepOf("connections", limited));
  expect(text).toContain(
    "| connections | requests/s | p50 ms | p90 ms | p99 ms | failed | received/s | generator |",
  );
  expect(text).toContain("| 64 | 600 | 107 | 107 | 107 | 0 % | 600 kB | healthy |");
  expect(text).toContain("- Knee: about 12 connections, between the steps at 8 and 16 connections.");
});
