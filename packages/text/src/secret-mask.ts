import {
  findKnown,
  findNamedSecrets,
  findTokensAnyhow,
  KnownTexts,
  mergeSpans,
  occursByChance,
  replaceSpans,
  type Span,
  type TextKind,
} from "@bearhug/sdk/internal";

import { asMasked, type MaskedText } from "./masked-text.ts";
import { GivenSecrets } from "./given-secrets.ts";
import { SeenSecrets } from "./seen-secrets.ts";

const stars = "***";
const ellipsis = "…";

/** A line of a key that stands by itself, as in a code frame. */
const leastLine = 16;

/** So much of a text is looked at for each character that is shown: secrets shrink to three. */
const lookedAtFactor = 4;
const leastLookedAt = 4096;
/** Characters read past the part that is shown, so that a secret that begins in it is found whole. */
const longestSecret = 16_384;

/** Short texts whose masking is known: a failure says the same thing thousands of times, and each second tells all names again. */
const mostCached = 2000;
const longestCached = 1000;

/** The beginning of a text, without secrets. */
export interface Excerpt {
  readonly text: MaskedText;
  readonly isCut: boolean;
}

/** Takes the secrets out of a text. */
export type Hide = (text: string, kind?: TextKind) => MaskedText;

/** The origin of a text. */
export interface ExcerptOptions {
  /** It may begin or end within a secret, as a piece of what came over a connection does. */
  readonly isPiece?: boolean;
  readonly kind?: TextKind;
}

/**
 * Replaces secrets in texts: those that are declared and those that were seen in the run, in whatever way they are
 * spelled, and what is secret by its name or its shape. It is the only thing that cuts texts: what is cut is masked before.
 */
export class Mask {
  readonly #declared = new KnownTexts({ keepsNumbers: true });
  /** Values of feeds and of setup's data, which may be many. */
  readonly #given = new GivenSecrets();
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

  /** Masks these from now on, however they are spelled: in all texts, unless they stand in texts by chance. */
  declare(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (this.#all.has(secret) || occursByChance(secret)) continue;
      this.#all.add(secret);
      this.#declared.add(secret);
      const lines = secret.split(/\r?\n/);
      for (const line of lines) {
        if (lines.length > 1 && line.length >= leastLine && !line.startsWith("-----"))
          this.#declared.add(line);
      }
    }
    this.#cache.clear();
  }

  /** Masks these, too: secrets in rows of feeds and in what setup returned. */
  give(secrets: readonly string[]): void {
    if (secrets.length === 0) return;
    this.#given.add(secrets);
    this.#cache.clear();
  }

  /** True if there are more given secrets than are masked: those that are used must be seen. */
  get isGivenFull(): boolean {
    return this.#given.isFull;
  }

  /** All that is masked because it is known. */
  known(): string[] {
    return [...this.#all, ...this.seen.values()];
  }

  /** Tells of each value that is seen for the first time. */
  onSeen(listener: (value: string) => void): void {
    this.#onSeen = listener;
  }

  /** The text without its secrets. Bound, so that it can be handed on. */
  readonly hide: Hide = (text, kind = "prose") => {
    const known = kind === "prose" ? this.#cache.get(text) : undefined;
    if (known !== undefined) return known;
    const hidden = asMasked(replaceSpans(text, this.#find(text, kind), () => stars));
    if (kind === "prose" && text.length <= longestCached) {
      if (this.#cache.size >= mostCached) this.#cache.clear();
      this.#cache.set(text, hidden);
    }
    return hidden;
  };

  /** As many characters of the text, its secrets taken out before it is cut. A long text is not read to its end. */
  excerpt(
    text: string,
    mostCharacters: number,
    { isPiece = false, kind = "prose" }: ExcerptOptions = {},
  ): Excerpt {
    const end = Math.max(leastLookedAt, mostCharacters * lookedAtFactor);
    const looked = text.length <= end + longestSecret ? text : text.slice(0, end + longestSecret);
    if (looked === text && text.length <= end && !isPiece)
      return cut(this.hide(text, kind), mostCharacters, false);
    const spans = this.#find(looked, kind, isPiece).filter(({ start }) => start < end);
    const shownEnd = Math.max(Math.min(end, looked.length), spans.at(-1)?.end ?? 0);
    const hidden = replaceSpans(looked.slice(0, shownEnd), spans, () => stars);
    return cut(hidden, mostCharacters, shownEnd < text.length);
  }

  /** The same, with an ellipsis where it was cut. */
  begin(text: string, mostCharacters: number): MaskedText {
    const { text: shown, isCut } = this.excerpt(text, mostCharacters);
    return isCut ? asMasked(shown + ellipsis) : shown;
  }

  #find(text: string, kind: TextKind, isPiece = false): Span[] {
    const edges = isPiece ? this.#indexes().flatMap((index) => index.findAtEdges(text)) : [];
    return mergeSpans([
      ...findKnown(text, this.#indexes()),
      ...edges,
      ...findNamedSecrets(text, kind),
      ...findTokensAnyhow(text),
    ]);
  }

  #indexes(): KnownTexts[] {
    return [this.#declared, ...this.#given.indexes(), ...this.seen.indexes()];
  }
}

/** A mask of secrets that are known from the start. */
export function createMask(secrets: readonly string[]): Mask {
  return new Mask(secrets);
}

/** Cut between two characters, and not within what stands for a secret. */
function cut(hidden: string, mostCharacters: number, isCut: boolean): Excerpt {
  if (hidden.length <= mostCharacters) return { text: asMasked(hidden), isCut };
  const before = hidden.slice(0, mostCharacters);
  const kept = before.replace(/[\ud800-\udbff]$/, "");
  const stars1 = /\*{1,2}$/.exec(kept)?.[0].length ?? 0;
  const isWithin = stars1 > 0 && hidden.startsWith(stars, kept.length - stars1);
  return { text: asMasked(isWithin ? kept.slice(0, -stars1) : kept), isCut: true };
}
