import { type Capture, type CaptureEntry, isOfOneRecording, markKept } from "@bearhug/har-import";

import { AnswerGroup, type RecordedAnswer } from "./answer-group.ts";
import { hasAnswer, prepareAnswer } from "./answer.ts";
import { recordedBody } from "./request-body.ts";
import { requestLine, type RequestLine } from "./request-line.ts";

interface Recorded {
  readonly entry: CaptureEntry;
  readonly isKept: boolean;
  readonly line: RequestLine;
}

interface ChangingPath {
  readonly segments: readonly (string | null)[];
  readonly group: AnswerGroup;
}

/** All answers of a capture by method, path and names of the query. Hosts make no difference: every one of them is played here. */
export class RecordedAnswers {
  readonly #groups = new Map<string, AnswerGroup>();
  /** Paths that contain values of the recording, by method and names of the query. */
  readonly #changing = new Map<string, ChangingPath[]>();

  constructor(capture: Capture) {
    const origins = new Set(capture.entries.map(({ request }) => URL.parse(request.url)?.origin));
    origins.delete("null");
    const recorded = markKept(capture).flatMap(({ entry, isKept }): Recorded[] => {
      const url = urlOf(entry);
      return url === null
        ? []
        : [{ entry, isKept, line: requestLine(entry.request.method.toUpperCase(), url) }];
    });
    for (const [key, all] of Map.groupBy(recorded, ({ line }) => keyOf(line))) {
      const group = new AnswerGroup(
        worthPlaying(all).map(({ entry, line }): RecordedAnswer => ({
          line,
          body: recordedBody(entry.request),
          answer: prepareAnswer(entry, (origin) => origins.has(origin)),
        })),
      );
      this.#groups.set(key, group);
      for (const { line } of all.slice(0, 1)) this.#addChanging(line, group);
    }
  }

  /** Finds the answers to a request; null when the capture has none. */
  find(asked: RequestLine): AnswerGroup | null {
    const exact = this.#groups.get(keyOf(asked));
    if (exact !== undefined) return exact;
    const alike = this.#changing.get(keyOf({ ...asked, path: "" }));
    return alike?.find(({ segments }) => matchesSegments(asked.path, segments))?.group ?? null;
  }

  #addChanging(line: RequestLine, group: AnswerGroup): void {
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
 * Prefers entries that an import keeps: an answer of another site to the same path must not take its turn. Plays an
 * aborted request only if none was answered.
 */
function worthPlaying(recorded: readonly Recorded[]): readonly Recorded[] {
  const kept = recorded.filter(({ isKept }) => isKept);
  const wanted = kept.length > 0 ? kept : recorded;
  const answered = wanted.filter(({ entry }) => hasAnswer(entry.response?.status));
  return answered.length > 0 ? answered : wanted;
}

/** Returns the URL of an HTTP request; null for `data:`, `blob:` and the like. */
function urlOf({ request }: CaptureEntry): URL | null {
  const url = URL.parse(request.url);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : null;
}

/** Returns a path as a pattern, with null for each value of that one recording; null if it has no such value. */
function changingSegments(path: string): readonly (string | null)[] | null {
  const recorded = path.split("/");
  const segments = recorded.map((segment, index) => (isOfOneRecording(recorded, index) ? null : segment));
  return segments.includes(null) ? segments : null;
}

/** Returns true if a path fits the pattern. A value may be empty, as a variable that is not set leaves it. */
function matchesSegments(path: string, pattern: readonly (string | null)[]): boolean {
  const segments = path.split("/");
  if (segments.length !== pattern.length) return false;
  return pattern.every((segment, index) => segment === null || segment === segments[index]);
}
