import type { Figure, ComparisonFacts, PageFacts, TimelineFacts } from "../reporters/html/page-facts.ts";
import { formatMoment } from "./chart-numbers.ts";
import { createDataTable } from "./data-table.ts";
import { createDownload } from "./download.ts";
import { element } from "./element.ts";
import { createHeatMap } from "./heat-map.ts";
import { createLineChart } from "./line-chart.ts";
import { createPercentileChart } from "./percentile-chart.ts";
import { SharedAxis } from "./shared-axis.ts";
import { createThemeButton } from "./theme.ts";

/** Tables that are read before the charts. */
const outcomeTables = new Set(["thresholds", "sweep-steps", "variant-figures", "errors"]);

/** Distances of the labels of the time axis, in seconds. */
const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

showReport(readFacts());

/** The element is written by the reporter that knows the type. */
function readFacts(): PageFacts {
  return JSON.parse(document.getElementById("facts")?.textContent ?? "") as PageFacts;
}

function showReport(facts: PageFacts): void {
  const outcomes = facts.tables.filter(({ id }) => outcomeTables.has(id));
  const others = facts.tables.filter((table) => !outcomes.includes(table));
  document.body.append(
    createHeader(facts),
    element(
      "main",
      {},
      element(
        "section",
        { class: "figures", "aria-label": "Most important figures" },
        ...facts.figures.map(createFigure),
      ),
      ...facts.comparisons.map(createComparison),
      ...outcomes.map(createDataTable),
      ...(facts.timeline === null ? [] : [createTimeline(facts.timeline)]),
      ...(facts.percentiles === null ? [] : [createDistribution(facts.percentiles)]),
      ...others.map(createDataTable),
      createAbout(facts),
    ),
  );
}

function createHeader({ title, verdict, download }: PageFacts): HTMLElement {
  const reasons = verdict.reasons.map(({ text, frame }) =>
    element("li", {}, text, ...(frame === "" ? [] : [element("pre", {}, frame)])),
  );
  return element(
    "header",
    { class: `tone-${verdict.tone}` },
    element(
      "div",
      { class: "title" },
      element("p", { class: "verdict" }, verdict.word),
      element("h1", {}, title),
      element("div", { class: "buttons" }, createThemeButton(), createDownload(download)),
    ),
    element("ul", { class: "reasons" }, ...reasons),
  );
}

function createFigure({ label, text, detail, tone }: Figure): HTMLElement {
  return element(
    "div",
    { class: `figure tone-${tone}` },
    element("div", { class: "label" }, label),
    element("div", { class: "number" }, text),
    element("div", { class: "detail" }, detail),
  );
}

function createTimeline({ seconds, charts, heatMap }: TimelineFacts): HTMLElement {
  const time = new SharedAxis({ name: "time", values: seconds, format: formatMoment, steps: secondSteps });
  return element(
    "section",
    { class: "panel", id: "timeline" },
    element(
      "div",
      { class: "table-head" },
      element("h2", {}, "Over time"),
      element("span", { class: "note" }, "Drag to zoom, double-click to see all. Keys: arrows, + − 0."),
    ),
    element(
      "div",
      { class: "charts" },
      ...charts.map((chart) => createLineChart(chart, time)),
      ...(heatMap === null ? [] : [createHeatMap(heatMap, seconds, time)]),
    ),
  );
}

/** Loads have equal distances: they are usually doubled. */
function createComparison({
  id,
  title,
  axis: name,
  sentences,
  places: names,
  charts,
}: ComparisonFacts): HTMLElement {
  const places = names.map((_, place) => place);
  const axis = new SharedAxis({
    name,
    values: places,
    format: (place) => names[place] ?? "",
    steps: places.slice(1),
  });
  return element(
    "section",
    { class: "panel", id },
    element("div", { class: "table-head" }, element("h2", {}, title)),
    element("ul", { class: "sentences" }, ...sentences.map((sentence) => element("li", {}, sentence))),
    element("div", { class: "charts" }, ...charts.map((chart) => createLineChart(chart, axis))),
  );
}

function createDistribution(percentiles: NonNullable<PageFacts["percentiles"]>): HTMLElement {
  return element(
    "section",
    { class: "panel", id: "distribution" },
    element("div", { class: "table-head" }, element("h2", {}, "Distribution")),
    createPercentileChart(percentiles),
  );
}

function createAbout({ about }: PageFacts): HTMLElement {
  const entries = about.flatMap(({ label, text }) => [element("dt", {}, label), element("dd", {}, text)]);
  return element(
    "section",
    { class: "panel", id: "about" },
    element("div", { class: "table-head" }, element("h2", {}, "About this run")),
    element("dl", {}, ...entries),
  );
}
