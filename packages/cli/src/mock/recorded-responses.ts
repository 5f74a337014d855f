import { type Capture, type CaptureEntry, isRecordingSpecific, markSelected } from "@bearhug/har-import";
import { parseHttpUrl } from "@bearhug/text/http-url";

import { ResponseGroup, type RecordedResponse } from "./response-group.ts";
import { hasFinalStatus, prepareResponse } from "./mock-response.ts";
import { recordedBody } from "./request-body.ts";
import { requestLine, type RequestLine } from "./request-line.ts";

interface Recorded {
  readonly entry: CaptureEntry;
  readonly isKept: boolean;
  readonly line: RequestLine;
}

interface ChangingPath {
  readonly segments: readonly (string | null)[];
  readonly group: ResponseGroup;
}

/**
 * All responses of a capture by method, path and query names. Hosts are ignored, because the mock replaces
 * all of them.
 */
export class RecordedResponses {
  readonly #groups = new Map<string, ResponseGroup>();
  /** Paths with values specific to the recording, by method and query names. */
  readonly #changing = new Map<string, ChangingPath[]>();

  constructor(capture: Capture) {
    const origins = new Set(capture.entries.map(({ request }) => URL.parse(request.url)?.origin));
    origins.delete("null");
    const recorded = markSelected(capture).flatMap(({ entry, isKept }): Recorded[] => {
      const url = parseHttpUrl(entry.request.url);
      return url === null
        ? []
        : [{ entry, isKept, line: requestLine(entry.request.method.toUpperCase(), url) }];
    });
    for (const [key, all] of Map.groupBy(recorded, ({ line }) => keyOf(line))) {
      const group = new ResponseGroup(
        selectReplayed(all).map(({ entry, line }): RecordedResponse => ({
          line,
          body: recordedBody(entry.request),
          answer: prepareResponse(entry, (origin) => origins.has(origin)),
        })),
      );
      this.#groups.set(key, group);
      for (const { line } of all.slice(0, 1)) this.#addChanging(line, group);
    }
  }

  /** Finds the responses to a request; null if the capture has none. */
  find(requested: RequestLine): ResponseGroup | null {
    const exact = this.#groups.get(keyOf(requested));
    if (exact !== undefined) return exact;
    const alike = this.#changing.get(keyOf({ ...requested, path: "" }));
    return alike?.find(({ segments }) => matchesSegments(requested.path, segments))?.group ?? null;
  }

  #addChanging(line: RequestLine, group: ResponseGroup): void {
    const segments = changingSegments(line.path);
    if (segments === null) return;
    const key = keyOf({ ...line, path: "" });
    this.#changing.set(key, [...(this.#changing.get(key) ?? []), { segments, group }]);
  }
}

function keyOf({ method, path, queryNames }: Pick<RequestLine, "method" | "path" | "queryNames">): string {
  return `${method} ${path} ${queryNames}`;
}

/**
 * Prefers entries that an import keeps, so that another site's response to the same path is not served.
 * Includes an aborted request only if none has a response.
 */
function selectReplayed(recorded: readonly Recorded[]): readonly Recorded[] {
  const kept = recorded.filter(({ isKept }) => isKept);
  const candidates = kept.length > 0 ? kept : recorded;
  const responded = candidates.filter(({ entry }) => hasFinalStatus(entry.response?.status));
  return responded.length > 0 ? responded : candidates;
}

/**
 * Returns a path as a pattern, with null for each value that is specific to the recording; null if it has no
 * such value.
 */
function changingSegments(path: string): readonly (string | null)[] | null {
  const recorded = path.split("/");
  const segments = recorded.map((segment, index) => (isRecordingSpecific(recorded, index) ? null : segment));
  return segments.includes(null) ? segments : null;
}

/**
 * True if a path matches the pattern. A value may be empty, which a variable that is not set leaves behind.
 */
function matchesSegments(path: string, pattern: readonly (string | null)[]): boolean {
  const segments = path.split("/");
  if (segments.length !== pattern.length) return false;
  return pattern.every((segment, index) => segment === null || segment === segments[index]);
}
