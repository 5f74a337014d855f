import picocolors from "picocolors";

type Paint = (text: string) => string;

/** The few colours that reports use, each for one meaning; all of them leave the text alone where disabled. */
export interface Palette {
  readonly good: Paint;
  readonly bad: Paint;
  readonly warning: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
}

export function createPalette(enabled: boolean): Palette {
  const { green, red, yellow, bold, dim } = picocolors.createColors(enabled);
  return { good: green, bad: red, warning: yellow, strong: bold, faint: dim };
}
