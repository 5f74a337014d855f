import { BearhugError } from "../bearhug-error.ts";
import type { Extractor } from "./extractor.ts";

/** Thrown by `extract` where a response doesn't have the value. Says what it has instead, by names alone. */
export class ExtractError extends BearhugError {
  override readonly name = "ExtractError";
  readonly code = "NO_SUCH_VALUE";
  /** The extractor that found no value. */
  readonly extractor: Extractor;
  /** The address that answered. */
  readonly url: string;
  /** The status that it answered with; 0 where no response arrived. */
  readonly status: number;
  constructor(
    problem: string,
    facts: { readonly extractor: Extractor; readonly url: string; readonly status: number },
    options?: { readonly cause?: unknown },
  ) {
    super(problem, options);
    this.extractor = facts.extractor;
    this.url = facts.url;
    this.status = facts.status;
  }
}
