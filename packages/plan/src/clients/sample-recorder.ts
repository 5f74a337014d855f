import type { Tags } from "@bearhug/metrics/tags";
import type { Timings } from "@bearhug/sdk";

import type { RandomSource } from "../pacing/random-source.ts";
import type { SampleKind, SampleRule, SharedSamples } from "../protocol/shared-samples.ts";

/** One sample: a request with its result. */
export interface SampledRequest {
  /** The tags of its series. */
  readonly tags: Tags;
  /** The code of its error; null for a success. */
  readonly error: string | null;
  readonly status: number;
  readonly calledAt: number;
  /** Null if no connection opened. */
  readonly timings: Timings | null;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** 32 hexadecimal digits; null without a trace. */
  readonly traceId: string | null;
}

interface SampleRecorderOptions {
  readonly rule: SampleRule;
  readonly ring: SharedSamples;
  readonly random: RandomSource;
  /** Called before the first sample of each kind. */
  readonly define: (kind: SampleKind) => void;
}

/** Passes on the samples of one worker that the rule selects. */
export class SampleRecorder {
  readonly #parts: SampleRecorderOptions;
  /** The numbers of kinds, by the tags of a series and then by error. */
  readonly #kinds = new Map<Tags, Map<string | null, number>>();
  #kindCount = 0;

  constructor(parts: SampleRecorderOptions) {
    this.#parts = parts;
  }

  /** Returns true if the next request is sampled. */
  takes(hasFailed: boolean): boolean {
    const { rule, random } = this.#parts;
    if (rule.kind === "share") return random() < rule.share;
    return rule.kind === "all" || hasFailed;
  }

  record({ tags, error, ...sample }: SampledRequest): void {
    this.#parts.ring.add({ ...sample, kind: this.#kindOf(tags, error) });
  }

  #kindOf(tags: Tags, error: string | null): number {
    const byError = this.#kinds.get(tags) ?? new Map<string | null, number>();
    const known = byError.get(error);
    if (known !== undefined) return known;
    const id = this.#kindCount++;
    this.#kinds.set(tags, byError);
    byError.set(error, id);
    this.#parts.define({ id, tags, error });
    return id;
  }
}
