import type { MaskedText } from "@bearhug/text/masked-text";

/** The longest pause that was probably meant in seconds, as in scripts of k6 and Locust, in ms. */
const likelySecondsMs = 5;

/** Warns of the thread's first pause that was probably meant in seconds, and given as a number. */
export class ShortPauses {
  readonly #warn: (text: MaskedText) => void;
  readonly #hide: (text: string) => MaskedText;
  #hasWarned = false;

  constructor(warn: (text: MaskedText) => void, hide: (text: string) => MaskedText) {
    this.#warn = warn;
    this.#hide = hide;
  }

  /** Looks at the arguments of a call of `sleep` or `think`. */
  look(call: "sleep" | "think", given: readonly (string | number | undefined)[]): void {
    if (this.#hasWarned) return;
    const pauses = given.filter((one) => one !== undefined);
    const isShort = (one: string | number): boolean =>
      typeof one === "number" && one > 0 && one <= likelySecondsMs;
    if (pauses.length === 0 || !pauses.every(isShort)) return;
    this.#hasWarned = true;
    const written = pauses.map((one) => String(Number(Number(one).toPrecision(3))));
    const inUnit = (unit: string): string =>
      `${call}(${written.map((one) => JSON.stringify(one + unit)).join(", ")})`;
    this.#warn(
      this.#hide(
        `${call}(${written.join(", ")}) waits milliseconds. For seconds, write ${inUnit("s")}; if milliseconds are meant, ${inUnit("ms")}`,
      ),
    );
  }
}
