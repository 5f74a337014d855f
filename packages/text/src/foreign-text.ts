import { asMasked, type MaskedText } from "./masked-text.ts";
import type { Mask } from "./secret-mask.ts";

/** The most characters that are shown of a sentence, an address or a message from elsewhere. */
const maxCharacters = 300;
/** The most bytes that are shown of data from a connection. */
const maxBytes = 48;
const ellipsis = "…";

/**
 * A text of unknown content: sent by a target, thrown, or an address. It can only be shown through a mask,
 * which masks secrets before anything is cut or escaped.
 */
export class ForeignText {
  readonly #show: (mask: Mask) => string;

  constructor(show: (mask: Mask) => string) {
    this.#show = show;
  }

  /** Returns the text without secrets, cut, on one line, and harmless wherever it is printed. */
  masked(mask: Mask): MaskedText {
    return asMasked(this.#show(mask));
  }
}

/** Returns our own words around texts from elsewhere. Values that are no ForeignText are masked, too. */
export function foreignSentence(
  words: TemplateStringsArray,
  ...values: readonly (string | number | ForeignText)[]
): ForeignText {
  return new ForeignText((mask) =>
    String.raw({ raw: words }, ...values.map((value) => showValue(value, mask))),
  );
}

/** Returns several texts with our own words between them. */
export function joinForeign(texts: readonly ForeignText[], separator: string): ForeignText {
  return new ForeignText((mask) => texts.map((text) => text.masked(mask)).join(separator));
}

/** Returns a sentence or an address from elsewhere. */
export function foreignLine(text: string | ForeignText, most: number = maxCharacters): ForeignText {
  if (text instanceof ForeignText) return text;
  return new ForeignText((mask) => {
    const { text: start, isCut } = mask.excerpt(text, most);
    return isCut ? `${harmless(start)}${ellipsis}` : harmless(start);
  });
}

/** Returns a text that may have several lines, unescaped: the code that prints it must escape it. */
export function foreignLines(text: string, most: number): ForeignText {
  return new ForeignText((mask) => mask.excerptWithEllipsis(text, most));
}

/** Returns the first bytes that a peer sent, one character each, in quotes. */
export function quotedBytes(bytes: string): ForeignText {
  return new ForeignText((mask) => {
    const { text, isCut } = mask.excerpt(bytes, maxBytes, { isFragment: true });
    const escaped = withoutCommands(JSON.stringify(text).replace(/[\x7f-\xff]/g, escape));
    return isCut ? `${escaped}${ellipsis}` : escaped;
  });
}

/** Returns the beginning of a text, in quotes on one line. Invisible characters are escaped as in JSON. */
export function quotedText(text: string, most: number): ForeignText {
  return new ForeignText((mask) => {
    const { text: start, isCut } = mask.excerpt(text, most);
    const escaped = withoutCommands(JSON.stringify(start).replace(unprintable, escapeUnits));
    return isCut ? `${escaped}${ellipsis}` : escaped;
  });
}

/**
 * Control characters, bidi and other invisible formats, line separators, lone surrogates: those that
 * JSON does not escape.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}

function showValue(value: string | number | ForeignText, mask: Mask): string {
  if (value instanceof ForeignText) return value.masked(mask);
  return typeof value === "number" ? String(value) : harmless(mask.hide(value));
}

/** Returns a sentence on one line, with control and bidirectional characters escaped. */
function harmless(words: string): string {
  return withoutCommands(words.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escape));
}

/** Returns a text that contains no workflow command of CI, wherever a line may be broken. */
function withoutCommands(text: string): string {
  return text.replaceAll(/::(?=[a-z])/gi, ":\\x3a").replaceAll("##[", "#\\x23[");
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
