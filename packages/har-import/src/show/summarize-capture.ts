import type { CapturedPage, CapturedRequest, CaptureModel, Omission } from "../capture-model.ts";
import { printable } from "./printable.ts";
import { showPath } from "./shown-url.ts";

/**
 * What a capture keeps and leaves out, as text for people: its pages with their requests, and the omissions by host and
 * reason. Values of queries are not shown, so the summary can be shared.
 */
export function summarizeCapture(model: CaptureModel): string {
  const kept = model.pages.reduce((count, page) => count + page.requests.length, 0);
  const lines = [
    `first party: ${printable(model.origin)}`,
    `${plural(model.pages.length, "page")}, ${plural(kept, "request")} kept, ${model.omissions.length} left out`,
    ...model.pages.flatMap((page) => ["", ...showPage(page, model.origin)]),
    ...showOmissions(model.omissions),
  ];
  return `${lines.join("\n")}\n`;
}

function showPage({ name, requests }: CapturedPage, origin: string): string[] {
  return [
    `page "${name}": ${plural(requests.length, "request")}`,
    ...requests.map((request) => showRequest(request, origin)),
  ];
}

/** `  GET /search?q → 200`, with its host where that is not the first document's. */
function showRequest({ method, url, recordedStatus, body }: CapturedRequest, origin: string): string {
  const parsed = new URL(url);
  const host = parsed.origin === origin ? "" : parsed.origin;
  const sent = body === null ? "" : " with a body";
  const answer = recordedStatus === null ? "no recorded answer" : String(recordedStatus);
  return `  ${printable(method, 20)} ${host}${showPath(parsed)}${sent} → ${answer}`;
}

function showOmissions(omissions: readonly Omission[]): string[] {
  if (omissions.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { host, url, reason } of omissions) {
    const where = `${printable(host) || url}: ${reason}`;
    counts.set(where, (counts.get(where) ?? 0) + 1);
  }
  const rows = [...counts].sort(
    ([left, leftCount], [right, rightCount]) => rightCount - leftCount || compare(left, right),
  );
  return ["", "left out", ...rows.map(([where, count]) => `  ${where}: ${count}`)];
}

/** By code unit, so that the order is the same on every machine. */
function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
