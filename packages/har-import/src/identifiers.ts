import { capitalized } from "@bearhug/text/capitalized";

import { UniqueNames } from "./unique-names.ts";

/** Functions of the SDK that generated code calls, in the order in which it imports them. */
export const sdkFunctions = [
  "endsAt",
  "extract",
  "fromBase64",
  "grpcStatusIs",
  "hasNoField",
  "isHtml",
  "isJson",
  "isNotHtml",
  "jsonFieldIs",
  "noJsonErrors",
  "redirectsTo",
  "statusIs",
] as const;

/** Reserved words, globals that generated code uses, and names that it takes from the SDK and the context. */
const taken: readonly string[] = [
  "arguments as async await break case catch class const continue debugger default delete do else enum eval export",
  "extends false finally for from function get if implements import in instanceof interface let new null of package",
  "private protected public return set static super switch this throw true try type typeof undefined var void while",
  "with yield NaN Infinity globalThis Array Date Error JSON Math Number Object Promise String Uint8Array",
  "encodeURIComponent constructor prototype __proto__",
  ...sdkFunctions,
  "defineTest rowOf contentOf files readFileSync",
  "http page group check think sleep env random iteration data metrics vu scenario tags log signal abort",
].flatMap((names) => names.split(" "));

const longest = 30;

/**
 * Allocates identifiers in one scope of the generated code: each is unique, and none has a meaning already.
 */
export class Identifiers {
  readonly #names: UniqueNames;

  constructor(names: UniqueNames = new UniqueNames({ taken })) {
    this.#names = names;
  }

  /** Returns an identifier like the preferred name, with a number appended if that is taken. */
  take(preferred: string): string {
    return this.#names.take(toIdentifier(preferred));
  }

  /** Returns the identifiers of an inner scope, which must not shadow those of this one. */
  inner(): Identifiers {
    return new Identifiers(this.#names.inner());
  }
}

/** Converts any text to camel case; "value" if an identifier can have none of its characters. */
function toIdentifier(text: string): string {
  const words = text.slice(0, 200).match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? lowerFirst(word) : capitalized(word)))
    .join("")
    .slice(0, longest);
  if (joined === "") return "value";
  return /^\d/.test(joined) ? `_${joined}` : joined;
}

/** Lower-cases the capitals that a word begins with: `URL` becomes `url`, and `HTMLParser` becomes `htmlParser`. */
function lowerFirst(word: string): string {
  return word.replace(/^(?:\p{Lu}+(?!\p{Ll})|\p{Lu})/u, (capitals) => capitals.toLowerCase());
}
