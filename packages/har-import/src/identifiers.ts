import { UniqueNames } from "./unique-names.ts";

/** Words of the language, globals that the code uses, and what the code takes from the SDK and the context. */
const taken: readonly string[] = [
  "arguments as async await break case catch class const continue debugger default delete do else enum eval export",
  "extends false finally for from function get if implements import in instanceof interface let new null of package",
  "private protected public return set static super switch this throw true try type typeof undefined var void while",
  "with yield NaN Infinity globalThis Array Date Error JSON Math Number Object Promise String Uint8Array",
  "encodeURIComponent constructor prototype __proto__",
  "defineTest extract fromBase64 statusIs endsAt redirectsTo jsonFieldIs noJsonErrors rowOf contentOf files readFileSync response",
  "http page group check think sleep env random iteration data metrics vu scenario tags log signal abort",
].flatMap((names) => names.split(" "));

const longest = 30;

/** The names of a place in the code: none is given twice, and none that means something already. */
export class Identifiers {
  readonly #names: UniqueNames;

  constructor(names: UniqueNames = new UniqueNames({ taken })) {
    this.#names = names;
  }

  /** A name like the one that is wished for; a number makes it another where it is taken. */
  take(wished: string): string {
    return this.#names.take(toIdentifier(wished));
  }

  /** Names of an inner place, which may not hide those that are taken here. */
  inner(): Identifiers {
    return new Identifiers(this.#names.inner());
  }
}

/** Any text in camel case; "value" where nothing in it can stand in a name. */
function toIdentifier(text: string): string {
  const words = text.slice(0, 200).match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word)))
    .join("")
    .slice(0, longest);
  if (joined === "") return "value";
  return /^\d/.test(joined) ? `_${joined}` : joined;
}

/** `HTMLParser` and `URL` begin with a word of capitals: all of it goes down. */
function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
