import type { CapturedRequest, CapturedStep } from "../capture-model.ts";
import { showDuration } from "./duration.ts";
import { printable } from "./printable.ts";
import { showRequest } from "./shown-request.ts";
import { padTo, pageWidth, shorten, spread, wrap } from "./text-layout.ts";

const waveWidth = 8;
const waitWidth = 9;
const statusWidth = 7;
const timeWidth = 9;
const requestWidth = pageWidth - waveWidth - waitWidth - statusWidth - 2 * timeWidth - 2;
const detailIndent = " ".repeat(waveWidth + waitWidth + 2);

/** What the columns of a step's rows are. */
export const stepTitles: string = [
  padTo("  wave", waveWidth),
  padTo("wait", waitWidth),
  padTo("request", requestWidth + 2),
  padTo("status", statusWidth),
  "start".padStart(timeWidth),
  "took".padStart(timeWidth),
].join("");

/** A step with its waves: a row for each request, below it what it takes part in; then the time to think. */
export function explainStep(step: CapturedStep, origin: string): string[] {
  const { kind, name, recordedMs, thinkAfterMs } = step;
  const time = recordedMs === null ? "time not recorded" : `${showDuration(recordedMs)} recorded`;
  return [
    spread(`${kind} "${printable(name)}"`, time),
    ...step.waves.flatMap(({ afterMs, requests }, index) =>
      requests.flatMap((request, place) =>
        explainRequest(request, origin, place === 0 ? showWave(index, afterMs) : ""),
      ),
    ),
    ...(thinkAfterMs > 0 ? ["", `  then ${showDuration(thinkAfterMs)} of think time`] : []),
  ];
}

/** Its number, and how long the browser took after the waves before. */
function showWave(index: number, afterMs: number): string {
  const wait = index === 0 || afterMs < 0.5 ? "" : `+${showDuration(afterMs)}`;
  return padTo(String(index + 1).padStart(waveWidth - 2), waveWidth) + wait;
}

function explainRequest(request: CapturedRequest, origin: string, wave: string): string[] {
  const { method, host, path, status, details } = showRequest(request, origin);
  const start = padTo(wave, waveWidth + waitWidth);
  const address = padTo(shorten(`${method} ${host}${path}`, requestWidth), requestWidth);
  const times = showTimes(request);
  const notes = request.outlasts ? [...details, "later waves did not wait for it"] : details;
  return [
    `${start}${address}  ${padTo(status, statusWidth)}${times}`.trimEnd(),
    ...notes.flatMap((detail) => wrap(detail, detailIndent)),
  ];
}

/** When it started, from the start of its step, and how long it took. */
function showTimes({ recorded }: CapturedRequest): string {
  if (recorded === null) return "";
  const { startMs, endMs } = recorded;
  return `${showDuration(startMs).padStart(timeWidth)}${showDuration(endMs - startMs).padStart(timeWidth)}`;
}
