import type { CapturedCookie, CaptureModel, DataTable, Omission } from "../capture-model.ts";
import type { Finding } from "../capture.ts";
import { describeSize } from "./describe-size.ts";
import { explainStep, stepTitles } from "./explain-step.ts";
import { groupOmissions, type OmissionGroup } from "./omission-groups.ts";
import { plural, printable } from "./printable.ts";
import { isDynamic, showValue } from "./show-value.ts";
import { showName } from "./shown-url.ts";
import { padTo, pageWidth, shorten, wrap } from "./text-layout.ts";

const maxFindings = 20;
/** Where more different requests are left out than this, each host shows its first few. */
const maxOmissions = 50;
const maxOfGroup = 3;

/**
 * What was understood of a capture, as text for people: its pages with their waves, what is passed on, what to set, and
 * what is left out and why. Recorded values are not shown, so it can be shared. No line is longer than 100 columns.
 */
export function explainCapture(model: CaptureModel): string {
  const sections = [
    explainSize(model),
    [stepTitles],
    ...model.steps.map((step) => explainStep(step, model.origin)),
    titled("set these before running", explainVariables(model, false)),
    titled("optional variables", explainVariables(model, true)),
    titled("cookies from before the recording", model.cookies.flatMap(explainCookie)),
    titled("data", model.tables.flatMap(explainTable)),
    titled(
      "notes",
      model.notes.flatMap((note) => wrap(printable(note, 1000), "  ")),
    ),
    explainFindings(model.findings),
    explainOmissions(model.omissions),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function explainVariables({ variables }: CaptureModel, areOptional: boolean): string[] {
  return variables
    .filter(({ isOptional }) => isOptional === areOptional)
    .flatMap(({ name, description }) => listed(printable(name), printable(description)));
}

function explainSize(model: CaptureModel): string[] {
  const others = model.hosts.filter((host) => host !== model.origin);
  return [
    ...wrap(`first party: ${printable(model.origin)}`, ""),
    ...(others.length > 0 ? wrap(`also: ${others.map((host) => printable(host)).join(", ")}`, "") : []),
    ...wrap(describeSize(model), ""),
  ];
}

function explainCookie({ name, origin, value }: CapturedCookie): string[] {
  return listed(
    showName(name),
    `${isDynamic(value) ? showValue(value) : "as recorded"} for ${printable(origin)}`,
  );
}

function explainTable({ name, columns, rows }: DataTable): string[] {
  return listed(
    printable(name),
    `${plural(rows.length, "row")} of ${columns.map((column) => showName(column)).join(", ")}`,
  );
}

function explainFindings(findings: readonly Finding[]): string[] {
  const shown = findings.slice(0, maxFindings);
  const more = findings.length - shown.length;
  return titled("not understood", [
    ...shown.flatMap(({ path, problem }) => wrap(`${printable(path)}: ${printable(problem)}`, "  ")),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]);
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
  const where = host === "" ? reason : `${shorten(host, 50)}: ${reason}`;
  // One line more says no less than "and 1 more".
  const shown = requests.length <= most + 1 ? requests : requests.slice(0, most);
  const more = count - shown.reduce((sum, request) => sum + request.count, 0);
  return [
    `${String(count).padStart(6)}  ${where}`,
    ...shown.map((request) => {
      const times = request.count > 1 ? ` (${request.count} times)` : "";
      return `${" ".repeat(10)}${shorten(request.text, pageWidth - 10 - times.length)}${times}`;
    }),
    ...(more > 0 ? [`${" ".repeat(10)}and ${more} more`] : []),
  ];
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** A name with what there is to say of it: beside it where it is short, else below. */
function listed(name: string, text: string): string[] {
  const column = 28;
  const indent = " ".repeat(column);
  const lines = wrap(text, indent);
  const head = `  ${name}`;
  if (head.length >= column) return [shorten(head, pageWidth), ...lines];
  return [padTo(head, column) + (lines[0] ?? "").slice(column), ...lines.slice(1)];
}
