import type { CaptureModel } from "../capture-model.ts";
import { requestsOf } from "../request/map-atoms.ts";
import { showDuration } from "./duration.ts";
import { plural } from "./printable.ts";

/** How much a capture has: "2 pages, 14 requests kept, 21 skipped, 8.1 s of think time". */
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
