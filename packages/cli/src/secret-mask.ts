import {
  findKnown,
  findNamedSecrets,
  findTokensAnyhow,
  KnownTexts,
  leastKnownLength,
  mergeSpans,
  replaceSpans,
  type Span,
} from "@bearhug/sdk/internal";

import { asMasked, type MaskedText } from "./masked-text.ts";
import { SeenSecrets } from "./seen-secrets.ts";

const stars = "***";
const ellipsis = "…";

/** Shorter values would be found in every second word. */
const leastLength = 3;
/** A line of a key that stands by itself, as in a code frame. */
const leastLine = 16;

/** So much of a text is looked at for each character that is shown: secrets shrink to three. */
const lookedAtFactor = 4;
const leastLookedAt = 4096;
/** Characters read past the part that is shown, so that a secret that begins in it is found whole. */
const longestSecret = 16_384;

/** Short texts whose masking is known: a failure says the same thing thousands of times. */
const mostCached = 500;
const longestCached = 1000;

/** The beginning of a text, without secrets. */
export interface Excerpt {
  readonly text: MaskedText;
  readonly isCut: boolean;
}

/** The origin of a text. */
export interface ExcerptOptions {
  /** It may begin or end within a secret, as a piece of what came over a connection does. */
  readonly isPiece?: boolean;
}

/**
 * Replaces secrets in texts: those that are declared and those that were seen in the run, in whatever way they are
 * spelled, and what is secret by its name or its shape. It is the only thing that cuts texts: what is cut is masked before.
 */
export class Mask {
  readonly #declared = new KnownTexts({ keepsNumbers: true });
  readonly #short = new Set<string>();
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

  /** Masks these from now on, however they were spelled. */
  declare(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < leastLength || this.#all.has(secret)) continue;
      this.#all.add(secret);
      this.#declared.add(secret);
      if (secret.length < leastKnownLength) for (const form of shortForms(secret)) this.#short.add(form);
      const lines = secret.split(/\r?\n/);
      for (const line of lines) {
        if (lines.length > 1 && line.length >= leastLine && !line.startsWith("-----"))
          this.#declared.add(line);
      }
    }
    this.#cache.clear();
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
  readonly hide = (text: string): MaskedText => {
    const known = this.#cache.get(text);
    if (known !== undefined) return known;
    const hidden = asMasked(replaceSpans(text, this.#find(text), () => stars));
    if (text.length <= longestCached) {
      if (this.#cache.size >= mostCached) this.#cache.clear();
      this.#cache.set(text, hidden);
    }
    return hidden;
  };

  /** As many characters of the text, its secrets taken out before it is cut. A long text is not read to its end. */
  excerpt(text: string, mostCharacters: number, { isPiece = false }: ExcerptOptions = {}): Excerpt {
    const end = Math.max(leastLookedAt, mostCharacters * lookedAtFactor);
    const looked = text.length <= end + longestSecret ? text : text.slice(0, end + longestSecret);
    if (looked === text && text.length <= end && !isPiece) return cut(this.hide(text), mostCharacters, false);
    const spans = this.#find(looked, isPiece).filter(({ start }) => start < end);
    const shownEnd = Math.max(Math.min(end, looked.length), spans.at(-1)?.end ?? 0);
    const hidden = replaceSpans(looked.slice(0, shownEnd), spans, () => stars);
    return cut(hidden, mostCharacters, shownEnd < text.length);
  }

  /** The same, with an ellipsis where it was cut. */
  begin(text: string, mostCharacters: number): MaskedText {
    const { text: shown, isCut } = this.excerpt(text, mostCharacters);
    return isCut ? asMasked(shown + ellipsis) : shown;
  }

  #find(text: string, isPiece = false): Span[] {
    const edges = isPiece ? this.#indexes().flatMap((index) => index.findAtEdges(text)) : [];
    return mergeSpans([
      ...this.#findKnown(text),
      ...edges,
      ...findNamedSecrets(text),
      ...findTokensAnyhow(text),
    ]);
  }

  #findKnown(text: string): Span[] {
    return [...findKnown(text, this.#indexes()), ...[...this.#short].flatMap((form) => findForm(text, form))];
  }

  #indexes(): KnownTexts[] {
    return [this.#declared, ...this.seen.indexes()];
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

/** Too short to be indexed: as they are, and as addresses, JSON and base64 spell them. */
function shortForms(secret: string): string[] {
  const whole = secret.toWellFormed();
  return [
    secret,
    encodeURIComponent(whole),
    new URLSearchParams({ v: whole }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(whole).toString("base64"),
    Buffer.from(whole).toString("hex"),
  ].filter((form) => form.length >= leastLength);
}

function findForm(text: string, form: string): Span[] {
  const found: Span[] = [];
  const isNumber = /^\d+$/.test(form);
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
    const end = at + form.length;
    const isPart = isNumber && (/\d\.?$/.test(text.slice(0, at)) || /^\.?\d/.test(text.slice(end, end + 2)));
    if (!isPart) found.push({ start: at, end });
  }
  return found;
}
