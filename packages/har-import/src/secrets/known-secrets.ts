import { detachedText } from "@bearhug/text/detached-text";
import { type FindKnown, indexTexts } from "@bearhug/text/secrets/find-known";
import { isOrdinaryWord, isPlainWords, isTooCommonToMask } from "@bearhug/text/secrets/plain-words";
import { isAmbiguousName } from "@bearhug/text/secrets/secret-names";
import { exampleEmail } from "./emails.ts";
import type { FoundSecret } from "./find-secrets.ts";
import { looksRandom } from "./random-text.ts";
import { looksSecret } from "./secret-looks.ts";
import { SeenTexts } from "./seen-texts.ts";

/**
 * How widely a secret is searched for: inside any text, as a whole value, or nowhere else, because short
 * texts and ordinary words occur by chance.
 */
type Reach = "anywhere" | "whole value" | "its place";

const leastAnywhere = 8;
const leastWhole = 4;
/** True for letters mixed with digits, as in no word: `9f-blue-Horse`, but not `in_progress`. */
const isRandom = (text: string): boolean =>
  looksRandom(text) || (text.length >= leastAnywhere && /[A-Za-z]/.test(text) && /\d/.test(text));

/** Returns true for a random cookie value, not `variant-b2` or `1920x1080`: it occurs nowhere else by chance. */
export function isRandomCookieValue(value: string): boolean {
  return isRandom(value) && !isPlainWords(value) && !/^\d+x\d+$/.test(value);
}

/** An address with no part that may be secret: it occurs wherever a request goes there. */
const plainAddress = /^https?:\/\/[^\s@?#]+$/i;

/** Returns the reach of a secret. One that only an ambiguous name marks is searched for elsewhere if it is random. */
export function reachOf(text: string, kind: FoundSecret["kind"], name: string): Reach {
  if (plainAddress.test(text) && !looksSecret(text)) return "its place";
  if (kind === "secret" && isAmbiguousName(name) && !isRandom(text)) return "its place";
  if (isOrdinaryWord(text))
    return kind === "password" && text.length >= leastWhole ? "whole value" : "its place";
  if (!isTooCommonToMask(text)) return "anywhere";
  return text.length >= leastWhole ? "whole value" : "its place";
}

/** All secrets found in a capture. They are removed from every other place, too. */
export class KnownSecrets {
  /** The first name of each secret, by its text. */
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

  /** Adds all secrets found in a text but e-mail addresses, and those inside their encodings. */
  addFound(text: string, found: readonly FoundSecret[]): void {
    for (const { start, end, name, kind, inner } of found.filter((one) => one.kind !== "email"))
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

  /** Finds the same places as `find`, as secrets whose names are unknown. */
  findUnnamed(text: string): FoundSecret[] {
    return this.find(text).map((span) => ({ ...span, name: "", kind: "secret", inner: [] }));
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

/** A secret in an output. */
interface Leak {
  /** Index of the text. */
  readonly textIndex: number;
  /** Position in the text. */
  readonly start: number;
  readonly end: number;
}

/** Finds secrets in texts. Creating one takes longer than searching a text with it. */
export type FindLeaks = (texts: readonly string[]) => Leak[];

/**
 * Creates a finder of texts that no output may contain: as they are, or percent-, form-, JSON-, JavaScript-,
 * HTML- or base64-encoded, even one in another. Texts of less than six characters are not searched for: they
 * would be found by chance.
 */
export function createLeakFinder(redacted: readonly string[]): FindLeaks {
  const find = indexTexts(redacted);
  return (texts) =>
    texts.flatMap((text, textIndex) => find(text).map(({ start, end }) => ({ textIndex, start, end })));
}
