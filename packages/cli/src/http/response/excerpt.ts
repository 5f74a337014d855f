import type { Mask } from "../../secret-mask.ts";

/** As much of a body as an error quotes. */
const quoted = 60;

/** Controls, bidi and other invisible formats, line separators, lone surrogates: what JSON leaves of them as it is. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** How a text begins, in quotes on one line: without secrets, and with nothing that a terminal obeys. */
export function excerpt(text: string, mask: Mask): string {
  const { text: beginning, isCut } = mask.excerpt(text, quoted);
  const start = JSON.stringify(beginning).replace(unprintable, escape);
  return isCut ? `${start}…` : start;
}

function escape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
