import { CaptureError } from "./capture-error.ts";
import type { CaptureModel, CapturedPage } from "./capture-model.ts";
import type { Capture } from "./capture.ts";
import { documentFirst } from "./pages/document.ts";
import { groupByPage } from "./pages/group-by-page.ts";
import { namePages } from "./pages/name-pages.ts";
import { inRecordedOrder } from "./pages/recorded-order.ts";
import { toRequest } from "./request/to-request.ts";
import { selectEntries } from "./select/select-entries.ts";

/**
 * What to request, page by page, so that a capture can be replayed: the first party's requests as recorded,
 * without secrets of its headers. Everything left out is listed with its reason.
 *
 * @throws CaptureError when nothing in the capture can be replayed.
 */
export function importCapture(capture: Capture): CaptureModel {
  const { kept, omissions, origin } = selectEntries(inRecordedOrder(capture.entries));
  if (origin === null) {
    const reasons = [...new Set(omissions.map(({ reason }) => reason))].join(", ");
    throw new CaptureError(`Nothing in the capture can be replayed: ${reasons || "no entry could be read"}.`);
  }
  const groups = groupByPage(capture.pages, kept).map(({ title, visits }) => ({
    title,
    visits: documentFirst(visits),
  }));
  const names = namePages(groups);
  return {
    origin,
    hosts: [...new Set(kept.map(({ url }) => url.origin))],
    pages: groups.map(({ visits }, index): CapturedPage => ({
      name: names[index] ?? "",
      requests: visits.map(toRequest),
    })),
    omissions,
  };
}
