import type { CapturedStep } from "../../capture-model.ts";
import { showDuration } from "../duration.ts";
import { printable } from "../printable.ts";
import { escapeHtml } from "./escape-html.ts";
import { place, timeAxis } from "./time-axis.ts";

/** All steps on one line, with the time to think between them: each leads to its table. */
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
