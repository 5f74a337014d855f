import { requestName } from "@bearhug/sdk";
import type { Answer } from "./answer.ts";

/** Method, path and query, and the answers that were recorded for it. */
export class RequestLine {
  /** `GET /path?query`. */
  readonly key: string;
  /** What a load test groups it by. */
  readonly name: string;
  readonly #answers: readonly Answer[];
  #next = 0;

  constructor(key: string, answers: readonly Answer[]) {
    const space = key.indexOf(" ");
    this.key = key;
    this.name = requestName(key.slice(0, space), key.slice(space + 1));
    this.#answers = answers;
  }

  get isInCapture(): boolean {
    return this.#answers.length > 0;
  }

  /** The answers in turn, in the file's order, then again from the first; undefined when there are none. */
  takeNext(): Answer | undefined {
    const answer = this.#answers[this.#next];
    this.#next = (this.#next + 1) % Math.max(1, this.#answers.length);
    return answer;
  }
}
