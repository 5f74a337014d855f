import type { Tags } from "../metrics/tags.ts";

/** The rule that selects sampled requests. A share is drawn at random from all. */
export type SampleRule =
  | { readonly kind: "all" }
  | { readonly kind: "errors" }
  | { readonly kind: "share"; readonly share: number };

/** The texts that samples of one worker have in common, told once. Secrets are masked. */
export interface SampleKind {
  /** Its number in its worker, from 0. */
  readonly id: number;
  readonly tags: Tags;
  /** The code of the error; null for a success. */
  readonly error: string | null;
}

/** Takes the samples of a run. */
export interface SampleTaker {
  readonly rule: SampleRule;
  /** Memory for the samples of a worker that begins. */
  join(workerId: number): SharedArrayBuffer;
  /** A kind of samples of this worker that no earlier sample had. */
  define(workerId: number, kind: SampleKind): void;
}

/** A load worker's settings for sampling requests. */
export interface WorkerSampling {
  readonly rule: SampleRule;
  /** Memory of {@link SharedSamples}. */
  readonly ring: SharedArrayBuffer;
}
