import type { Answer } from "./answer.ts";
import type { BodyValues } from "./body-values.ts";
import { countEqual } from "./query-values.ts";
import type { RequestLine } from "./request-line.ts";

/** An answer, and the request that it was recorded for. */
export interface RecordedAnswer {
  readonly line: RequestLine;
  readonly body: BodyValues | null;
  readonly answer: Answer;
}

/** What was recorded for one method, path and set of query names, in recorded order. */
export class AnswerGroup {
  readonly #recorded: readonly RecordedAnswer[];
  readonly hasSeveral: boolean;
  /** Whether requests differ in their bodies: only then are bodies worth reading. */
  readonly isByBody: boolean;

  constructor(recorded: readonly RecordedAnswer[]) {
    this.#recorded = recorded;
    this.hasSeveral = recorded.length > 1;
    this.isByBody = new Set(recorded.map(({ body }) => JSON.stringify(body))).size > 1;
  }

  /**
   * The answer to a request: of those with the most values equal, in the query and then in the body, the one that the
   * visitor has had least often; the first recorded of them. `uses` is how often it had each, and is told.
   */
  take(asked: RequestLine, body: BodyValues | null, uses: number[]): RecordedAnswer | null {
    const all = this.#recorded.map((recorded, index) => ({ recorded, index }));
    const byQuery = best(all, ({ recorded }) => countEqual(asked.pairs, recorded.line.pairs));
    const byBody = body === null ? byQuery : best(byQuery, ({ recorded }) => likeness(body, recorded.body));
    const [chosen] = best(byBody, ({ index }) => -(uses[index] ?? 0));
    if (chosen === undefined) return null;
    while (uses.length <= chosen.index) uses.push(0);
    uses[chosen.index] = (uses[chosen.index] ?? 0) + 1;
    return chosen.recorded;
  }
}

function likeness(asked: BodyValues, recorded: BodyValues | null): number {
  if (recorded === null) return -1;
  if (recorded.text !== "" && recorded.text === asked.text) return Infinity;
  return countEqual(asked.pairs, recorded.pairs);
}

/** Those with the highest score, in their order. */
function best<T>(all: readonly T[], score: (one: T) => number): readonly T[] {
  if (all.length < 2) return all;
  const scores = all.map(score);
  const highest = scores.reduce((most, one) => Math.max(most, one));
  return all.filter((_, index) => scores[index] === highest);
}
