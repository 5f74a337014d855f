import type { OverloadResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { renderMarkdown } from "../src/markdown/render-markdown.ts";
import { renderSummary } from "../src/terminal/summary.ts";
import { classifyOverload } from "../../engine/src/outcome/overload/classify-overload.ts";
import { queueingServer, simulate } from "../../engine/test/outcome/overload/simulated-server.ts";
import { resultOf } from "./result-of.ts";

const plain = { colors: false, width: 80, unicode: true };
const load = { rate: 150, factor: 2, phaseMs: 12_000 };
const queued = classifyOverload(load, simulate(load, queueingServer(4), 3).seconds);

function summaryOf(overload: OverloadResult): string {
  const text = renderSummary(resultOf({ overload }), plain);
  return text.slice(text.indexOf("Overload"), text.indexOf("\n\n", text.indexOf("Overload")));
}

describe("the summary of an overload", () => {
  test("describes how the target behaved, and draws goodput as part of the offered load", () => {
    expect(summaryOf(queued)).toMatchInlineSnapshot(`
      "Overload
        At 300/s, 2 times the rate, the target queues requests: response times rise
        far above those at the rate. 253/s of 300/s requests succeeded at the end, and
        p95 went from 21.7 ms to 1.97 s.
        It was back to normal 8 s after the load fell, to the nearest 1 s (at least
        115/s succeed, with p95 up to 36.7 ms).
        Retries did not keep it down: iterations sent no more requests than before the
        overload.
        New connections did not keep it down: no more opened than before the overload.
        phase             offered  goodput  failed  dropped      p95  of the load
        at the rate         150/s    153/s     0/s      0/s  21.7 ms  ███████
        above the rate      300/s    248/s     0/s      0/s   1.35 s  ███████████──
        back at the rate    150/s    205/s     0/s      0/s   1.30 s  █████████"
    `);
  });

  test("reports more requests per iteration, which may be retries", () => {
    const phases = queued.phases.map((phase) => ({
      ...phase,
      requestsPerIteration: phase.name === "base" ? 1 : 2.5,
    }));
    expect(summaryOf({ ...queued, phases }).replaceAll(/\s+/g, " ")).toContain(
      "Retries may have kept it down: each iteration sent 2.50 requests after the load fell, but only 1 before the overload.",
    );
  });

  test("reports connections that are opened again after the load fell", () => {
    const phases = queued.phases.map((phase) => ({
      ...phase,
      connectionsOpened: phase.name === "recovery" ? 12 : 0.5,
    }));
    expect(summaryOf({ ...queued, phases }).replaceAll(/\s+/g, " ")).toContain(
      "New connections may have kept it down: 12.0/s opened after the load fell, but only 0.500/s before the overload.",
    );
  });

  test("does not mention recovery if it is unclear how the target behaved", () => {
    expect(summaryOf({ ...queued, kind: "unclear", because: "the run was short" })).not.toContain("normal");
  });
});

test("Markdown has the same sentences and a table", () => {
  const text = renderMarkdown(resultOf({ overload: queued }));
  expect(text).toContain("- At 300/s, 2 times the rate, the target queues requests: response times rise");
  expect(text).toContain("| phase | offered | goodput | failed | dropped | p95 |");
  expect(text).toContain("| above the rate | 300/s |");
});
