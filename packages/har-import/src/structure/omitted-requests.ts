import type { CaptureEntry } from "../capture.ts";
import { Lists } from "../lists.ts";

/** Longest chain of scripts loading each other that is followed. */
const maxCauses = 16;

/**
 * The requests that are left out, such as scripts of other sites: while one of them runs, its page is still
 * loading.
 */
export class LeftOut {
  readonly #byUrl = new Lists<string, CaptureEntry>();

  constructor(entries: Iterable<CaptureEntry> = []) {
    const dated = [...entries].filter(({ startedAtMs }) => startedAtMs !== null);
    for (const entry of dated.sort((left, right) => startOf(left) - startOf(right)))
      this.#byUrl.add(entry.request.url, entry);
  }

  /**
   * Returns since when a page was quiet before a request, in milliseconds since the epoch. Requests that were
   * left out count if they led to the request.
   *
   * @param quietAtMs The last end of the requests that are kept.
   * @param idleMs A cause that starts this long after the one before does not count.
   */
  quietBefore({ initiator, startedAtMs }: CaptureEntry, quietAtMs: number, idleMs: number): number {
    const causes: CaptureEntry[] = [];
    let url = initiator?.url ?? null;
    let beforeMs = startedAtMs ?? -Infinity;
    while (url !== null && causes.length < maxCauses) {
      const cause = this.#lastBefore(url, beforeMs);
      if (cause === undefined) break;
      causes.push(cause);
      beforeMs = cause.startedAtMs ?? beforeMs;
      url = cause.initiator?.url ?? null;
    }
    let quietMs = quietAtMs;
    for (const { startedAtMs: fromMs, durationMs } of causes.toReversed()) {
      if (fromMs === null || fromMs - quietMs >= idleMs) break;
      quietMs = Math.max(quietMs, Math.min(fromMs + (durationMs ?? 0), startedAtMs ?? Infinity));
    }
    return quietMs;
  }

  #lastBefore(url: string, beforeMs: number): CaptureEntry | undefined {
    const entries = this.#byUrl.of(url);
    let [from, to] = [0, entries.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const entry = entries[middle];
      if (entry !== undefined && startOf(entry) < beforeMs) from = middle + 1;
      else to = middle;
    }
    return entries[from - 1];
  }
}

function startOf({ startedAtMs }: CaptureEntry): number {
  return startedAtMs ?? Infinity;
}
