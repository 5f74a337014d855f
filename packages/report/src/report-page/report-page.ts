import type { ComparisonData, PageData } from "../html/page-data.ts";
import { createCompared } from "./compared.ts";
import { DataTable } from "./data-table.ts";
import { element } from "./element.ts";
import { panel, sentenceList } from "./panel.ts";
import { createExamples } from "./failing-exchanges.ts";
import { Figures } from "./figures.ts";
import { LineChart } from "./line-chart.ts";
import { followRun } from "./live-report.ts";
import { createPercentileChart } from "./percentile-chart.ts";
import { ReportHeader } from "./report-header.ts";
import { SharedAxis } from "./shared-axis.ts";
import { Timeline } from "./timeline.ts";
import { createWaterfalls } from "./waterfall.ts";

/** Tables that stand above the charts. */
const outcomeTables = new Set([
  "thresholds",
  "capacity-trials",
  "overload-phases",
  "sweep-steps",
  "variant-figures",
  "variant-differences",
  "errors",
]);

const data = readPageData();
if (data.isRunning) followRun(data, showReport);
else showReport(data);

/** Reads the data in the page. The type is right, because bearhug's own reporter wrote them. */
function readPageData(): PageData {
  return JSON.parse(document.getElementById("data")?.textContent ?? "") as PageData;
}

function showReport(report: PageData): void {
  const tables = report.tables.map((table) => ({ ...table, root: new DataTable(table).root }));
  const outcomes = tables.filter(({ id }) => outcomeTables.has(id));
  const others = tables.filter((table) => !outcomes.includes(table));
  document.title = `${report.title}: ${report.verdict.word}`;
  document.body.replaceChildren(
    new ReportHeader(report).root,
    element(
      "main",
      {},
      ...(report.figures.length === 0 ? [] : [new Figures(report.figures).root]),
      ...(report.compared === null ? [] : [createCompared(report.compared)]),
      ...report.comparisons.map(createComparison),
      ...outcomes.map(({ root }) => root),
      ...(report.examples.items.length === 0 ? [] : [createExamples(report.examples)]),
      ...(report.timeline === null ? [] : [new Timeline(report.timeline).root]),
      ...(report.percentiles === null ? [] : [createDistribution(report.percentiles)]),
      ...(report.waterfalls.items.length === 0 ? [] : [createWaterfalls(report.waterfalls)]),
      ...others.map(({ root }) => root),
      createAbout(report),
    ),
  );
}

/** Creates a comparison. Loads are evenly spaced, because they usually double. */
function createComparison({
  id,
  title,
  axis: name,
  sentences,
  places: names,
  charts,
}: ComparisonData): HTMLElement {
  const places = names.map((_, place) => place);
  const axis = new SharedAxis({
    name,
    values: places,
    format: (place) => names[place] ?? "",
    formatMark: (place) => shortName(names, place),
    steps: places.slice(1),
  });
  return panel(
    { id, title },
    sentenceList(sentences),
    element("div", { class: "charts" }, ...charts.map((chart) => new LineChart(chart, axis).root)),
  );
}

/** Returns the label of a place below a chart. Only the first one has its unit, so that all have room. */
function shortName(names: readonly string[], place: number): string {
  const name = names[place] ?? "";
  return place === 0 ? name : name.replace(/(?<=\d) [a-z]+$/i, "");
}

function createDistribution(percentiles: NonNullable<PageData["percentiles"]>): HTMLElement {
  return panel({ id: "distribution", title: "Distribution" }, createPercentileChart(percentiles));
}

function createAbout({ about: { title, entries: about } }: PageData): HTMLElement {
  const entries = about.flatMap(({ label, text }) => [element("dt", {}, label), element("dd", {}, text)]);
  return panel({ id: "about", title }, element("dl", {}, ...entries));
}
