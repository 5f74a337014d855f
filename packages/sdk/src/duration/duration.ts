import { quote } from "@bearhug/text/printable";
import { BearhugError } from "../bearhug-error.ts";
import type { Suggest } from "../text/suggest.ts";

/**
 * The type parameters hold examples and advice, because the compiler prints them when it rejects a string.
 */
type Time<Example extends string, InConstants extends string> =
  | number
  | Suggest<
      | `${number}${"ms" | "s" | "m" | "h"}`
      | `${number}h${number}m`
      | `${number}h${number}m${number}s`
      | `${number}h${number}s`
      | `${number}m${number}s`
      | `${number}s${number}ms`
      | `${number}m${number}s${number}ms`,
      Example
    >
  | Extract<InConstants, never>;

/** The compiler prints an indexed type with its parameters; it would print an alias as a bare name. */
interface Times {
  readonly duration: Time<
    "500ms" | "10s" | "1m" | "1m30s",
    "for a constant: const stages = [ … ] satisfies Stages"
  >;
}

/**
 * A length of time: a number of milliseconds, or a string such as `"500ms"`, `"1.5h"` or `"1m30s"`.
 * The compiler checks the form of a string. The rest is checked with the test, or by `sleep` and `think`.
 */
export type Duration = Times["duration"];

/** Thrown by `sleep` and `think` for a value that is not a duration. */
export class DurationSyntaxError extends BearhugError {
  override readonly name = "DurationSyntaxError";
  readonly code = "INVALID_DURATION";
  /** The text that could not be read. */
  readonly text: string;
  /** Zero-based index of the first character that could not be read. */
  readonly offset: number;
  /** `suggestion`: the valid duration that the author probably meant; null if there is none. */
  constructor(text: string, offset: number, expected: string, suggestion: string | null = null) {
    const advice =
      suggestion === null
        ? `expected ${expected} at character ${offset + 1}.`
        : `did you mean ${quote(suggestion)}?`;
    super(`Duration ${quote(text)}: ${advice}`);
    this.text = text;
    this.offset = offset;
  }
}
