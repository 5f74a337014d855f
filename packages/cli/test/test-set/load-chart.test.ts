import { createStyle } from "@bearhug/report/terminal/style";
import { expect, test } from "vitest";

import { renderLoadChart } from "../../src/test-set/load-chart.ts";
import { constantVus, rampingVus, sharedIterations } from "../../../plan/test/test-file/tests-for-plans.ts";

const style = createStyle({ colors: false, width: 50, unicode: true });

test("scenarios are drawn below each other on one time axis, each scaled to its own peak", () => {
  const ramp = { ...rampingVus("ramp"), startTimeMs: 6000 };
  const steady = constantVus("steady", 40);
  const open = { ...sharedIterations("until done"), startTimeMs: 2000 };
  expect(renderLoadChart([steady, ramp, open], 2500, style)).toEqual([
    "  steady      40 VUs │████████████████████████████",
    "                     │████████████████████████████",
    "                     │████████████████████████████",
    "                     │",
    "  ramp         4 VUs │                  ▄█",
    "                     │                 ▆██",
    "                     │                ▇███",
    "                     │",
    "  until done   3 VUs │     ░░░░░░░░░░░░░░░░░░░░░░░",
    "                     │     ░░░░░░░░░░░░░░░░░░░░░░░",
    "                     │     ░░░░░░░░░░░░░░░░░░░░░░░",
    "                     └──────────────┬────────────┬",
    "                      0             5 s       10 s",
    "                      ━━━━━━━ warm-up, not measured",
    "  ░░░ until the iterations are done",
  ]);
});

test("every line fits the width; without enough room there is no chart", () => {
  for (const width of [40, 41, 60, 79, 120])
    for (const line of renderLoadChart([constantVus("steady"), rampingVus("ramp")], 0, { ...style, width }))
      expect(line.length).toBeLessThanOrEqual(width);
  const long = [constantVus("a name that takes the whole line")];
  expect(renderLoadChart(long, 0, { ...style, width: 40 })).toEqual([]);
});

test("no chart is drawn if no scenario has a known end", () => {
  expect(renderLoadChart([sharedIterations("s")], 0, style)).toEqual([]);
});

test("a terminal that shows only ASCII gets only ASCII", () => {
  const ascii = createStyle({ colors: false, width: 50, unicode: false });
  const lines = renderLoadChart([rampingVus("ramp"), sharedIterations("s")], 500, ascii);
  expect(lines.join("")).toMatch(/^[ -~]+$/);
});
