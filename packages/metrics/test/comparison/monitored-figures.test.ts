import type { MonitorResult } from "@bearhug/sdk/result";
import { expect, test } from "vitest";

import { chooseFigures } from "../../src/comparison/choose-figures.ts";
import { monitoredFigures } from "../../src/comparison/monitored-figures.ts";
import { exploratoryTable } from "../../../report/src/model/comparison.ts";
import { monitored } from "../../../report/test/monitored-result.ts";
import { resultOf } from "../../../report/test/result-of.ts";

function runOf(gauges: Readonly<Record<string, number>>) {
  const monitors: readonly MonitorResult[] = [
    {
      name: "server",
      source: "process 1",
      gaps: [],
      gauges: Object.entries(gauges).map(([gauge, avg]) => ({
        metric: `server.${gauge}`,
        unit: "%" as const,
        points: [],
        values: { value: avg, avg, min: avg, max: avg },
      })),
    },
  ];
  return { name: "run", result: resultOf({ monitors }) };
}

test("gauges that both sides have are shown side by side, averaged over the runs of a side", () => {
  const figures = monitoredFigures(
    [runOf({ cpu: 40 }), runOf({ cpu: 50 })],
    [runOf({ cpu: 54, sockets: 9 })],
  );
  expect(figures).toHaveLength(1);
  expect(figures[0]).toMatchObject({ metric: "server.cpu", base: 45, new: 54, answer: null, interval: null });
  expect(figures[0]?.difference).toBeCloseTo(0.2);
  const [row] = exploratoryTable({ exploratory: figures }).rows;
  expect(row?.cells.slice(0, 3).map(({ text }) => text)).toEqual(["server.cpu avg", "45.0 %", "54.0 %"]);
});

test("a gauge that stood at 0 has no relative change", () => {
  expect(monitoredFigures([runOf({ cpu: 0 })], [runOf({ cpu: 5 })])).toMatchObject([{ difference: null }]);
});

test("a threshold on a gauge decides nothing, and a note says so", () => {
  const { figures, leftOut } = chooseFigures(monitored, [monitored]);
  expect(figures.map(({ key }) => key)).not.toContain("server.cpu");
  expect(leftOut).toEqual(["server.cpu: avg<80% is not compared: gauges of monitors are shown, not judged."]);
});
