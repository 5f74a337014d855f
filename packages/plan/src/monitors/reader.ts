import type { Quantity } from "./quantity.ts";

/**
 * Reads a source once. Rejects with an error whose message gives the reason, as one sentence
 * without a full stop.
 */
export type ReadSource = (signal: AbortSignal) => Promise<SourceContent>;

export interface SourceContent {
  readonly quantities: readonly Quantity[];
  /** When the source was read, by the clock. */
  readonly atMs: number;
  /** Chosen families that the source does not have. */
  readonly missing: readonly string[];
}

/** Thrown if a source cannot be read. */
export class UnreadableSource extends Error {
  override readonly name = "UnreadableSource";
}
