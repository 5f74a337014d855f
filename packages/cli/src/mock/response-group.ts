import type { MockResponse } from "./mock-response.ts";
import type { BodyValues } from "./request-body.ts";
import { countEqual, countPairs, type PairCounts } from "./query-values.ts";
import type { RequestLine } from "./request-line.ts";

/** A recorded response, with its request. */
export interface RecordedResponse {
  readonly line: RequestLine;
  readonly body: BodyValues | null;
  readonly answer: MockResponse;
}

/**
 * A recorded response with its request's values prepared for comparison, because bodies can be large and
 * requests frequent.
 */
interface Candidate {
  readonly recorded: RecordedResponse;
  readonly index: number;
  readonly query: PairCounts;
  /** Null if there is no body, or bodies are not compared. */
  readonly body: PairCounts | null;
}

/** The recorded responses for one method, path and set of query names, in recorded order. */
export class ResponseGroup {
  readonly #candidates: readonly Candidate[];
  readonly #byText: ReadonlyMap<string, readonly Candidate[]>;
  readonly hasSeveral: boolean;
  /** True if recorded requests differ in their bodies: only then must bodies be read. */
  readonly isByBody: boolean;

  constructor(recorded: readonly RecordedResponse[]) {
    this.isByBody = new Set(recorded.map(({ body }) => JSON.stringify(body))).size > 1;
    this.#candidates = recorded.map((one, index) => ({
      recorded: one,
      index,
      query: countPairs(one.line.pairs),
      body: one.body === null || !this.isByBody ? null : countPairs(one.body.pairs),
    }));
    this.#byText = Map.groupBy(this.#candidates, ({ recorded: { body } }) => body?.text ?? "");
    this.hasSeveral = recorded.length > 1;
  }

  /**
   * Chooses the response to a request: among those whose requests have the most equal values, first in the
   * query and then in the body, the one that the visitor received least often, or the first recorded of them.
   * Counts the choice in `uses`.
   */
  take(requested: RequestLine, body: BodyValues | null, uses: number[]): RecordedResponse | null {
    const [chosen] = best(this.#mostSimilar(requested, body), ({ index }) => -(uses[index] ?? 0));
    if (chosen === undefined) return null;
    while (uses.length <= chosen.index) uses.push(0);
    uses[chosen.index] = (uses[chosen.index] ?? 0) + 1;
    return chosen.recorded;
  }

  #mostSimilar(requested: RequestLine, body: BodyValues | null): readonly Candidate[] {
    const query = countPairs(requested.pairs);
    const queryScore = ({ query: recorded }: Candidate): number => countEqual(query, recorded);
    if (body === null) return best(this.#candidates, queryScore);
    const same = body.text === "" ? [] : (this.#byText.get(body.text) ?? []);
    // With the same query and body, no other candidate can be more similar.
    const identical = same.filter((one) => queryScore(one) === requested.pairs.length);
    if (identical.length > 0) return identical;
    const byQuery = best(this.#candidates, queryScore);
    const sameOfThese = byQuery.filter(
      ({ recorded }) => body.text !== "" && recorded.body?.text === body.text,
    );
    if (sameOfThese.length > 0) return sameOfThese;
    const pairs = countPairs(body.pairs);
    return best(byQuery, (one) => (one.body === null ? -1 : countEqual(pairs, one.body)));
  }
}

/** Returns the items with the highest score, in their order. */
function best<T>(all: readonly T[], score: (one: T) => number): readonly T[] {
  if (all.length < 2) return all;
  const scores = all.map(score);
  const highest = scores.reduce((most, one) => Math.max(most, one));
  return all.filter((_, index) => scores[index] === highest);
}
