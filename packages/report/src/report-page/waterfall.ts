import type { Selection, WaterfallData, WaterfallRow } from "../html/page-data.ts";
import { ChartFrame } from "./chart-frame.ts";
import { formatTime } from "./chart-numbers.ts";
import { element } from "./element.ts";
import { note, panel } from "./panel.ts";

const marks = [0, 0.25, 0.5, 0.75, 1];

/** Creates the section of visits to pages, with each exchange as a bar of its phases. */
export function createWaterfalls({ items, note: shown }: Selection<WaterfallData>): HTMLElement {
  return panel(
    { id: "waterfalls", title: "Page waterfalls", aside: [note(shown)] },
    element("div", { class: "charts" }, ...items.map(createWaterfall)),
  );
}

function createWaterfall({ spanMs, phases, rows, ...head }: WaterfallData): HTMLElement {
  const plot = element("div", { class: "waterfall" });
  const hasTraces = rows.some(({ trace }) => trace !== null);
  const frame = new ChartFrame({
    ...head,
    legend: phases.map(({ label, color }) => ({
      label,
      color,
      setShown: (isShown) => {
        for (const bar of plot.querySelectorAll(`.bar.line-${color}`))
          bar.classList.toggle("unseen", !isShown);
      },
    })),
    data: {
      columns: [
        "request",
        "status",
        "start",
        ...phases.map(({ label }) => label),
        "total",
        "received",
        "URL",
        ...(hasTraces ? ["trace"] : []),
      ],
      rows: () => rows.map((row) => [...numbersOf(row), ...(hasTraces ? [row.trace ?? ""] : [])]),
    },
  });
  const scale = marks.map((mark) => element("span", {}, formatTime(mark * spanMs)));
  plot.append(
    element("div", { class: "scale", "aria-hidden": "true" }, ...scale),
    element("ol", {}, ...rows.map((row) => createRow(row, phases, spanMs))),
  );
  frame.plot.append(plot);
  return frame.root;
}

function numbersOf({ name, status, startMs, phasesMs, totalMs, size, address }: WaterfallRow): string[] {
  return [name, status, formatTime(startMs), ...phasesMs.map(formatTime), formatTime(totalMs), size, address];
}

function createRow(
  { name, status, tone, address, trace, startMs, phasesMs, totalMs }: WaterfallRow,
  phases: WaterfallData["phases"],
  spanMs: number,
): HTMLElement {
  const bars = element("span", { class: "bars", "aria-hidden": "true" });
  let at = startMs;
  for (const [index, { color }] of phases.entries()) {
    const ms = phasesMs[index] ?? 0;
    if (ms > 0) bars.append(createBar(color, at / spanMs, ms / spanMs));
    at += ms;
  }
  return element(
    "li",
    { title: trace === null ? address : `${address}\ntrace ${trace}` },
    element("span", { class: "name" }, name),
    element("span", { class: `status tone-${tone}` }, status),
    bars,
    element("span", { class: "total" }, formatTime(totalMs)),
  );
}

/** Creates a bar. `start` and `length` are shares of the full width. */
function createBar(color: number, start: number, length: number): HTMLElement {
  const bar = element("span", { class: `bar line-${color}` });
  bar.style.left = `${start * 100}%`;
  bar.style.width = `${length * 100}%`;
  return bar;
}
