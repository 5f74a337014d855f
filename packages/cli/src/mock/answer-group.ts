import type { MockAnswer } from "./answer.ts";
import type { BodyValues } from "./request-body.ts";
import { countEqual, countPairs, type PairCounts } from "./query-values.ts";
import type { RequestLine } from "./request-line.ts";

/** An answer, and the request that it was recorded for. */
export interface RecordedAnswer {
  readonly line: RequestLine;
  readonly body: BodyValues | null;
  readonly answer: MockAnswer;
}

/** A recorded answer with its values prepared for comparison, since bodies can be large and requests frequent. */
interface Candidate {
  readonly recorded: RecordedAnswer;
  readonly index: number;
  readonly query: PairCounts;
  /** null where there is no body. */
  readonly body: PairCounts | null;
}

/** The recorded answers for one method, path and set of query names, in recorded order. */
export class AnswerGroup {
  readonly #candidates: readonly Candidate[];
  readonly #byText: ReadonlyMap<string, readonly Candidate[]>;
  readonly hasSeveral: boolean;
  /** True if recorded requests differ in their bodies: only then are bodies worth reading. */
  readonly isByBody: boolean;

  constructor(recorded: readonly RecordedAnswer[]) {
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
   * The answer to a request: of those with the most values equal, in the query and then in the body, the one that the
   * visitor has had least often; the first recorded of them. Counts the use in `uses`.
   */
  take(asked: RequestLine, body: BodyValues | null, uses: number[]): RecordedAnswer | null {
    const [chosen] = best(this.#mostAlike(asked, body), ({ index }) => -(uses[index] ?? 0));
    if (chosen === undefined) return null;
    while (uses.length <= chosen.index) uses.push(0);
    uses[chosen.index] = (uses[chosen.index] ?? 0) + 1;
    return chosen.recorded;
  }

  #mostAlike(asked: RequestLine, body: BodyValues | null): readonly Candidate[] {
    const query = countPairs(asked.pairs);
    const ofQuery = ({ query: recorded }: Candidate): number => countEqual(query, recorded);
    if (body === null) return best(this.#candidates, ofQuery);
    const same = body.text === "" ? [] : (this.#byText.get(body.text) ?? []);
    // The same query and the same body: nothing is more alike, and nothing else needs to be looked at.
    const identical = same.filter((one) => ofQuery(one) === asked.pairs.length);
    if (identical.length > 0) return identical;
    const byQuery = best(this.#candidates, ofQuery);
    const sameOfThese = byQuery.filter(
      ({ recorded }) => body.text !== "" && recorded.body?.text === body.text,
    );
    if (sameOfThese.length > 0) return sameOfThese;
    const pairs = countPairs(body.pairs);
    return best(byQuery, (one) => (one.body === null ? -1 : countEqual(pairs, one.body)));
  }
}

/** Those with the highest score, in their order. */
function best<T>(all: readonly T[], score: (one: T) => number): readonly T[] {
  if (all.length < 2) return all;
  const scores = all.map(score);
  const highest = scores.reduce((most, one) => Math.max(most, one));
  return all.filter((_, index) => scores[index] === highest);
}
