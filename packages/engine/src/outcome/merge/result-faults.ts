import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { TestResult } from "@bearhug/sdk";
import type { SourcePosition } from "@bearhug/sdk/result";
import { asMasked } from "@bearhug/text/masked-text";

import type { Collector } from "../collect.ts";
import type { Locate } from "../run.ts";

type Place = NonNullable<ReturnType<Locate>>;

/**
 * Adds up the errors of results and the exceptions of their checks. Gives each place in the source its own
 * number, as a line.
 */
export class ResultFaults {
  readonly #places = new Map<string, { readonly position: BundlePosition; readonly place: Place }>();

  add({ errors, checkFaults }: Pick<Collector, "errors" | "checkFaults">, result: TestResult): void {
    for (const { source = null, frame = null, message, count, ...error } of result.errors) {
      const position = this.#positionOf(source, frame);
      errors.add({ ...error, message: asMasked(message), position }, count);
    }
    for (const { name, scenario, page, exception } of result.checks) {
      if (exception === null) continue;
      const { message, count, firstAtMs, source, frame } = exception;
      const position = this.#positionOf(source, frame);
      const fault = { message: asMasked(message), count, firstAtMs, position };
      checkFaults.merge({ check: name, scenario, page, ...fault });
    }
  }

  readonly locate: Locate = ({ line }) =>
    [...this.#places.values()].find(({ position }) => position.line === line)?.place ?? null;

  #positionOf(source: SourcePosition | null, frame: string | null): BundlePosition | null {
    if (source === null) return null;
    const key = JSON.stringify(source);
    const known = this.#places.get(key);
    if (known !== undefined) return known.position;
    const position = { line: this.#places.size + 1, column: 1 };
    this.#places.set(key, { position, place: { source, frame } });
    return position;
  }
}
