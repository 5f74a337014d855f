declare const masked: unique symbol;

/**
 * A text that went through the run's mask, or that consists of our own words only. Everything that is stored
 * or shown has this type.
 */
export type MaskedText = string & { readonly [masked]: never };

/**
 * Returns our own words, with numbers and masked texts between them. Any other text must go
 * through a mask first.
 */
export function ownWords(
  words: TemplateStringsArray,
  ...values: readonly (number | MaskedText)[]
): MaskedText {
  return String.raw({ raw: words }, ...values) as MaskedText;
}

/**
 * Marks as masked a text that a mask has made, or that was masked before it was stored. Only for masks and
 * readers of stored data.
 */
export function asMasked(text: string): MaskedText {
  return text as MaskedText;
}
