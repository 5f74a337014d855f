import { gunzipSync } from "node:zlib";

import { momentsOf } from "@bearhug/metrics/run-curves";
import { comparisonSchema } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { alignBase } from "../../src/html/timeline-data.ts";
import { comparisonPageData } from "../../src/html/compare-data.ts";
import { gatherPageData } from "../../src/html/gather-page-data.ts";
import { baseRun, comparedRun, comparison } from "./compared-result.ts";

const ofRun = gatherPageData(comparedRun);
const ofBase = gatherPageData(baseRun);
const ofBoth = comparisonPageData(comparison);

type PageDataOfRun = typeof ofRun;

const linesOf = ({ timeline }: PageDataOfRun, chart: string) =>
  timeline?.charts.find(({ id }) => id === chart)?.lines ?? [];

function expectClose(values: readonly (number | null)[], expected: readonly (number | null)[]): void {
  expect(values).toHaveLength(expected.length);
  for (const [at, value] of values.entries())
    if (expected[at] === null) expect(value).toBeNull();
    else expect(Math.abs((value ?? NaN) - expected[at]!)).toBeLessThanOrEqual(0.0005 * expected[at]!);
}

describe("a run with a baseline", () => {
  test("has the answer, its notes, the deciding figures, and exploratory figures separately", () => {
    expect(ofRun.compared).toMatchObject({
      tone: "bad",
      word: "REGRESSED",
      sides: "new.json against base.json",
    });
    expect(ofRun.compared?.sentences).toEqual(comparison.notes);
    const tolerated = gatherPageData({ ...comparedRun, comparison: { ...comparison, exitCode: 0 } });
    expect(tolerated.compared?.sentences).toEqual([...comparison.messages, ...comparison.notes]);
    const rows = ofRun.compared!.figures.rows.map(({ cells }) => cells.map(({ text }) => text));
    expect(rows.map((cells) => [cells.at(-1), cells[0]])).toEqual([
      ["REGRESSED", "http_req_duration p(50)"],
      ["REGRESSED", "http_req_duration p(95)"],
      ["OK", "http_req_failed rate"],
    ]);
    for (const cells of rows) expect(cells.every((text) => text !== "")).toBe(true);
    const columns = ofRun.compared!.exploratory?.columns.map(({ title }) => title) ?? [];
    expect(columns).not.toContain("answer");
  });

  test.each(["durations", "requests", "vus", "iterations"])("draws the base's %s beside its own", (chart) => {
    const own = linesOf(ofRun, chart).filter(({ isBase }) => isBase !== true);
    const base = linesOf(ofRun, chart).filter(({ isBase }) => isBase === true);
    expect(base.map(({ label }) => label)).toEqual(own.map(({ label }) => `base ${label}`));
    for (const [at, { values }] of linesOf(ofBase, chart).entries())
      expectClose(base[at]?.values ?? [], values);
    for (const { values } of own) expect(values.slice(20)).toEqual([null, null, null, null]);
  });

  test("has a line for failures that only the base had, and extends to the end of the longer run", () => {
    expect(linesOf(ofRun, "requests").map(({ label }) => label)).toContain("failed");
    expect(ofRun.timeline?.seconds).toEqual(ofBase.timeline?.seconds);
    expect(ofRun.timeline?.heatMap?.cells).toHaveLength(20);
  });

  test("has the percentiles of the base beside its own", () => {
    const { percentiles = [], baseMs } = ofRun.percentiles ?? {};
    expectClose(baseMs ?? [], ofBase.percentiles!.valuesMs.slice(0, percentiles.length));
    expect(ofBase.percentiles?.baseMs).toBeNull();
    expect(ofBase.compared).toBeNull();
  });
});

describe("a comparison", () => {
  test("has the verdict, and both runs in the same charts as a run with a baseline", () => {
    expect(ofBoth.verdict).toMatchObject({ tone: "bad", word: "REGRESSED" });
    expect(ofBoth.verdict.reasons.map(({ text }) => text)).toEqual(comparison.messages);
    expect(ofBoth.compared?.figures).toEqual(ofRun.compared?.figures);
    expect(ofBoth.timeline?.charts.map(({ id }) => id)).toEqual(ofRun.timeline?.charts.map(({ id }) => id));
    for (const { id, lines } of ofRun.timeline!.charts)
      for (const [at, { label, values }] of lines.entries()) {
        expect(linesOf(ofBoth, id)[at]?.label).toBe(label);
        expectClose(linesOf(ofBoth, id)[at]?.values ?? [], values);
      }
    expectClose(ofBoth.percentiles!.valuesMs, ofRun.percentiles!.valuesMs);
    expect(ofBoth.percentiles?.baseMs).toEqual(ofRun.percentiles?.baseMs);
  });

  test("offers its document for download", () => {
    const document: unknown = JSON.parse(
      gunzipSync(Buffer.from(ofBoth.download!.gzipped, "base64")).toString(),
    );
    expect(comparisonSchema().parse(document)).toEqual(comparison);
  });

  test("has no charts over time if its two sides took turns in one run", () => {
    const [base, other] = [comparison.base, comparison.new].map(({ target, runs }) => ({
      target,
      runs: runs.map(({ curves: _, ...run }) => run),
    }));
    const data = comparisonPageData({ ...comparison, sides: "turns", base: base!, new: other! });
    expect(data).toMatchObject({ timeline: null, percentiles: null });
  });
});

test("each interval is paired with the base's interval that contains its middle", () => {
  const [first] = baseRun.intervals;
  const at = (atMs: number) => ({ ...momentsOf([first!], [null])[0]!, atMs });
  const places = alignBase([at(1000), at(2000), at(3000)], [at(2000), at(4000), at(6000)]);
  expect(places.map(({ atMs, own, base }) => [atMs, own?.atMs, base?.atMs])).toEqual([
    [1000, 1000, 2000],
    [2000, 2000, 2000],
    [3000, 3000, 4000],
    [6000, undefined, 6000],
  ]);
});
