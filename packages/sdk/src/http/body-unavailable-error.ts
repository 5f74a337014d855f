import { BearhugError } from "../bearhug-error.ts";

/** Thrown by `text()`, `json()` and `bytes()` of a response whose body was not kept or can't be decoded. */
export class BodyUnavailableError extends BearhugError {
  override readonly name = "BodyUnavailableError";
  readonly code = "BODY_UNAVAILABLE";
  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(`The body can't be read: ${reason}`, options);
  }
}
