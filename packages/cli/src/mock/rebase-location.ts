import type { EntryResponse } from "@bearhug/har-import";
import { redirectStatuses } from "@bearhug/sdk/internal";

export interface Rebased {
  /** Path, query and fragment on the mock, where the recorded target belongs to the capture. */
  readonly path: string | null;
  /** Whether the recorded Location headers must not be served. */
  readonly isReplaced: boolean;
  /** A foreign target that only `redirectURL` tells of. */
  readonly added: string | null;
}

const asRecorded: Rebased = { path: null, isReplaced: false, added: null };

/** Where an answer sends its client: to the mock instead of any origin that the capture has entries of. */
export function rebaseLocation(
  response: EntryResponse,
  requestUrl: string,
  isOfCapture: (origin: string) => boolean,
): Rebased {
  const header = response.headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  const written = header ?? (isRedirect(response.status) ? response.redirectUrl : "");
  const target = written === "" ? null : URL.parse(written, requestUrl);
  if (target === null) return asRecorded;
  if (isOfCapture(target.origin)) {
    return { path: `${target.pathname}${target.search}${target.hash}`, isReplaced: true, added: null };
  }
  return header === undefined ? { ...asRecorded, added: target.href } : asRecorded;
}

function isRedirect(status: number | null): boolean {
  return status !== null && redirectStatuses.has(status);
}
