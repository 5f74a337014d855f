declare const masked: unique symbol;

/** A text that went through the run's mask, or that is made of our own words alone. What is kept and shown is of this type. */
export type MaskedText = string & { readonly [masked]: never };

/** Our own words, with numbers and masked texts between them. Any other text must go through a mask first. */
export function own(words: TemplateStringsArray, ...values: readonly (number | MaskedText)[]): MaskedText {
  return String.raw({ raw: words }, ...values) as MaskedText;
}

/** Brands a text that a mask has made, or that was masked before it was stored. For masks and readers of stored data. */
export function asMasked(text: string): MaskedText {
  return text as MaskedText;
}
