/** A load that rises above a rate and comes back: three phases of equal length. */
export interface OverloadLoad {
  /** Iterations per second of the first phase, and of the last. */
  readonly rate: number;
  /** The load of the second phase, as a multiple of the rate. */
  readonly factor: number;
  readonly phaseMs: number;
}
