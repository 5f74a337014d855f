/** A load that goes past a rate and comes back: three phases of equal length. */
export interface OverloadLoad {
  /** Iterations per second of the first phase, and of the last. */
  readonly rate: number;
  /** The load of the second phase, as a multiple of the rate. */
  readonly factor: number;
  readonly phaseMs: number;
}

/** One interval of the run: rates are requests per second. */
export interface LoadSecond {
  readonly fromMs: number;
  readonly toMs: number;
  readonly goodput: number;
  readonly failed: number;
  readonly dropped: number;
  /** Response times in ms; null without responses. */
  readonly p95: number | null;
  /** Iterations that ended, per second. */
  readonly iterations: number;
}
