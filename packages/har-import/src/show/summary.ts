import type { CaptureModel, Omission, OmissionReason } from "../capture-model.ts";
import { requestsOf } from "../map-atoms.ts";
import { plural, printable } from "../printable.ts";
import { showDuration } from "./duration.ts";

/** Summarizes a capture: "2 pages, 14 requests kept, 21 skipped, 8.1 s of think time". */
export function describeSize(model: CaptureModel): string {
  const pages = model.steps.filter(({ kind }) => kind === "page").length;
  const groups = model.steps.length - pages;
  const kept = requestsOf(model);
  const followed = kept.reduce((sum, { redirectedTo }) => sum + redirectedTo.length, 0);
  const thinkMs = model.steps.reduce((sum, { thinkAfterMs }) => sum + thinkAfterMs, 0);
  return [
    ...(pages > 0 ? [plural(pages, "page")] : []),
    ...(groups > 0 ? [plural(groups, "group")] : []),
    `${plural(kept.length, "request")} kept`,
    ...(followed > 0 ? [`${plural(followed, "redirect")} followed`] : []),
    `${model.omissions.length} skipped`,
    ...(thinkMs > 0 ? [`${showDuration(thinkMs)} of think time`] : []),
  ].join(", ");
}

/** Requests to one host that are left out for one reason. */
export interface OmissionGroup {
  /** "" for addresses without one. */
  readonly host: string;
  readonly reason: OmissionReason;
  readonly count: number;
  /** Each different request once: method and what follows the host, without recorded values, in file order. */
  readonly requests: readonly { readonly text: string; readonly count: number }[];
}

/** Groups omissions by host and reason, the largest group first. */
export function groupOmissions(omissions: readonly Omission[]): OmissionGroup[] {
  const groups = Map.groupBy(omissions, ({ host, reason }) => `${host}\n${reason}`);
  return [...groups.values()].map(toGroup).sort(byCount);
}

function toGroup(omissions: readonly Omission[]): OmissionGroup {
  const [first] = omissions;
  if (first === undefined) throw new RangeError("A group has at least one omission.");
  const counts = new Map<string, number>();
  for (const { method, url, host } of omissions) {
    const text = printable(`${method} ${host === "" ? url : withoutHost(url)}`, 300);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return {
    host: printable(first.host),
    reason: first.reason,
    count: omissions.length,
    requests: Array.from(counts, ([text, count]) => ({ text, count })),
  };
}

/** The end of an address that was cut off for display. */
const cutMark = "…";

/** Returns the path, and only the names of the query's parameters: their values reveal the visitor. */
function withoutHost(url: string): string {
  const [path = "", ...query] = url.replace(/^[a-z]+:\/\/[^/]*/i, "").split("?");
  const nameOnly = (value: string): string => (value.endsWith(cutMark) ? cutMark : "");
  return [path, ...query.map((part) => part.replace(/=[^&]*/g, nameOnly))].join("?");
}

function byCount(left: OmissionGroup, right: OmissionGroup): number {
  return (
    right.count - left.count || compareText(left.host, right.host) || compareText(left.reason, right.reason)
  );
}

/** Compares by code unit, so that the order is the same on every machine. */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
