import { asMasked, type MaskedText } from "./masked-text.ts";
import type { Mask } from "./secret-mask.ts";

/** As much of a sentence, an address or a message from elsewhere as is shown. */
const mostCharacters = 300;
/** As much of what came over a connection. */
const mostBytes = 48;
const ellipsis = "…";

/**
 * A text that may hold anything: what a target sent, what was thrown, an address. It can be shown through a mask alone,
 * which takes secrets out before anything is cut or escaped.
 */
export class ForeignText {
  readonly #show: (mask: Mask) => string;

  constructor(show: (mask: Mask) => string) {
    this.#show = show;
  }

  /** Without secrets, cut, on one line, and harmless wherever it is printed. */
  shown(mask: Mask): MaskedText {
    return asMasked(this.#show(mask));
  }
}

/** Words of ours around texts from elsewhere. What is no ForeignText goes through the mask, too. */
export function told(
  words: TemplateStringsArray,
  ...values: readonly (string | number | ForeignText)[]
): ForeignText {
  return new ForeignText((mask) =>
    String.raw({ raw: words }, ...values.map((value) => showValue(value, mask))),
  );
}

/** Several texts with the same words of ours between them. */
export function listed(texts: readonly ForeignText[], separator: string): ForeignText {
  return new ForeignText((mask) => texts.map((text) => text.shown(mask)).join(separator));
}

/** A sentence or an address from elsewhere. */
export function foreign(text: string | ForeignText, most: number = mostCharacters): ForeignText {
  if (text instanceof ForeignText) return text;
  return new ForeignText((mask) => {
    const { text: start, isCut } = mask.excerpt(text, most);
    return isCut ? `${harmless(start)}${ellipsis}` : harmless(start);
  });
}

/** A text that may have several lines, as it is: whoever prints it escapes it. */
export function verbatim(text: string, most: number): ForeignText {
  return new ForeignText((mask) => mask.begin(text, most));
}

/** The first bytes of what a peer sent, one character each, in quotes. */
export function quotedBytes(bytes: string): ForeignText {
  return new ForeignText((mask) => {
    const { text, isCut } = mask.excerpt(bytes, mostBytes, { isPiece: true });
    const escaped = withoutCommands(JSON.stringify(text).replace(/[\x7f-\xff]/g, escape));
    return isCut ? `${escaped}${ellipsis}` : escaped;
  });
}

/** The beginning of a text, in quotes on one line. Invisible characters are escaped as in JSON. */
export function quotedText(text: string, most: number): ForeignText {
  return new ForeignText((mask) => {
    const { text: start, isCut } = mask.excerpt(text, most);
    const escaped = withoutCommands(JSON.stringify(start).replace(unprintable, escapeUnits));
    return isCut ? `${escaped}${ellipsis}` : escaped;
  });
}

/** Controls, bidi and other invisible formats, line separators, lone surrogates: what JSON leaves of them as it is. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}

function showValue(value: string | number | ForeignText, mask: Mask): string {
  if (value instanceof ForeignText) return value.shown(mask);
  return typeof value === "number" ? String(value) : harmless(mask.hide(value));
}

/** A sentence on one line, control and bidirectional characters escaped. */
function harmless(words: string): string {
  return withoutCommands(words.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escape));
}

/** A text in which nothing reads as a workflow command of CI, wherever a line may be broken. */
function withoutCommands(text: string): string {
  return text.replaceAll(/::(?=[a-z])/gi, ":\\x3a").replaceAll("##[", "#\\x23[");
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
