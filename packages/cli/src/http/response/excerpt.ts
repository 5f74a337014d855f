import type { Mask } from "../../secret-mask.ts";

/** What is quoted of a body in an error; secrets are masked first, in a longer piece, so that none is cut in two. */
const quoted = 60;
const quotedFrom = 10_000;

/** Controls, bidi and other invisible formats, line separators, lone surrogates: what JSON leaves of them as it is. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** How a text begins, in quotes on one line: without secrets, and with nothing that a terminal obeys. */
export function excerpt(text: string, mask: Mask): string {
  const masked = mask(text.slice(0, quotedFrom));
  const start = JSON.stringify(masked.slice(0, quoted)).replace(unprintable, escape);
  return masked.length > quoted ? `${start}…` : start;
}

function escape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
