import { markKept, type Capture, type CaptureEntry } from "@bearhug/har-import";
import { hasAnswer, prepareAnswer } from "./answer.ts";
import { AnswerGroup, type RecordedAnswer } from "./answer-group.ts";
import { recordedBody } from "./body-values.ts";
import { changingSegments, matchesSegments } from "./changing-path.ts";
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
  /** By method and names of the query: where values of the recording stand in the path itself. */
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

  /** What was recorded for a request; null when the capture does not have it. */
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
 * What an import would replay comes before what it leaves out: another site's answer to the same path must not be given
 * in its turn. An aborted try is not played where there was an answer.
 */
function worthPlaying(recorded: readonly Recorded[]): readonly Recorded[] {
  const kept = recorded.filter(({ isKept }) => isKept);
  const wanted = kept.length > 0 ? kept : recorded;
  const answered = wanted.filter(({ entry }) => hasAnswer(entry.response?.status));
  return answered.length > 0 ? answered : wanted;
}

/** null for what is never asked of a web server. */
function urlOf({ request }: CaptureEntry): URL | null {
  const url = URL.parse(request.url);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : null;
}
