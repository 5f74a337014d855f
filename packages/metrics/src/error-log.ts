import { capMessage, capName } from "@bearhug/text/cap-text";
import { asMasked, ownWords, type MaskedText } from "@bearhug/text/masked-text";

/** A kind of error, and how often it occurred. */
export interface ErrorRecord {
  readonly code: string;
  readonly cause: string | null;
  /** The message of the first occurrence. */
  readonly message: MaskedText;
  /** The request's name, or the scenario's. */
  readonly name: string;
  /** Scheme, host and port that the first failed request went to; absent for errors of the test's own code. */
  readonly origin?: string;
  /** After the start of the run. */
  readonly firstAtMs: number;
  readonly count: number;
  /** The place in the bundle where the test threw; null for faults of the target. */
  readonly position: BundlePosition | null;
}

/** One-based line and column in the bundled test. */
export interface BundlePosition {
  readonly line: number;
  readonly column: number;
  /** True if the place in an npm package stands for the line where the test imports the package. */
  readonly isForImport?: boolean | undefined;
}

/**
 * One occurrence of an error. If the message is a function, it is called only for the first
 * occurrence of its kind.
 */
export interface ErrorOccurrence extends Omit<ErrorRecord, "count" | "message"> {
  readonly message: MaskedText | (() => MaskedText);
}

/** The most kinds of errors that are counted separately; the rest is counted together. */
const maxErrors = 100;
const otherCode = "(other)";

/** Counts errors by kind, in bounded memory. */
export class ErrorLog {
  readonly #mask: ((text: string) => string) | undefined;
  readonly #records = new Map<string, ErrorRecord>();

  /** `mask` replaces secrets in texts that are too long, before they are cut. */
  constructor(mask?: (text: string) => string) {
    this.#mask = mask;
  }

  add(occurrence: ErrorOccurrence, count = 1): void {
    const { code, position } = occurrence;
    const cause = occurrence.cause === null ? null : capName(occurrence.cause, this.#mask);
    const name = capName(occurrence.name, this.#mask);
    const key = JSON.stringify([code, cause, name, position]);
    const known = this.#records.get(key);
    if (known !== undefined) {
      const firstAtMs = Math.min(known.firstAtMs, occurrence.firstAtMs);
      this.#records.set(key, { ...known, firstAtMs, count: known.count + count });
    } else if (this.#records.size < maxErrors || code === otherCode) {
      const { message: given } = occurrence;
      const message = asMasked(capMessage(typeof given === "function" ? given() : given));
      this.#records.set(key, { ...occurrence, cause, name, message, count });
    } else {
      const message = ownWords`errors beyond the first ${maxErrors} kinds`;
      this.add(
        { ...occurrence, code: otherCode, cause: null, message, name: otherCode, position: null },
        count,
      );
    }
  }

  /** Returns the errors since the last drain. */
  drain(): ErrorRecord[] {
    const records = this.all();
    this.#records.clear();
    return records;
  }

  /** Returns all errors, most frequent first. */
  all(): ErrorRecord[] {
    return [...this.#records.values()].sort((left, right) => right.count - left.count);
  }
}
