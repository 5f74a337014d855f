import { displayWidth, padTo, shorten, wrap } from "@bearhug/text/display-width";

import type { CapturedRequest, CapturedStep, CaptureModel, Omission } from "../capture-model.ts";
import { printable } from "../printable.ts";
import { showDuration } from "./duration.ts";
import { describeFindings, needsOf } from "./needs.ts";
import { showRequest } from "./show-request.ts";
import { describeSize, groupOmissions, type OmissionGroup } from "./summary.ts";

/** The most characters of one text. */
const longest = 1000;
/** If more different requests are left out, only the first few of each host are listed. */
const maxOmissions = 50;
const maxOfGroup = 3;

/**
 * Explains a capture as text for people: its pages with their waves, extracted values, variables to set, and
 * what is left out and why. Contains no recorded values, so it can be shared. No line is longer than 100
 * columns.
 */
export function explainCapture(model: CaptureModel): string {
  const variables = model.variables.map((one) => ({ ...one, description: printable(one.description) }));
  const sections = [
    explainSize(model),
    [stepTitles],
    ...model.steps.map((step) => explainStep(step, model.origin)),
    ...needsOf({ ...model, variables }).map(({ title, rows }) =>
      titled(
        title.charAt(0).toLowerCase() + title.slice(1),
        rows.flatMap(([name, text]) => listed(printable(name), printable(text, longest))),
      ),
    ),
    titled("notes", model.notes.flatMap(explainText)),
    titled("not understood", describeFindings(model.findings).flatMap(explainText)),
    explainOmissions(model.omissions),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function explainText(text: string): string[] {
  return indented(printable(text, longest), "  ");
}

function explainSize(model: CaptureModel): string[] {
  const others = model.hosts.filter((host) => host !== model.origin);
  return [
    ...indented(`first party: ${printable(model.origin)}`, ""),
    ...(others.length > 0 ? indented(`also: ${others.map((host) => printable(host)).join(", ")}`, "") : []),
    ...indented(describeSize(model), ""),
  ];
}

function explainOmissions(omissions: readonly Omission[]): string[] {
  const groups = groupOmissions(omissions);
  const isLong = groups.reduce((sum, { requests }) => sum + requests.length, 0) > maxOmissions;
  return titled(
    "skipped",
    groups.flatMap((group) => explainGroup(group, isLong ? maxOfGroup : Infinity)),
  );
}

function explainGroup({ host, reason, count, requests }: OmissionGroup, most: number): string[] {
  const where = host === "" ? reason : `${fit(host, 50)}: ${reason}`;
  // One more request takes no more space than "and 1 more".
  const shown = requests.length <= most + 1 ? requests : requests.slice(0, most);
  const more = count - shown.reduce((sum, request) => sum + request.count, 0);
  return [
    `${String(count).padStart(6)}  ${where}`,
    ...shown.map((request) => {
      const times = request.count > 1 ? ` (${request.count} times)` : "";
      return `${" ".repeat(10)}${fit(request.text, pageWidth - 10 - times.length)}${times}`;
    }),
    ...(more > 0 ? [`${" ".repeat(10)}and ${more} more`] : []),
  ];
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** Lists a name with its description: beside it if the name is short, otherwise below. */
function listed(name: string, text: string): string[] {
  const column = 28;
  const indent = " ".repeat(column);
  const lines = indented(text, indent);
  const head = `  ${name}`;
  if (head.length >= column) return [fit(head, pageWidth), ...lines];
  return [padTo(head, column) + (lines[0] ?? "").slice(column), ...lines.slice(1)];
}

/** Width of the text, in columns. */
const pageWidth = 100;

const waveWidth = 8;
const waitWidth = 9;
const statusWidth = 7;
const timeWidth = 9;
const requestWidth = pageWidth - waveWidth - waitWidth - statusWidth - 2 * timeWidth - 2;
const detailIndent = " ".repeat(waveWidth + waitWidth + 2);

/** Titles of the columns of a step. */
const stepTitles: string = [
  padTo("  wave", waveWidth),
  padTo("wait", waitWidth),
  padTo("request", requestWidth + 2),
  padTo("status", statusWidth),
  "start".padStart(timeWidth),
  "took".padStart(timeWidth),
].join("");

/** Explains a step: a row for each request, with its details below; then the think time. */
function explainStep(step: CapturedStep, origin: string): string[] {
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

/** Formats the number of a wave, and the browser's own time after the waves before. */
function showWave(index: number, afterMs: number): string {
  const wait = index === 0 || afterMs < 0.5 ? "" : `+${showDuration(afterMs)}`;
  return padTo(String(index + 1).padStart(waveWidth - 2), waveWidth) + wait;
}

function explainRequest(request: CapturedRequest, origin: string, wave: string): string[] {
  const { method, host, path, status, details } = showRequest(request, origin);
  const start = padTo(wave, waveWidth + waitWidth);
  const address = padTo(fit(`${method} ${host}${path}`, requestWidth), requestWidth);
  const times = showTimes(request);
  const notes = request.outlasts ? [...details, "later waves did not wait for it"] : details;
  return [
    `${start}${address}  ${padTo(status, statusWidth)}${times}`.trimEnd(),
    ...notes.flatMap((detail) => indented(detail, detailIndent)),
  ];
}

/** Formats when a request started, from the start of its step, and how long it took. */
function showTimes({ recorded }: CapturedRequest): string {
  if (recorded === null) return "";
  const { startMs, endMs } = recorded;
  return `${showDuration(startMs).padStart(timeWidth)}${showDuration(endMs - startMs).padStart(timeWidth)}`;
}

/** Shortens a text to `columns`, in its middle. */
function fit(text: string, columns: number): string {
  return shorten(text, columns, "…");
}

/** Formats a line with the second text at its right end. */
function spread(left: string, right: string): string {
  const room = pageWidth - displayWidth(right) - 1;
  return `${padTo(fit(left, room), room)} ${right}`.trimEnd();
}

/** Breaks a text at its spaces into lines that fit after an indent. */
function indented(text: string, indent: string): string[] {
  return wrap(text, pageWidth - indent.length).map((line) => `${indent}${line}`.trimEnd());
}
