import {
  detachedText,
  type FindKnown,
  indexTexts,
  isAmbiguousName,
  isOrdinaryWord,
  isPlainWords,
  occursByChance,
} from "@bearhug/sdk/internal";
import { exampleEmail } from "./emails.ts";
import type { FoundSecret } from "./find-secrets.ts";
import { looksRandom } from "./random-text.ts";
import { looksSecret } from "./secret-looks.ts";
import { SeenTexts } from "./seen-texts.ts";

/**
 * The texts in which a secret is searched for as well: inside any text, as a whole value, or nowhere, because short texts and ordinary
 * words occur by chance.
 */
type Reach = "anywhere" | "whole value" | "its place";

const leastAnywhere = 8;
const leastWhole = 4;
/** Letters and digits, as in no word: `9f-blue-Horse`, and no `in_progress`. */
const isMadeUp = (text: string): boolean =>
  looksRandom(text) || (text.length >= leastAnywhere && /[A-Za-z]/.test(text) && /\d/.test(text));

/** Returns true for a random cookie value, not `variant-b2` or `1920x1080`: it occurs nowhere else by chance. */
export function isOnesOwn(value: string): boolean {
  return isMadeUp(value) && !isPlainWords(value) && !/^\d+x\d+$/.test(value);
}

/** An address without anything that may be secret: it stands wherever a request goes there. */
const plainAddress = /^https?:\/\/[^\s@?#]+$/i;

/** Returns the reach of a secret. One that only an ambiguous name marks is searched for elsewhere if it is random. */
export function reachOf(text: string, kind: FoundSecret["kind"], name: string): Reach {
  if (plainAddress.test(text) && !looksSecret(text)) return "its place";
  if (kind === "secret" && isAmbiguousName(name) && !isMadeUp(text)) return "its place";
  if (isOrdinaryWord(text))
    return kind === "password" && text.length >= leastWhole ? "whole value" : "its place";
  if (!occursByChance(text)) return "anywhere";
  return text.length >= leastWhole ? "whole value" : "its place";
}

/** All secrets found in a capture. They are removed from every other place, too. */
export class KnownSecrets {
  /** By what is secret: the name that it first went by. */
  readonly #names = new Map<string, string>();
  readonly #anywhere = new Set<string>();
  readonly #whole = new Set<string>();
  readonly #passwords = new Set<string>();
  #find: FindKnown | null = null;

  add(found: string, name: string, kind: FoundSecret["kind"]): void {
    if (found === exampleEmail) return;
    const text = detachedText(found);
    if (!this.#names.has(text)) this.#names.set(text, detachedText(name));
    if (kind === "password") this.#passwords.add(text);
    const reach = reachOf(text, kind, name);
    if (reach === "anywhere") this.#anywhere.add(text);
    if (reach === "whole value") this.#whole.add(text);
    this.#find = null;
  }

  /** Adds all that was found in a text, and what the encodings around it hold. */
  addFound(text: string, found: readonly FoundSecret[]): void {
    for (const { start, end, name, kind, inner } of found)
      for (const secret of [text.slice(start, end), ...inner]) this.add(secret, name, kind);
  }

  nameOf(text: string): string | undefined {
    return this.#names.get(text);
  }

  isPassword(text: string): boolean {
    return this.#passwords.has(text);
  }

  isWholeValue(text: string): boolean {
    return this.#whole.has(text) || this.#anywhere.has(text);
  }

  /** Returns true if a text may occur by chance where it is not secret: `?q=honey` beside the password `honey`. */
  isByChance(text: string): boolean {
    return !this.#anywhere.has(text);
  }

  /** Finds the places in a text of values that are secret anywhere. */
  get find(): FindKnown {
    this.#find ??= rememberHarmless(indexTexts(this.#anywhere));
    return this.#find;
  }

  /** Texts that no output may contain. Shorter texts and ordinary words are replaced, but cannot be searched for. */
  get searchable(): string[] {
    return [...this.#anywhere];
  }
}

function rememberHarmless(find: FindKnown): FindKnown {
  const harmless = new SeenTexts();
  return (text) => {
    if (harmless.has(text)) return [];
    const found = find(text);
    if (found.length === 0) harmless.add(text);
    return found;
  };
}

/** A secret that stands in what was written. */
interface Leak {
  /** Which of the texts. */
  readonly textIndex: number;
  /** Where in it. */
  readonly start: number;
  readonly end: number;
}

/** Finds secrets in texts. To make one takes longer than to search a text with it. */
export type FindLeaks = (texts: readonly string[]) => Leak[];

/**
 * Finds every place at which something that must not be written was: as it is, or percent-, form-, JSON-, JavaScript-, HTML- or
 * base64-encoded, even one in another. Texts of less than six characters are not looked for: they would be found by
 * chance.
 */
export function createLeakFinder(redacted: readonly string[]): FindLeaks {
  const find = indexTexts(redacted);
  return (texts) =>
    texts.flatMap((text, textIndex) => find(text).map(({ start, end }) => ({ textIndex, start, end })));
}
