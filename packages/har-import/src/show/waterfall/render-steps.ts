import { escapeHtml } from "@bearhug/text/printable";
import type { CapturedRequest, CapturedStep, Wave } from "../../capture-model.ts";
import { printable } from "../../printable.ts";
import { showDuration } from "../duration.ts";
import { showRequest } from "../show-request.ts";

const barY = "25%";
const barHeight = "50%";
/** Shortest bar, as a part of the axis: keeps a request visible that took almost no time. */
const leastShare = 0.004;

/**
 * Renders a step: a table with a row for each request, a section of it for each wave, and their bars on one
 * axis.
 */
export function renderStep(step: CapturedStep, origin: string, number: number): string {
  const { kind, name, waves, recordedMs, thinkAfterMs } = step;
  const axis = timeAxis(lastEnd(step));
  const time = recordedMs === null ? "time not recorded" : `${showDuration(recordedMs)} recorded`;
  return `<section id="step-${number}">
<h2>${escapeHtml(printable(name))}<small>${kind}, ${time}</small></h2>
<table>
<thead><tr><th scope="col" class="waves">Wave</th><th scope="col">Request</th><th scope="col" class="status">Status</th>\
<th scope="col" class="took">Took</th><th scope="col" class="line">${renderAxis(axis)}</th></tr></thead>
${waves.map((wave, index) => renderWave(wave, index, origin, axis)).join("\n")}
</table>
${thinkAfterMs > 0 ? `<p class="think">then ${showDuration(thinkAfterMs)} of think time</p>\n` : ""}</section>`;
}

function lastEnd({ waves, recordedMs }: CapturedStep): number {
  const ends = waves.flatMap(({ requests }) => requests.map(({ recorded }) => recorded?.endMs ?? 0));
  return ends.reduce((last, end) => Math.max(last, end), recordedMs ?? 0);
}

function renderWave({ afterMs, requests }: Wave, index: number, origin: string, axis: TimeAxis): string {
  const wait = index === 0 || afterMs < 0.5 ? "" : `<br>+${showDuration(afterMs)}`;
  const head = `<th scope="rowgroup" rowspan="${requests.length}">${index + 1}${wait}</th>`;
  const rows = requests.map(
    (request, place) => `<tr>${place === 0 ? head : ""}${renderRequest(request, origin, axis)}</tr>`,
  );
  return `<tbody class="wave">\n${rows.join("\n")}\n</tbody>`;
}

function renderRequest(request: CapturedRequest, origin: string, axis: TimeAxis): string {
  const { method, host, path, status, details } = showRequest(request, origin);
  const notes = request.outlasts ? [...details, "later waves did not wait for it"] : details;
  const list = notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("");
  const { recorded } = request;
  const took = recorded === null ? "" : showDuration(recorded.endMs - recorded.startMs);
  return (
    `<td><span class="address">${escapeHtml(`${method} ${host}${path}`)}</span>` +
    `${list === "" ? "" : `<ul class="details">${list}</ul>`}</td>` +
    `<td class="${classOf(request)}">${escapeHtml(status)}</td><td class="took">${took}</td>` +
    `<td>${renderBar(request, axis)}</td>`
  );
}

/** Returns a class that makes redirects, failures and missing responses look different. */
function classOf({ recordedStatus }: CapturedRequest): string {
  const family = Math.floor((recordedStatus ?? 0) / 100);
  return `code-${family >= 0 && family <= 5 ? family : 0}`;
}

function renderBar(request: CapturedRequest, axis: TimeAxis): string {
  if (request.recorded === null) return "not recorded";
  const { startMs, endMs } = request.recorded;
  const lengthMs = Math.max(endMs - startMs, axis.lengthMs * leastShare);
  const classes = `${classOf(request)}${request.outlasts ? " outlasts" : ""}`;
  const label = `from ${showDuration(startMs)} to ${showDuration(endMs)}`;
  return (
    `<svg role="img" aria-label="${label}"><title>${label}</title>${renderGrid(axis)}` +
    `<rect class="${classes}" x="${place(axis, startMs)}" y="${barY}" width="${place(axis, lengthMs)}" ` +
    `height="${barHeight}" rx="2"/></svg>`
  );
}

function renderGrid(axis: TimeAxis): string {
  return axis.ticksMs
    .map((ms) => `<line x1="${place(axis, ms)}" x2="${place(axis, ms)}" y1="0" y2="100%"/>`)
    .join("");
}

function renderAxis(axis: TimeAxis): string {
  const ticks = axis.ticksMs.map((ms) => `<text x="${place(axis, ms)}" y="80%">${showDuration(ms)}</text>`);
  return `<svg role="img" aria-label="Time from the start of the step">${ticks.join("")}</svg>`;
}

/** Renders all steps on one line, with the think time between them. Each links to its table. */
export function renderOverview(steps: readonly CapturedStep[]): string {
  const lengthMs = steps.reduce((sum, step) => sum + durationOf(step) + step.thinkAfterMs, 0);
  if (steps.length < 2 || lengthMs === 0) return "";
  const axis = timeAxis(lengthMs);
  let atMs = 0;
  const bars = steps.map((step, index) => {
    const label = escapeHtml(`${printable(step.name)}, ${showDuration(durationOf(step))}`);
    const width = place(axis, Math.max(durationOf(step), lengthMs / 250));
    const bar = `<a href="#step-${index + 1}" aria-label="${label}"><rect class="step" x="${place(axis, atMs)}" y="15%" width="${width}" height="70%" rx="2"><title>${label}</title></rect></a>`;
    atMs += durationOf(step) + step.thinkAfterMs;
    return bar;
  });
  return `<nav aria-label="Steps"><p class="sizes">${showDuration(lengthMs)} as recorded, including think time</p>
<svg>${bars.join("")}</svg></nav>`;
}

function durationOf({ recordedMs }: CapturedStep): number {
  return recordedMs ?? 0;
}

/** Milliseconds on a line from 0 to 100 %. */
interface TimeAxis {
  readonly lengthMs: number;
  /** Positions of the marks: round numbers. */
  readonly ticksMs: readonly number[];
}

const mostTicks = 5;

/** Returns an axis for a duration, with at most five marks. */
export function timeAxis(lengthMs: number): TimeAxis {
  const least = Math.max(1, lengthMs) / mostTicks;
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const stepMs = [1, 2, 5, 10].map((factor) => factor * magnitude).find((step) => step >= least) ?? least;
  const count = Math.floor(Math.max(1, lengthMs) / stepMs);
  return {
    lengthMs: Math.max(1, lengthMs),
    ticksMs: Array.from({ length: count }, (_, index) => (index + 1) * stepMs),
  };
}

/** Returns the position of a time as SVG and CSS write it: `12.5%`. Times beyond the ends are at the ends. */
export function place({ lengthMs }: TimeAxis, ms: number): string {
  return `${share(ms / lengthMs)}%`;
}

function share(part: number): number {
  return Number((100 * Math.min(1, Math.max(0, part))).toFixed(2));
}
