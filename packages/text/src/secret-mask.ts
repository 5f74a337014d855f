import { findKnown } from "./secrets/find-known.ts";
import { findNamedSecrets, type TextKind } from "./secrets/find-named-secrets.ts";
import { findTokensInEncodings } from "./secrets/token-shapes.ts";
import { KnownTexts } from "./secrets/known-texts.ts";
import { mergeSpans, replaceSpans, type Span } from "./secrets/span.ts";
import { isTooCommonToMask } from "./secrets/plain-words.ts";
import { asMasked, type MaskedText } from "./masked-text.ts";
import { DataSecrets } from "./data-secrets.ts";
import { SeenSecrets } from "./seen-secrets.ts";

const stars = "***";
const ellipsis = "…";

/** The least length of a line of a key that is masked on its own, as in a code frame. */
const minLineLength = 16;

/** Characters of a text that are searched for each character that is shown: a secret shrinks to three. */
const searchedFactor = 4;
const minSearched = 4096;
/** Characters that are read beyond the shown part, so that a secret that begins in it is found whole. */
const longestSecret = 16_384;

/**
 * The most short texts whose masked form is cached: a failure has the same message thousands of times, and
 * each second reports all names again.
 */
const maxCached = 2000;
const longestCached = 1000;

/** The beginning of a text, without its secrets. */
export interface Excerpt {
  readonly text: MaskedText;
  readonly isCut: boolean;
}

/** Masks the secrets in a text. */
export type Hide = (text: string, kind?: TextKind) => MaskedText;

/** Options that describe a text. */
export interface ExcerptOptions {
  /** True if it may begin or end within a secret, like a piece of data from a connection. */
  readonly isFragment?: boolean;
  readonly kind?: TextKind;
}

/**
 * Replaces secrets in texts: those that are declared and those that were seen in the run, in any spelling,
 * and values that are secret by their name or their form. Texts are cut only here, so that they are masked
 * before they are cut.
 */
export class Mask {
  readonly #declared = new KnownTexts({ keepsNumbers: true });
  /** Values of feeds and of setup's data, of which there may be many. */
  readonly #given = new DataSecrets();
  readonly #cache = new Map<string, MaskedText>();
  readonly #all = new Set<string>();
  /** Values that were seen in the run and are masked from then on. */
  readonly seen: SeenSecrets = new SeenSecrets((value) => {
    this.#cache.clear();
    this.#onSeen?.(value);
  });
  #onSeen: ((value: string) => void) | null = null;

  constructor(secrets: readonly string[] = []) {
    this.declare(secrets);
  }

  /** Masks these from now on, in any spelling: in all texts, unless they occur in texts by chance. */
  declare(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (this.#all.has(secret) || isTooCommonToMask(secret)) continue;
      this.#all.add(secret);
      this.#declared.add(secret);
      const lines = secret.split(/\r?\n/);
      for (const line of lines) {
        if (lines.length > 1 && line.length >= minLineLength && !line.startsWith("-----"))
          this.#declared.add(line);
      }
    }
    this.#cache.clear();
  }

  /** Masks these values, too: secrets in rows of feeds and in the value that setup returned. */
  addDataSecrets(secrets: readonly string[]): void {
    if (secrets.length === 0) return;
    this.#given.add(secrets);
    this.#cache.clear();
  }

  /**
   * True if more secrets were given than are masked: those that are used must then be masked as seen secrets.
   */
  get isGivenFull(): boolean {
    return this.#given.isFull;
  }

  /** Returns all values that are masked because they are known. */
  known(): string[] {
    return [...this.#all, ...this.seen.values()];
  }

  /** Calls `listener` with each value that is seen for the first time. */
  onSeen(listener: (value: string) => void): void {
    this.#onSeen = listener;
  }

  /** Returns the text without its secrets. Bound, so that it can be passed on. */
  readonly hide: Hide = (text, kind = "prose") => {
    const known = kind === "prose" ? this.#cache.get(text) : undefined;
    if (known !== undefined) return known;
    const spans = this.#find(text, kind);
    const hidden = asMasked(spans.length === 0 ? text : replaceSpans(text, spans, () => stars));
    if (kind === "prose" && text.length <= longestCached) {
      if (this.#cache.size >= maxCached) this.#cache.clear();
      this.#cache.set(text, hidden);
    }
    return hidden;
  };

  /**
   * Returns the first `maxCharacters` characters of the text, whose secrets are masked before it is cut. A
   * long text is not read to its end.
   */
  excerpt(
    text: string,
    maxCharacters: number,
    { isFragment = false, kind = "prose" }: ExcerptOptions = {},
  ): Excerpt {
    const end = Math.max(minSearched, maxCharacters * searchedFactor);
    const searched = text.length <= end + longestSecret ? text : text.slice(0, end + longestSecret);
    if (searched === text && text.length <= end && !isFragment)
      return cut(this.hide(text, kind), maxCharacters, false);
    const spans = this.#find(searched, kind, isFragment).filter(({ start }) => start < end);
    const shownEnd = Math.max(Math.min(end, searched.length), spans.at(-1)?.end ?? 0);
    const hidden = replaceSpans(searched.slice(0, shownEnd), spans, () => stars);
    return cut(hidden, maxCharacters, shownEnd < text.length);
  }

  /** Returns the same beginning, with an ellipsis if it was cut. */
  excerptWithEllipsis(text: string, maxCharacters: number): MaskedText {
    const { text: shown, isCut } = this.excerpt(text, maxCharacters);
    return isCut ? asMasked(shown + ellipsis) : shown;
  }

  #find(text: string, kind: TextKind, isPiece = false): Span[] {
    const edges = isPiece ? this.#indexes().flatMap((index) => index.findAtEdges(text)) : [];
    return mergeSpans([
      ...findKnown(text, this.#indexes()),
      ...edges,
      ...findNamedSecrets(text, kind),
      ...findTokensInEncodings(text),
    ]);
  }

  #indexes(): KnownTexts[] {
    return [this.#declared, ...this.#given.indexes(), ...this.seen.indexes()];
  }
}

/** Returns a mask of secrets that are known from the start. */
export function createMask(secrets: readonly string[]): Mask {
  return new Mask(secrets);
}

/** Cuts between two characters, and not within the stars of a secret. */
function cut(hidden: string, maxCharacters: number, isCut: boolean): Excerpt {
  if (hidden.length <= maxCharacters) return { text: asMasked(hidden), isCut };
  const before = hidden.slice(0, maxCharacters);
  const kept = before.replace(/[\ud800-\udbff]$/, "");
  const trailingStars = /\*{1,2}$/.exec(kept)?.[0].length ?? 0;
  const isWithin = trailingStars > 0 && hidden.startsWith(stars, kept.length - trailingStars);
  return { text: asMasked(isWithin ? kept.slice(0, -trailingStars) : kept), isCut: true };
}
