import type { CapturedRequest } from "../capture-model.ts";
import { knownText } from "../value.ts";

/** What the answer to a request may be called: by the last word of its path that is one. */
export function responseName({ path }: CapturedRequest): string {
  for (const { value } of path.toReversed()) {
    const text = knownText(value) ?? "";
    const word = text
      .slice(0, 200)
      .replace(/\.[^.]*$/, "")
      .replace(/[^A-Za-z0-9]+/g, " ")
      .trim();
    if (/[A-Za-z]{2}/.test(word) && word.length <= 30 && !/\d{4}/.test(word)) return word;
  }
  return path.every(({ value }) => value.length === 0) ? "home" : "answer";
}
