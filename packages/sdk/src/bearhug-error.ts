/** The base of every error that bearhug throws on purpose. */
export abstract class BearhugError extends Error {
  /** A stable identifier, for programs. */
  abstract readonly code: string;
}
